import { fail } from '../core/failure.ts'
import { operator, say } from '../core/saying/saying.ts'
import type { Search } from '../ports/search.ts'

/**
 * Search of a server without a search provider: every search fails.
 * @param ways settings that set one up
 */
export const searchMissing = (ways: string): Search => ({
  search: async () =>
    fail(
      'upstream',
      say`web search is not available on this server; read pages whose address you know instead${operator(
        `. It is not set up: set one of ${ways}`,
      )}`,
    ),
})
