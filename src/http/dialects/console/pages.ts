import type { Context, Hono } from 'hono'
import { fail } from '../../../core/failure.ts'
import type { AppEnv } from '../../dialect.ts'

/** Reader of the console's files, which are uploaded beside the Worker: of a path from `/console/` on, as the request's conditions say. */
export type ReadPage = (path: string, headers: Headers) => Promise<Response>

/**
 * Content security policy of the console: its own scripts, styles and questions of its origin, and nothing else. Files of tenants are of
 * that origin too, below `/v1`: scripts are those of the console's assets alone. Such files are shown as pictures of `data:`, or
 * in a sandboxed frame of `blob:`, which inherits this policy and so runs no script.
 */
const policyAt = (url: URL) =>
  [
    "default-src 'none'",
    `script-src ${scriptsAt(url)}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    'frame-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

/** A policy cannot name an IPv6 address: there it says no more than the origin. */
const scriptsAt = ({ hostname, origin }: URL) => (/^[\w.-]+$/.test(hostname) ? `${origin}${ASSETS}` : "'self'")

/** Files whose names have a hash of their content. */
const ASSETS = '/console/assets/'
const FOR_GOOD = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

/** Adds the console's pages: any path below `/console/` that is no file is one of the application's own, and gets its page. */
export function addPages(app: Hono<AppEnv>, read: ReadPage): void {
  // The app's own word for a path has no slash at its end.
  app.get('/console/*', async (c) => {
    const { pathname } = new URL(c.req.url)
    return pathname === '/console' ? c.redirect('/console/', 308) : page(c, pathname, read)
  })
}

async function page(c: Context<AppEnv>, path: string, read: ReadPage): Promise<Response> {
  const isAsset = path.startsWith(ASSETS)
  const conditions = new Headers()
  const tag = c.req.header('If-None-Match')
  if (tag !== undefined) conditions.set('If-None-Match', tag)
  let found = await read(path, conditions)
  if (!isGood(found) && !isAsset) {
    await found.body?.cancel()
    found = await read('/console/', conditions)
  }
  if (!isGood(found)) {
    await found.body?.cancel()
    if (isAsset)
      fail('not_found', 'the console has no such file; load its page again, which may be of an earlier version')
    fail('not_found', 'the console is not built here; run "npm run prepare", then start the server again')
  }
  const response = new Response(found.body, found)
  response.headers.set('Content-Security-Policy', policyAt(new URL(c.req.url)))
  response.headers.set('Cache-Control', isAsset ? FOR_GOOD : ASK_AGAIN)
  return response
}

/** Whether a file is there; a redirect leads to a name that no page is asked by. */
const isGood = ({ ok, status }: Response) => ok || status === 304
