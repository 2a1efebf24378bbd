import { d1Database } from '../src/adapters/database-d1.ts'
import { tenantId } from '../src/core/ids.ts'
import { paperLibrary } from '../src/papers/library.ts'
import type { Paper } from '../src/ports/papers.ts'

export interface SearchRequest {
  /** A new one for each question, so that none is answered from memory. */
  readonly reader: string
  readonly query: string
  readonly k: number
  readonly m: number
}

/** The paper service as the server has it, with ways in for papers.ts: `/put` and `/search`. */
export default {
  async fetch(request: Request, env: { readonly DB: D1Database }): Promise<Response> {
    const library = (reader: string | null) =>
      paperLibrary({
        db: d1Database(env.DB),
        reader: reader === null ? null : tenantId(reader),
        clock: Date,
        semantics: null,
      })
    if (new URL(request.url).pathname === '/put')
      return Response.json(await library(null).put(await request.json<Paper[]>()))
    const { reader, ...search } = await request.json<SearchRequest>()
    const { results } = await library(reader).searchAbstracts(search, request.signal)
    return Response.json((results as { readonly file_id: string }[]).map(({ file_id }) => file_id))
  },
}
