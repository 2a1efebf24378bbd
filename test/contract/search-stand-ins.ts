import { KEY } from '../support/provider-bench.ts'
import { jsonAnswer, type StandInAnswer, type StandInRequest } from '../support/stand-in.ts'
import { numbers, result } from './search.ts'

/** A service that searches the web, as it answers a server that has its settings. */
export interface SearchStandIn {
  /** As `src/adapters/providers.ts` has it. */
  readonly provider: string
  /** As errors name it. */
  readonly name: string
  /** An empty one is the stand-in's URL; those that end in `_BASE_URL` need not be here. */
  readonly settings: Readonly<Record<string, string>>
  /** Has no end of results: the n-th of all pages is `result(n)`. */
  readonly answer: (request: StandInRequest) => StandInAnswer
  /** The first request of a search for fifty results of `a b`, and the header that has the key. */
  readonly expectedRequest: {
    readonly method: string
    readonly path: string
    readonly body: string
    readonly header: string | null
  }
  /** The setting that an error names when the service refuses. */
  readonly variable: string
}

const asLink = (at: number) => ({ title: `T${at}`, link: `https://x.example/${at}`, snippet: `D${at}` })

export const SEARCH_STAND_INS: readonly SearchStandIn[] = [
  {
    provider: 'serper',
    name: 'Serper',
    settings: { SERPER_API_KEY: KEY },
    answer: ({ body }: StandInRequest) => {
      const { num, page } = JSON.parse(body) as { num: number; page: number }
      return jsonAnswer({ organic: numbers((page - 1) * num, num).map(asLink) })
    },
    expectedRequest: { method: 'POST', path: '/search', body: '{"q":"a b","num":50,"page":1}', header: 'x-api-key' },
    variable: 'SERPER_API_KEY',
  },
  {
    provider: 'google',
    name: 'Google Programmable Search',
    settings: { GOOGLE_SEARCH_API_KEY: KEY, GOOGLE_SEARCH_ENGINE_ID: 'cx1' },
    answer: ({ url }: StandInRequest) =>
      jsonAnswer({ items: numbers(Number(url.searchParams.get('start')) - 1, 10).map(asLink) }),
    expectedRequest: {
      method: 'GET',
      path: '/customsearch/v1?cx=cx1&q=a+b&num=10&start=1',
      body: '',
      header: 'x-goog-api-key',
    },
    variable: 'GOOGLE_SEARCH_API_KEY',
  },
  {
    provider: 'brave',
    name: 'Brave Search',
    settings: { BRAVE_API_KEY: KEY },
    answer: ({ url }: StandInRequest) =>
      jsonAnswer({ web: { results: numbers(Number(url.searchParams.get('offset')) * 20, 20).map(result) } }),
    expectedRequest: {
      method: 'GET',
      path: '/res/v1/web/search?q=a+b&count=20&offset=0&text_decorations=false',
      body: '',
      header: 'x-subscription-token',
    },
    variable: 'BRAVE_API_KEY',
  },
  {
    provider: 'searxng',
    name: 'SearXNG',
    settings: { SEARXNG_URL: '' },
    answer: ({ url }: StandInRequest) => {
      const page = Number(url.searchParams.get('pageno')) - 1
      const results = numbers(page * 15, 15).map((at) => ({ ...result(at), content: `D${at}`, engine: 'x' }))
      return jsonAnswer({ results })
    },
    expectedRequest: { method: 'GET', path: '/search?q=a+b&format=json&pageno=1', body: '', header: null },
    variable: 'SEARXNG_URL',
  },
]
