/**
 * Writes the table of settings in docs/settings.md and the list of them that tests start servers with, out of what the server
 * reads: `npm run settings`.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writtenFiles } from './settings/written-files.ts'

for (const { path, text } of writtenFiles()) writeFileSync(join(import.meta.dirname, '..', path), text)
