import * as z from 'zod'
import { optional, serviceUrl } from '../core/settings.ts'
import type { Http } from '../ports/http.ts'
import type { Scholar } from '../ports/scholar.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { refuseStatus } from './service-error.ts'

const Answer = z.object({
  data: z
    .array(
      z.object({
        title: z.string(),
        url: z.string().nullish(),
        authors: z.array(z.object({ name: z.string().nullish() })).nullish(),
        venue: z.string().nullish(),
        year: z.number().nullish(),
        abstract: z.string().nullish(),
        citationCount: z.number().nullish(),
        openAccessPdf: z.object({ url: z.string().nullish() }).nullish(),
      }),
    )
    .default([]),
})
const PER_PAGE = 10

export interface SemanticScholarOptions {
  readonly http: Http
  readonly baseUrl: string
  /** API key; null works, at a low rate. */
  readonly apiKey: string | null
}

export const scholarSemantic = provider({
  name: 'semanticscholar',
  port: 'scholar',
  about: 'Semantic Scholar; a key is not needed, and gives more requests',
  settings: {
    SEMANTIC_SCHOLAR_API_KEY: optional,
    SEMANTIC_SCHOLAR_BASE_URL: serviceUrl('https://api.semanticscholar.org'),
  },
  needs: [],
  make: ({ SEMANTIC_SCHOLAR_API_KEY, SEMANTIC_SCHOLAR_BASE_URL }, { http }) =>
    semanticScholar({
      http: http(SEMANTIC_SCHOLAR_BASE_URL),
      baseUrl: SEMANTIC_SCHOLAR_BASE_URL,
      apiKey: SEMANTIC_SCHOLAR_API_KEY,
    }),
})

/** Scholar search by Semantic Scholar. @see https://api.semanticscholar.org/api-docs/graph */
function semanticScholar({ http, baseUrl, apiKey }: SemanticScholarOptions): Scholar {
  return {
    async page({ query, page, yearLow, yearHigh }, signal) {
      const searchParams = new URLSearchParams({
        query,
        offset: `${(page - 1) * PER_PAGE}`,
        limit: `${PER_PAGE}`,
        fields: 'title,url,authors,venue,year,abstract,citationCount,openAccessPdf',
      })
      if (yearLow !== undefined || yearHigh !== undefined)
        searchParams.set('year', `${yearLow ?? ''}-${yearHigh ?? ''}`)
      const request = {
        url: `${baseUrl}/graph/v1/paper/search?${searchParams}`,
        headers: apiKey === null ? {} : { 'x-api-key': apiKey },
      }
      const { status, json } = await askApi(http, request, signal)
      refuseStatus(status, 'Semantic Scholar', apiKey === null ? null : 'SEMANTIC_SCHOLAR_API_KEY')
      const papers = understood(Answer, json, 'Semantic Scholar').data.map((found) => ({
        title: found.title,
        url: found.url ?? '',
        authors: [found.authors?.map(({ name }) => name ?? '').join(', '), found.venue].filter(Boolean).join(' - '),
        year: found.year ?? null,
        abstract: found.abstract ?? '',
        cited_by: found.citationCount ?? null,
        pdf_url: found.openAccessPdf?.url || null,
      }))
      return { source: 'Semantic Scholar', papers }
    },
  }
}
