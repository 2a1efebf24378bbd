import { type Dialect, dialectApp } from '../../dialect.ts'
import { METADATA_PATH, metadataOf, type ProtectedResource, resourcePathOf } from '../../oauth/protected-resource.ts'
import { failureResponse, methodResponse } from '../../problem.ts'

/** Metadata of this server for clients that get tokens (RFC 9728): the same for everybody, so they need no key. */
export function oauth(resource: ProtectedResource): Dialect {
  const app = dialectApp((c, failure) => failureResponse(failure, c.env.requestId))
  app.get('*', (c) => {
    const url = new URL(c.req.url)
    const below = url.pathname.slice(METADATA_PATH.length).replace(/\/$/, '')
    if (below !== resourcePathOf(below)) {
      const message = 'no resource of that path takes tokens of its own; the metadata of all paths is one level up'
      return failureResponse({ code: 'not_found', message }, c.env.requestId)
    }
    return c.json(metadataOf(resource, below, url), 200, { 'Cache-Control': 'public, max-age=300' })
  })
  app.all('*', (c) => methodResponse(c.req.method, 'GET, HEAD', c.env.requestId))
  return {
    name: 'oauth',
    owns: (path) => path === METADATA_PATH || path.startsWith(`${METADATA_PATH}/`),
    keepsKey: () => 'not',
    app,
  }
}
