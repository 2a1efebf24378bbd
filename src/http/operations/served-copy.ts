import type { Context } from 'hono'
import { sha256 } from '../../core/sha256.ts'
import type { AppEnv } from '../dialect.ts'

/** Reader of a file that is uploaded beside the Worker, by its name. */
export type ReadAsset = (name: string) => Promise<ArrayBuffer>

/** Seconds for which a client need not ask again. */
const MAX_AGE_SECONDS = 300

/**
 * Handler that serves content which stays the same while the server runs, with an `ETag`; 304 to whoever has them.
 * @param read gives it; not ifNoneMatch for what the client has
 */
export function servedCopy(read: () => Promise<ArrayBuffer | string>, headers: Readonly<Record<string, string>>) {
  let tag: string | undefined
  return async (c: Context<AppEnv>): Promise<Response> => {
    const ifNoneMatch = c.req.header('If-None-Match')
    if (tag !== undefined && isAmong(ifNoneMatch, tag)) return unchanged(tag)
    const content = await read()
    tag ??= `"${sha256(typeof content === 'string' ? content : new Uint8Array(content)).slice(0, 32)}"`
    return isAmong(ifNoneMatch, tag)
      ? unchanged(tag)
      : new Response(content, { headers: { ...headers, ...caching(tag) } })
  }
}

const caching = (tag: string) => ({ ETag: tag, 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` })
const unchanged = (tag: string) => new Response(null, { status: 304, headers: caching(tag) })

/** Whether an `If-None-Match` has the tag; proxies that compress make it a weak one. */
function isAmong(ifNoneMatch: string | undefined, tag: string): boolean {
  const known = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return known.includes(tag) || known.includes('*')
}
