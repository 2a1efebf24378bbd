import * as z from 'zod'
import { fail } from '../core/failure.ts'
import { optionalBaseUrl } from '../core/settings.ts'
import type { Http } from '../ports/http.ts'
import type { Search } from '../ports/search.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { searchPages } from './search-pages.ts'
import { refuseStatus } from './service-error.ts'

const Answer = z.object({
  results: z
    .array(z.object({ title: z.string().default(''), url: z.string(), content: z.string().nullish() }))
    .default([]),
})
/** Pages of one search, of about twenty results each. */
const MAX_PAGES = 8

export const searchSearxng = provider({
  name: 'searxng',
  port: 'search',
  about: 'a SearXNG of your own, no key',
  needsNoKey: true,
  settings: { SEARXNG_URL: optionalBaseUrl },
  needs: ['SEARXNG_URL'],
  make: ({ SEARXNG_URL }, { http }) => searxngSearch({ baseUrl: SEARXNG_URL, http: http(SEARXNG_URL) }),
})

/** Web search by SearXNG, which anybody can run and which needs no key. @see https://docs.searxng.org/dev/search_api.html */
function searxngSearch({ http, baseUrl }: { http: Http; baseUrl: string }): Search {
  return {
    search: (query, count, signal) =>
      searchPages(count, MAX_PAGES, async (page) => {
        const searchParams = new URLSearchParams({ q: query, format: 'json', pageno: `${page + 1}` })
        const { status, json } = await askApi(http, { url: `${baseUrl}/search?${searchParams}` }, signal)
        if (status === 403) {
          fail(
            'upstream',
            'the SearXNG in SEARXNG_URL does not give JSON; add "json" to search.formats in its settings.yml',
          )
        }
        refuseStatus(status, 'SearXNG', null)
        const { results } = understood(Answer, json, 'SearXNG')
        return results.map(({ title, url, content }) => ({ title, url, description: content ?? '' }))
      }),
  }
}
