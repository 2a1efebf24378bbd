import { KEY } from '../support/provider-bench.ts'
import { jsonAnswer, type StandInAnswer, type StandInRequest } from '../support/stand-in.ts'

/** A service that reads Google Scholar, as it answers a server that has its settings. */
export interface ScholarIndexStandIn {
  /** As `src/adapters/providers.ts` has it. */
  readonly provider: string
  /** As errors name it. */
  readonly name: string
  /** With {@link KEY} as the operator's key. An empty one is the stand-in's URL; those that end in `_BASE_URL` need not be here. */
  readonly settings: Readonly<Record<string, string>>
  /** Knows {@link ARTICLE}, and {@link AUTHOR} by `id1` and by the name `A Vaswani`, and nothing else. */
  readonly answer: (request: StandInRequest) => StandInAnswer
  /** Key of a request; null without one. */
  readonly keyIn: (request: StandInRequest) => string | null
  /** A parameter of a request by its name at the port. */
  readonly parameterIn: (request: StandInRequest, name: string) => string | null
  /** The setting that an error names when the service refuses. */
  readonly variable: string
}

export const ARTICLE = {
  id: 'a1',
  title: 'Attention',
  snippet: 'All you need',
  publication: 'A Vaswani - NeurIPS, 2017',
  citedBy: 9,
}
export const AUTHOR = {
  name: 'A Vaswani',
  affiliations: 'Essential',
  website: '',
  articles: [{ title: 'Attention', authors: 'A Vaswani, N Shazeer' }],
}
export const CITATION = 'Vaswani, A. "Attention." 2017.'

function asSerpapi({ url }: StandInRequest): StandInAnswer {
  const is = (name: string, value: string) => url.searchParams.get(name) === value
  switch (url.searchParams.get('engine')) {
    case 'google_scholar': {
      const { id: result_id, title, snippet, publication: summary, citedBy: total } = ARTICLE
      const known = { title, result_id, snippet, publication_info: { summary }, inline_links: { cited_by: { total } } }
      return jsonAnswer(is('q', 'attention') ? { organic_results: [known, { title: 'Bare' }] } : {})
    }
    case 'google_scholar_author': {
      const { articles, ...author } = AUTHOR
      return jsonAnswer(is('author_id', 'id1') ? { author: { ...author, website: null }, articles } : {})
    }
    case 'google_scholar_cite':
      return jsonAnswer(is('q', ARTICLE.id) ? { citations: [{ title: 'MLA', snippet: CITATION }] } : {})
    default:
      return jsonAnswer(is('mauthors', AUTHOR.name) ? { profiles: [{ author_id: 'id1' }] } : {})
  }
}

export const SCHOLAR_INDEX_STAND_INS: readonly ScholarIndexStandIn[] = [
  {
    provider: 'serpapi',
    name: 'SerpAPI',
    settings: { SERPAPI_API_KEY: KEY },
    answer: asSerpapi,
    keyIn: ({ url }) => url.searchParams.get('api_key'),
    parameterIn: ({ url }, name) => url.searchParams.get(name),
    variable: 'SERPAPI_API_KEY',
  },
]
