/**
 * Writes the OpenAPI documents and the guide for agents that the server serves, made of the routes, and the types of the TypeScript client: `npm run openapi`.
 * With `--baseline`, at a release, the documents become what later ones are compared with.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writtenClientTypes } from './openapi/client-types.ts'
import { baselines, writtenDocuments } from './openapi/documents.ts'
import { writtenGuide } from './openapi/guide.ts'

const written = [...writtenDocuments(), writtenGuide(), ...writtenClientTypes()]
const files = process.argv.includes('--baseline') ? [...written, ...baselines()] : written
for (const { path, text } of files) writeFileSync(join(import.meta.dirname, '..', path), text)
