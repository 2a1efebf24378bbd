import type { Hono } from 'hono'
import type { AppEnv } from '../dialect.ts'
import { guardedRoute } from './route.ts'
import { type ReadAsset, servedCopy } from './served-copy.ts'

/**
 * Adds the path of an OpenAPI document, which needs no key.
 * @param asset file that holds the document
 */
export function addDocument(app: Hono<AppEnv>, path: string, asset: string, readAsset: ReadAsset): void {
  guardedRoute(
    app,
    'get',
    path,
    { credentials: [], allow: () => {} },
    {
      id: 'getDocument',
      tag: 'documents',
      summary: 'Get this document',
      headers: { 'If-None-Match': 'The ETag of a copy that you have.' },
      answers: {
        200: {
          description: 'The document.',
          content: { raw: 'application/json' },
          headers: { ETag: 'Version of the document.' },
        },
        304: { description: 'Your copy is the current one.' },
      },
      problems: [],
      example: { status: 200 },
    },
    servedCopy(() => readAsset(asset), { 'Content-Type': 'application/json' }),
  )
}
