import { ADMIN_INFO } from '../../src/http/dialects/admin/document.ts'
import type { AdminParts } from '../../src/http/dialects/admin/parts.ts'
import { admin } from '../../src/http/dialects/admin/routes.ts'
import { V1_INFO } from '../../src/http/dialects/v1/document.ts'
import { type V1Parts, v1 } from '../../src/http/dialects/v1/routes.ts'
import { type DocumentInfo, documentOf, type OpenApi } from '../../src/http/operations/document.ts'
import { routesOf } from '../../src/http/operations/route.ts'
import { PUBLISHED } from './published/published.ts'

/** A dialect that has a document: its app, the document's words, and the name of its file. */
interface Documented {
  readonly name: string
  readonly app: Parameters<typeof routesOf>[0]
  readonly info: DocumentInfo
}

// Routes are added without a look at the parts that serve requests.
export const V1: Documented = { name: 'v1', app: v1({} as V1Parts).app, info: V1_INFO }
export const ADMIN: Documented = {
  name: 'admin',
  app: admin({ adminToken: 'token' } as AdminParts).app,
  info: ADMIN_INFO,
}
export const DOCUMENTED: readonly Documented[] = [V1, ADMIN]

/** Document of a dialect, without those fields of answers that tests forbid, unless it is closed. */
export const documentFor = ({ app, info }: Documented, options?: { readonly closed: boolean }): OpenApi =>
  documentOf(routesOf(app), info, options)

/** Committed files with the documents. */
type Written = readonly { readonly path: string; readonly text: string }[]

const writtenTo = (pathOf: (name: string) => string): Written =>
  DOCUMENTED.map((documented) => ({
    path: pathOf(documented.name),
    text: `${JSON.stringify(documentFor(documented), null, 2)}\n`,
  }))

const servedPath = (name: string) => `src/assets/openapi-${name}.json`

/** The documents that the server serves, those of published dialects included. */
export const writtenDocuments = (): Written => [
  ...writtenTo(servedPath),
  ...PUBLISHED.map(({ name, document }) => ({
    path: servedPath(name),
    text: `${JSON.stringify(document, null, 2)}\n`,
  })),
]

export const baselinePath = (name: string) => `scripts/openapi/baseline/${name}.json`

/** The documents of a release, which later ones are compared with. */
export const baselines = () => writtenTo(baselinePath)
