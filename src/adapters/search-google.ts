import * as z from 'zod'
import { optional, serviceUrl } from '../core/settings.ts'
import type { Http } from '../ports/http.ts'
import type { Search } from '../ports/search.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { searchPages } from './search-pages.ts'
import { refuseStatus } from './service-error.ts'

interface GoogleOptions {
  readonly http: Http
  readonly baseUrl: string
  readonly apiKey: string
  /** Id of the Programmable Search Engine (`cx`). */
  readonly engineId: string
}

const Answer = z.object({
  items: z
    .array(z.object({ title: z.string().default(''), link: z.string(), snippet: z.string().default('') }))
    .default([]),
})
const PER_PAGE = 10
/** Pages of one search: Google gives the first hundred results and no more. */
const MAX_PAGES = 10

export const searchGoogle = provider({
  name: 'google',
  port: 'search',
  about: "Google's Programmable Search",
  settings: {
    GOOGLE_SEARCH_API_KEY: optional,
    GOOGLE_SEARCH_ENGINE_ID: optional,
    GOOGLE_SEARCH_BASE_URL: serviceUrl('https://customsearch.googleapis.com'),
  },
  needs: ['GOOGLE_SEARCH_API_KEY', 'GOOGLE_SEARCH_ENGINE_ID'],
  make: ({ GOOGLE_SEARCH_API_KEY, GOOGLE_SEARCH_ENGINE_ID, GOOGLE_SEARCH_BASE_URL }, { http }) =>
    googleSearch({
      http: http(GOOGLE_SEARCH_BASE_URL),
      baseUrl: GOOGLE_SEARCH_BASE_URL,
      apiKey: GOOGLE_SEARCH_API_KEY,
      engineId: GOOGLE_SEARCH_ENGINE_ID,
    }),
})

/** Google's Programmable Search. @see https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list */
function googleSearch({ http, baseUrl, apiKey, engineId }: GoogleOptions): Search {
  return {
    search: (query, count, signal) =>
      searchPages(count, MAX_PAGES, async (page) => {
        const start = `${page * PER_PAGE + 1}`
        const num = `${Math.min(PER_PAGE, count)}`
        const searchParams = new URLSearchParams({ cx: engineId, q: query, num, start })
        const request = { url: `${baseUrl}/customsearch/v1?${searchParams}`, headers: { 'X-Goog-Api-Key': apiKey } }
        const { status, json } = await askApi(http, request, signal)
        refuseStatus(status, 'Google Programmable Search', 'GOOGLE_SEARCH_API_KEY')
        const { items } = understood(Answer, json, 'Google Programmable Search')
        return items.map(({ title, link, snippet }) => ({ title, url: link, description: snippet }))
      }),
  }
}
