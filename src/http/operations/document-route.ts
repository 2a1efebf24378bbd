import type { Hono } from 'hono'
import { sha256 } from '../../core/sha256.ts'
import type { AppEnv } from '../dialect.ts'
import { guardedRoute } from './route.ts'

/** Reader of a file that is uploaded beside the Worker, by its name. */
export type ReadAsset = (name: string) => Promise<ArrayBuffer>

/** Seconds for which a client need not ask again. */
const MAX_AGE_SECONDS = 300

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
    async (c) => {
      const bytes = await readAsset(asset)
      const headers = {
        ETag: `"${sha256(new Uint8Array(bytes)).slice(0, 32)}"`,
        'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      }
      const known =
        c.req
          .header('If-None-Match')
          ?.split(',')
          .map((tag) => tag.trim().replace(/^W\//, '')) ?? []
      if (known.includes(headers.ETag) || known.includes('*')) return c.body(null, 304, headers)
      return c.body(bytes, 200, { ...headers, 'Content-Type': 'application/json' })
    },
  )
}
