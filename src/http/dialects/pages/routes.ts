import type { Hono } from 'hono'
import { allowedMethods } from '../../allowed-methods.ts'
import { type AppEnv, type Dialect, dialectApp } from '../../dialect.ts'
import { type ReadAsset, servedCopy } from '../../operations/served-copy.ts'
import { failureResponse, methodResponse } from '../../problem.ts'
import { SECRET_HEADER } from '../../secret-header.ts'
import { SERVED_DOCUMENTS } from './documents.ts'
import { REFERENCE_POLICY, referencePage } from './reference-page.ts'

/** Pages about the server, for people and for models: the same for everybody, so they need no key. */
export const pages = ({ readAsset }: { readonly readAsset: ReadAsset }): Dialect => ({
  name: 'pages',
  owns: (path) =>
    path === '/docs' ||
    path.startsWith('/docs/') ||
    path === '/llms.txt' ||
    path === '/openapi.json' ||
    path.startsWith('/openapi/'),
  app: routes(readAsset),
})

/** Files of the reference page. Those of Swagger UI come from its package: `scripts/copy-assets.mjs`. */
const FILES = {
  'swagger-ui.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui.licence.txt': 'text/plain; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
}

function routes(readAsset: ReadAsset) {
  const app = dialectApp((c, failure) => failureResponse(failure, c.env.requestId))
  app.notFound((c) => {
    const allowed = allowedMethods(app.routes, c.req.path)
    return allowed.length > 0
      ? methodResponse(c.req.method, allowed.join(', '), c.env.requestId)
      : failureResponse({ code: 'not_found', message: 'there is no such page; /docs has all of them' }, c.env.requestId)
  })
  addText(app, '/docs', referencePage(SERVED_DOCUMENTS[0]), HTML)
  for (const document of SERVED_DOCUMENTS) addText(app, `/docs/${document.name}`, referencePage(document), HTML)
  for (const [name, type] of Object.entries(FILES)) {
    app.get(
      `/docs/${name}`,
      servedCopy(() => readAsset(name), { 'Content-Type': type }),
    )
  }
  const json = { 'Content-Type': 'application/json' }
  const toolserver = servedCopy(() => readAsset('openapi-toolserver.json'), json)
  const toolcore = servedCopy(() => readAsset('openapi-toolcore.json'), json)
  app.get('/openapi/toolserver.json', toolserver)
  app.get('/openapi/toolcore.json', toolcore)
  for (const name of ['xagent', 'lagent']) {
    app.get(
      `/openapi/${name}.json`,
      servedCopy(() => readAsset(`openapi-${name}.json`), json),
    )
  }
  // Both originals have theirs at one path: Toolcore's is for clients that send its header.
  app.get('/openapi.json', async (c) => {
    const response = await (c.req.header(SECRET_HEADER) === undefined ? toolserver(c) : toolcore(c))
    response.headers.set('Vary', SECRET_HEADER)
    return response
  })
  app.get(
    '/llms.txt',
    servedCopy(() => readAsset('llms.txt'), { 'Content-Type': 'text/plain; charset=utf-8' }),
  )
  return app
}

const HTML = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': REFERENCE_POLICY }

function addText(app: Hono<AppEnv>, path: string, text: string, headers: Readonly<Record<string, string>>): void {
  app.get(
    path,
    servedCopy(async () => text, headers),
  )
}
