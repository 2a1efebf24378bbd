import { env } from 'cloudflare:workers'
import { beforeAll } from 'vitest'
import { d1Database } from '../../src/adapters/database-d1.ts'
import { migratePapers } from '../support/papers-database.ts'
import { libraryContract } from './paper-library.ts'

beforeAll(() => migratePapers(env.DB))
libraryContract('D1', () => d1Database(env.DB))
