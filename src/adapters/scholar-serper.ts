import * as z from 'zod'
import type { Http } from '../ports/http.ts'
import type { Scholar } from '../ports/scholar.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { SERPER } from './serper.ts'
import { refuseStatus } from './service-error.ts'

const Answer = z.object({
  organic: z
    .array(
      z.object({
        title: z.string(),
        link: z.string().default(''),
        publicationInfo: z.string().default(''),
        snippet: z.string().default(''),
        year: z.coerce.number().optional().catch(undefined),
        citedBy: z.number().optional().catch(undefined),
        pdfUrl: z.string().optional(),
      }),
    )
    .default([]),
})

export const scholarSerper = provider({
  name: 'serper',
  port: 'scholar',
  about: 'Google Scholar by Serper',
  settings: SERPER,
  needs: ['SERPER_API_KEY'],
  make: ({ SERPER_API_KEY, SERPER_BASE_URL }, { http }) =>
    serperScholar({ http: http(SERPER_BASE_URL), baseUrl: SERPER_BASE_URL, apiKey: SERPER_API_KEY }),
})

/** Google Scholar's results by Serper. @see https://serper.dev */
function serperScholar({ http, baseUrl, apiKey }: { http: Http; baseUrl: string; apiKey: string }): Scholar {
  return {
    async page({ query, page, yearLow, yearHigh }, signal) {
      const body = JSON.stringify({ q: query, page, as_ylo: yearLow, as_yhi: yearHigh })
      const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' }
      const { status, json } = await askApi(http, { url: `${baseUrl}/scholar`, method: 'POST', headers, body }, signal)
      refuseStatus(status, 'Serper', 'SERPER_API_KEY')
      const papers = understood(Answer, json, 'Serper').organic.map((found) => ({
        title: found.title,
        url: found.link,
        authors: found.publicationInfo,
        year: found.year ?? null,
        abstract: found.snippet,
        cited_by: found.citedBy ?? null,
        pdf_url: found.pdfUrl ?? null,
      }))
      return { source: 'Google Scholar (Serper)', papers }
    },
  }
}
