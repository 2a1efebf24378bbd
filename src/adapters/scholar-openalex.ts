import * as z from 'zod'
import { serviceUrl } from '../core/settings.ts'
import type { Http } from '../ports/http.ts'
import type { Scholar } from '../ports/scholar.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { refuseStatus } from './service-error.ts'

const Work = z.object({
  id: z.string(),
  doi: z.string().nullish(),
  display_name: z.string().nullish(),
  publication_year: z.number().nullish(),
  cited_by_count: z.number().nullish(),
  authorships: z.array(z.object({ author: z.object({ display_name: z.string().nullish() }) })).default([]),
  primary_location: z
    .object({
      landing_page_url: z.string().nullish(),
      pdf_url: z.string().nullish(),
      source: z.object({ display_name: z.string().nullish() }).nullish(),
    })
    .nullish(),
  abstract_inverted_index: z.record(z.string(), z.array(z.number())).nullish(),
})
const Answer = z.object({ results: z.array(Work) })
const FIELDS = Object.keys(Work.shape).join(',')
/** Authors shown of one paper: large collaborations have thousands. */
const MAX_AUTHORS = 8

export const scholarOpenAlex = provider({
  name: 'openalex',
  port: 'scholar',
  about: 'OpenAlex, no key',
  settings: { OPENALEX_BASE_URL: serviceUrl('https://api.openalex.org') },
  needs: [],
  make: ({ OPENALEX_BASE_URL }, { http }) =>
    openAlexScholar({ baseUrl: OPENALEX_BASE_URL, http: http(OPENALEX_BASE_URL) }),
})

/** Scholar search by OpenAlex, which is open and needs no key. @see https://docs.openalex.org/api-entities/works/search-works */
function openAlexScholar({ http, baseUrl }: { http: Http; baseUrl: string }): Scholar {
  return {
    async page({ query, page, yearLow, yearHigh }, signal) {
      const searchParams = new URLSearchParams({ search: query, page: `${page}`, 'per-page': '10', select: FIELDS })
      const years = [
        yearLow !== undefined && `from_publication_date:${yearLow}-01-01`,
        yearHigh !== undefined && `to_publication_date:${yearHigh}-12-31`,
      ].filter((part) => part !== false)
      if (years.length > 0) searchParams.set('filter', years.join(','))
      const { status, json } = await askApi(http, { url: `${baseUrl}/works?${searchParams}` }, signal)
      refuseStatus(status, 'OpenAlex', null)
      return { source: 'OpenAlex', papers: understood(Answer, json, 'OpenAlex').results.map(toPaper) }
    },
  }
}

function toPaper(work: z.output<typeof Work>) {
  const names = work.authorships.map(({ author }) => author.display_name ?? '').filter((name) => name !== '')
  const shown = names.length > MAX_AUTHORS ? [...names.slice(0, MAX_AUTHORS), 'et al.'] : names
  const venue = work.primary_location?.source?.display_name
  return {
    title: work.display_name ?? '(no title)',
    url: work.primary_location?.landing_page_url ?? work.doi ?? work.id,
    authors: [shown.join(', '), venue].filter(Boolean).join(' - '),
    year: work.publication_year ?? null,
    abstract: abstractOf(work.abstract_inverted_index ?? {}),
    cited_by: work.cited_by_count ?? null,
    pdf_url: work.primary_location?.pdf_url ?? null,
  }
}

/** Text of an abstract, which OpenAlex gives as a table from words to their places. */
function abstractOf(places: Readonly<Record<string, readonly number[]>>): string {
  const words = Object.entries(places).flatMap(([word, at]) => at.map((place) => ({ word, place })))
  return words
    .sort((a, b) => a.place - b.place)
    .map(({ word }) => word)
    .join(' ')
}
