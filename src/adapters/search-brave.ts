import * as z from 'zod'
import { optional, serviceUrl } from '../core/settings.ts'
import type { Http } from '../ports/http.ts'
import type { Search } from '../ports/search.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { searchPages } from './search-pages.ts'
import { refuseStatus } from './service-error.ts'

const Answer = z.object({
  web: z
    .object({
      results: z.array(
        z.object({ title: z.string().default(''), url: z.string(), description: z.string().default('') }),
      ),
    })
    .optional(),
})
const PER_PAGE = 20
/** Pages of one search: Brave takes no larger offset than 9. */
const MAX_PAGES = 10

export const searchBrave = provider({
  name: 'brave',
  port: 'search',
  about: 'Brave Search',
  settings: { BRAVE_API_KEY: optional, BRAVE_BASE_URL: serviceUrl('https://api.search.brave.com') },
  needs: ['BRAVE_API_KEY'],
  make: ({ BRAVE_API_KEY, BRAVE_BASE_URL }, { http }) =>
    braveSearch({ http: http(BRAVE_BASE_URL), baseUrl: BRAVE_BASE_URL, apiKey: BRAVE_API_KEY }),
})

/** Web search by Brave. @see https://api-dashboard.search.brave.com/app/documentation/web-search/get-started */
function braveSearch({ http, baseUrl, apiKey }: { http: Http; baseUrl: string; apiKey: string }): Search {
  return {
    search: (query, count, signal) =>
      searchPages(count, MAX_PAGES, async (page) => {
        const searchParams = new URLSearchParams({
          q: query,
          count: `${PER_PAGE}`,
          offset: `${page}`,
          text_decorations: 'false',
        })
        const request = {
          url: `${baseUrl}/res/v1/web/search?${searchParams}`,
          headers: { 'X-Subscription-Token': apiKey },
        }
        const { status, json } = await askApi(http, request, signal)
        refuseStatus(status, 'Brave Search', 'BRAVE_API_KEY')
        return understood(Answer, json, 'Brave Search').web?.results ?? []
      }),
  }
}
