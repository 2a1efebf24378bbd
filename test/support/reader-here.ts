import type { Reader } from '../../src/ports/reader.ts'
import { read } from '../../src/reader/read.ts'

/** The {@link Reader} port without a process of its own: for tests of a reading's result, not of its place. */
export const READER_HERE: Reader = { read: (reading, signal) => read(reading, signal) }
