import * as z from 'zod'
import { fail } from '../core/failure.ts'
import { operator, say, tool } from '../core/saying/saying.ts'
import type { Http } from '../ports/http.ts'
import type { ScholarIndex, ScholarIndexRequest } from '../ports/scholar-index.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { SERPAPI } from './serpapi.ts'
import { refuseStatus } from './service-error.ts'

const WHO = 'SerpAPI'
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

const Articles = z.object({
  organic_results: z
    .array(
      z.object({
        title: z.string(),
        result_id: text,
        snippet: text,
        publication_info: z.object({ summary: text }).optional(),
        inline_links: z.object({ cited_by: z.object({ total: z.number() }).partial().optional() }).optional(),
      }),
    )
    .default([]),
})
const Author = z.object({
  author: z.object({ name: z.string(), affiliations: text, website: text }).optional(),
  articles: z.array(z.object({ title: z.string(), authors: text })).default([]),
})
const Citations = z.object({ citations: z.array(z.object({ snippet: z.string() })).default([]) })
const Profiles = z.object({ profiles: z.array(z.object({ author_id: z.string() })).default([]) })

export const scholarIndexSerpapi = provider({
  name: 'serpapi',
  port: 'scholarIndex',
  about: "SerpAPI; a tenant's secret `SERPAPI_API_KEY` comes first",
  settings: SERPAPI,
  needs: [],
  make: ({ SERPAPI_API_KEY, SERPAPI_BASE_URL }, { http }) =>
    serpapiScholarIndex({ http: http(SERPAPI_BASE_URL), baseUrl: SERPAPI_BASE_URL, apiKey: SERPAPI_API_KEY }),
})

/** Google Scholar by SerpAPI, which takes its key in the URL only. @see https://serpapi.com/google-scholar-api */
function serpapiScholarIndex(options: {
  readonly http: Http
  readonly baseUrl: string
  readonly apiKey: string | null
}): ScholarIndex {
  async function ask<S extends z.ZodType>(
    schema: S,
    engine: string,
    own: Readonly<Record<string, string>>,
    { parameters, key: given }: ScholarIndexRequest,
    signal: AbortSignal,
  ): Promise<z.output<S>> {
    const key = given ?? options.apiKey
    if (key === null) fail('upstream', NO_KEY)
    const query = new URLSearchParams({ engine, ...own })
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, `${value}`)
    query.set('api_key', key)
    const { status, json } = await askApi(options.http, { url: `${options.baseUrl}/search.json?${query}` }, signal)
    refuseStatus(status, WHO, 'SERPAPI_API_KEY')
    return understood(schema, json, WHO)
  }

  return {
    async articles(query, request, signal) {
      const { organic_results } = await ask(Articles, 'google_scholar', { q: query }, request, signal)
      return organic_results.map(({ title, result_id, snippet, publication_info, inline_links }) => ({
        id: result_id,
        title,
        snippet,
        publication: publication_info?.summary ?? '',
        citedBy: inline_links?.cited_by?.total ?? null,
      }))
    },

    async author(authorId, request, signal) {
      const { author, articles } = await ask(Author, 'google_scholar_author', { author_id: authorId }, request, signal)
      if (!author)
        fail(
          'not_found',
          say`Google Scholar knows no author of this id; ${tool('scholar_author_id')} finds the id of a name`,
        )
      return { ...author, articles }
    },

    async citation(articleId, request, signal) {
      const { citations } = await ask(Citations, 'google_scholar_cite', { q: articleId }, request, signal)
      return (
        citations[0]?.snippet ??
        fail(
          'not_found',
          say`Google Scholar knows no article of this id; give an organic_id of ${tool('scholar_articles')}`,
        )
      )
    },

    async authorIds(name, request, signal) {
      const { profiles } = await ask(Profiles, 'google_scholar_profiles', { mauthors: name }, request, signal)
      return profiles.map(({ author_id }) => author_id)
    },
  }
}

const NO_KEY = say`Google Scholar is not available on this server; do without it${operator(
  '. There is no SERPAPI_API_KEY: set it, or keep a secret of that name',
)}`
