import { fail } from '../core/failure.ts'
import { operator, say } from '../core/saying/saying.ts'
import type { Search } from '../ports/search.ts'

/** Where no search was set up. */
export const searchMissing: Search = {
  search: async () =>
    fail(
      'upstream',
      say`web search is not available on this server; read pages whose address you know instead${operator(
        '. It is not set up: set one of SERPER_API_KEY, GOOGLE_SEARCH_API_KEY with GOOGLE_SEARCH_ENGINE_ID, BRAVE_API_KEY, ' +
          'or SEARXNG_URL (a SearXNG of your own, no key)',
      )}`,
    ),
}
