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
]
