import * as z from 'zod'
import type { Http } from '../ports/http.ts'
import type { Scholar } from '../ports/scholar.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { SERPAPI } from './serpapi.ts'
import { refuseStatus } from './service-error.ts'

const Answer = z.object({
  organic_results: z
    .array(
      z.object({
        title: z.string(),
        link: z.string().default(''),
        snippet: z.string().default(''),
        publication_info: z.object({ summary: z.string().default('') }).optional(),
        inline_links: z.object({ cited_by: z.object({ total: z.number() }).partial().optional() }).optional(),
        resources: z.array(z.object({ link: z.string(), file_format: z.string().optional() })).optional(),
      }),
    )
    .default([]),
})
const PER_PAGE = 10

export const scholarSerpapi = provider({
  name: 'serpapi',
  port: 'scholar',
  about: 'Google Scholar by SerpAPI',
  settings: SERPAPI,
  needs: ['SERPAPI_API_KEY'],
  make: ({ SERPAPI_API_KEY, SERPAPI_BASE_URL }, { http }) =>
    serpapiScholar({ http: http(SERPAPI_BASE_URL), baseUrl: SERPAPI_BASE_URL, apiKey: SERPAPI_API_KEY }),
})

/** Google Scholar's results by SerpAPI, which takes its key in the URL only. @see https://serpapi.com/google-scholar-api */
function serpapiScholar({ http, baseUrl, apiKey }: { http: Http; baseUrl: string; apiKey: string }): Scholar {
  return {
    async page({ query, page, yearLow, yearHigh }, signal) {
      const searchParams = new URLSearchParams({
        engine: 'google_scholar',
        q: query,
        start: `${(page - 1) * PER_PAGE}`,
      })
      if (yearLow !== undefined) searchParams.set('as_ylo', `${yearLow}`)
      if (yearHigh !== undefined) searchParams.set('as_yhi', `${yearHigh}`)
      searchParams.set('api_key', apiKey)
      const { status, json } = await askApi(http, { url: `${baseUrl}/search.json?${searchParams}` }, signal)
      refuseStatus(status, 'SerpAPI', 'SERPAPI_API_KEY')
      const papers = understood(Answer, json, 'SerpAPI').organic_results.map((found) => {
        const authors = found.publication_info?.summary ?? ''
        return {
          title: found.title,
          url: found.link,
          authors,
          year: Number(/\b(?:1[6-9]|20)\d\d\b(?!.*\b(?:1[6-9]|20)\d\d\b)/.exec(authors)?.[0]) || null,
          abstract: found.snippet,
          cited_by: found.inline_links?.cited_by?.total ?? null,
          pdf_url: found.resources?.find(({ file_format }) => file_format === 'PDF')?.link ?? null,
        }
      })
      return { source: 'Google Scholar (SerpAPI)', papers }
    },
  }
}
