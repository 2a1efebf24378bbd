/** Writes the OpenAPI documents that the server serves, made of the routes: `npm run openapi`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writtenDocuments } from './openapi/documents.ts'

for (const { path, text } of writtenDocuments()) writeFileSync(join(import.meta.dirname, '..', path), text)
