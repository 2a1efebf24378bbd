import * as z from 'zod'
import type { Http } from '../ports/http.ts'
import type { Search } from '../ports/search.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { searchPages } from './search-pages.ts'
import { SERPER } from './serper.ts'
import { refuseStatus } from './service-error.ts'

const Answer = z.object({
  organic: z
    .array(z.object({ title: z.string().default(''), link: z.string(), snippet: z.string().default('') }))
    .default([]),
})
const PER_PAGE = 100
const MAX_PAGES = 3

export const searchSerper = provider({
  name: 'serper',
  port: 'search',
  about: 'Google by Serper',
  settings: SERPER,
  needs: ['SERPER_API_KEY'],
  make: ({ SERPER_API_KEY, SERPER_BASE_URL }, { http }) =>
    serperSearch({ http: http(SERPER_BASE_URL), baseUrl: SERPER_BASE_URL, apiKey: SERPER_API_KEY }),
})

/** Google's results by Serper. @see https://serper.dev */
function serperSearch({ http, baseUrl, apiKey }: { http: Http; baseUrl: string; apiKey: string }): Search {
  return {
    search: (query, count, signal) =>
      searchPages(count, MAX_PAGES, async (page) => {
        const body = JSON.stringify({ q: query, num: Math.min(count, PER_PAGE), page: page + 1 })
        const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' }
        const { status, json } = await askApi(http, { url: `${baseUrl}/search`, method: 'POST', headers, body }, signal)
        refuseStatus(status, 'Serper', 'SERPER_API_KEY')
        const { organic } = understood(Answer, json, 'Serper')
        return organic.map(({ title, link, snippet }) => ({ title, url: link, description: snippet }))
      }),
  }
}
