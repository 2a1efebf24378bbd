/** An OpenAPI document that the server serves. */
export interface ServedDocument {
  /** Name in the paths of pages. */
  readonly name: string
  readonly title: string
  readonly path: string
}

/** The documents, in the order in which a reader meets them. */
export const SERVED_DOCUMENTS: readonly [ServedDocument, ...ServedDocument[]] = [
  { name: 'v1', title: 'Native API', path: '/v1/openapi.json' },
  { name: 'admin', title: 'Admin API', path: '/admin/openapi.json' },
  { name: 'toolserver', title: 'Tool Server', path: '/openapi/toolserver.json' },
  { name: 'toolcore', title: 'Toolcore', path: '/openapi/toolcore.json' },
  { name: 'xagent', title: 'XAgent', path: '/openapi/xagent.json' },
  { name: 'lagent', title: 'Lagent', path: '/openapi/lagent.json' },
]
