import { KEY } from '../support/provider-bench.ts'

/** A service that searches papers, as it answers a server that has its settings. */
export interface ScholarStandIn {
  /** As `src/adapters/providers.ts` has it. */
  readonly provider: string
  /** As its pages name it. */
  readonly source: string
  /** Those that end in `_BASE_URL` need not be here. */
  readonly settings: Readonly<Record<string, string>>
  /** A page that has {@link PAPER} alone, as JSON. */
  readonly answer: unknown
  /** Path and body of the request for the second page of `a b` from 2020 to 2024. */
  readonly expectedRequest: string
}

export const PAPER = {
  title: 'Attention',
  url: 'https://papers.example/1',
  authors: 'A Vaswani, N Shazeer - NeurIPS',
  year: 2017,
  abstract: 'We propose the Transformer',
  cited_by: 9,
  pdf_url: 'https://papers.example/1.pdf',
}
const OPENALEX = {
  results: [
    {
      id: 'https://openalex.org/W1',
      doi: null,
      display_name: PAPER.title,
      publication_year: 2017,
      cited_by_count: 9,
      authorships: [{ author: { display_name: 'A Vaswani' } }, { author: { display_name: 'N Shazeer' } }],
      primary_location: { landing_page_url: PAPER.url, pdf_url: PAPER.pdf_url, source: { display_name: 'NeurIPS' } },
      abstract_inverted_index: { the: [2], We: [0], Transformer: [3], propose: [1] },
    },
  ],
}
export const SEMANTIC = {
  data: [
    {
      title: PAPER.title,
      url: PAPER.url,
      authors: [{ name: 'A Vaswani' }, { name: 'N Shazeer' }],
      venue: 'NeurIPS',
      year: 2017,
      abstract: PAPER.abstract,
      citationCount: 9,
      openAccessPdf: { url: PAPER.pdf_url },
    },
  ],
}
export const SCHOLAR_STAND_INS: readonly ScholarStandIn[] = [
  {
    provider: 'serper',
    source: 'Google Scholar (Serper)',
    settings: { SERPER_API_KEY: KEY },
    answer: {
      organic: [
        {
          title: PAPER.title,
          link: PAPER.url,
          publicationInfo: PAPER.authors,
          snippet: PAPER.abstract,
          year: 2017,
          citedBy: 9,
          pdfUrl: PAPER.pdf_url,
        },
      ],
    },
    expectedRequest: '/scholar {"q":"a b","page":2,"as_ylo":2020,"as_yhi":2024}',
  },
  {
    provider: 'serpapi',
    source: 'Google Scholar (SerpAPI)',
    settings: { SERPAPI_API_KEY: KEY },
    answer: {
      organic_results: [
        {
          title: PAPER.title,
          link: PAPER.url,
          snippet: PAPER.abstract,
          publication_info: { summary: 'A Vaswani - NeurIPS, 2017 - proceedings.neurips.cc' },
          inline_links: { cited_by: { total: 9 } },
          resources: [{ link: PAPER.pdf_url, file_format: 'PDF' }],
        },
      ],
    },
    expectedRequest: `/search.json?engine=google_scholar&q=a+b&start=10&as_ylo=2020&as_yhi=2024&api_key=${KEY} `,
  },
  {
    provider: 'openalex',
    source: 'OpenAlex',
    settings: {},
    answer: OPENALEX,
    expectedRequest:
      '/works?search=a+b&page=2&per-page=10&select=id%2Cdoi%2Cdisplay_name%2Cpublication_year%2Ccited_by_count%2Cauthorships%2Cprimary_location%2Cabstract_inverted_index&filter=from_publication_date%3A2020-01-01%2Cto_publication_date%3A2024-12-31 ',
  },
  {
    provider: 'semanticscholar',
    source: 'Semantic Scholar',
    settings: { SCHOLAR_PROVIDER: 'semanticscholar' },
    answer: SEMANTIC,
    expectedRequest:
      '/graph/v1/paper/search?query=a+b&offset=10&limit=10&fields=title%2Curl%2Cauthors%2Cvenue%2Cyear%2Cabstract%2CcitationCount%2CopenAccessPdf&year=2020-2024 ',
  },
]
