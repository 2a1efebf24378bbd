/** Writes the tables of capacity and bill into docs/operating.md: `npm run bench:capacity`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withTables } from './with-tables.ts'

const path = join(import.meta.dirname, '../../docs/operating.md')
writeFileSync(path, withTables(readFileSync(path, 'utf8')))
