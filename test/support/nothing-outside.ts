import type { OutsidePorts } from '../../src/ports/index.ts'

const unplugged = async (): Promise<never> => {
  throw new Error('the test gave no such port')
}
/** No tool of the test should reach anything outside. */
export const NOTHING_OUTSIDE: OutsidePorts = {
  http: { fetch: unplugged, open: unplugged },
  mcpServers: { list: unplugged, pinOf: unplugged, call: unplugged, end: async () => undefined },
  browser: { render: unplugged },
  search: { search: unplugged },
  scholar: { page: unplugged },
  scholarIndex: { articles: unplugged, author: unplugged, citation: unplugged, authorIds: unplugged },
  arxiv: { search: unplugged },
  maps: { route: unplugged, locate: unplugged, nearby: unplugged },
  papers: {
    searchAbstracts: unplugged,
    searchDetails: unplugged,
    paper: unplugged,
    chunks: unplugged,
    passages: unplugged,
    stats: unplugged,
    health: unplugged,
    info: unplugged,
    cacheStats: unplugged,
    cacheClear: unplugged,
  },
  reader: { read: unplugged },
  model: { apiKey: null, baseUrl: null },
  github: { searchRepositories: unplugged, repository: unplugged },
}
