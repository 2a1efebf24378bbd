import { testPacking } from './packing.ts'

testPacking()
