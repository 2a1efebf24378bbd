/**
 * Writes the OpenAPI documents and the guide for agents that the server serves, made of the routes: `npm run openapi`. With `--baseline`, at a release, what
 * they are becomes what later ones are compared with.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { baselines, writtenDocuments } from './openapi/documents.ts'
import { writtenGuide } from './openapi/guide.ts'

const written = [...writtenDocuments(), writtenGuide()]
const files = process.argv.includes('--baseline') ? [...written, ...baselines()] : written
for (const { path, text } of files) writeFileSync(join(import.meta.dirname, '..', path), text)
