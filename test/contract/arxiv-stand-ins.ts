import type { StandInAnswer, StandInRequest } from '../support/stand-in.ts'

/** A service that searches arXiv, as it answers a server that has its settings. */
export interface ArxivStandIn {
  /** As `src/adapters/providers.ts` has it. */
  readonly provider: string
  /** As errors name it. */
  readonly name: string
  /** An empty one is the stand-in's URL; those that end in `_BASE_URL` need not be here. */
  readonly settings: Readonly<Record<string, string>>
  /** Has no end of papers for any query but `none`, which has none, and `ti:(`, which it does not take. */
  readonly answer: (request: StandInRequest) => StandInAnswer
  /** The request of a search for three papers of `a b`. */
  readonly expectedPath: string
}

/** The n-th of all papers. */
export const paper = (at: number) => ({
  title: `Attention & need ${at}`,
  authors: [`A${at} Vaswani`, 'N Shazeer'],
  summary: `Of ${at} < 9.`,
  updated: '2017-08-02T00:41:18Z',
})

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const entry = (at: number) => {
  const { title, authors, summary, updated } = paper(at)
  return `<entry>
  <id>http://arxiv.org/abs/1706.0${at}v7</id><updated>${updated}</updated>
  <title>${escaped(title).replace(' ', '\n  ')}</title><summary>\n  ${escaped(summary)}\n</summary>
  ${authors.map((name) => `<author><name>${name}</name></author>`).join('')}
</entry>`
}

const feed = (entries: readonly string[], status = 200): StandInAnswer => ({
  status,
  headers: { 'content-type': 'application/atom+xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv</title>${entries.join('')}</feed>`,
})

const WRONG = `<entry><id>http://arxiv.org/api/errors#incorrect</id><title>Error</title><summary>malformed query</summary></entry>`

function asArxiv({ url }: StandInRequest): StandInAnswer {
  const query = url.searchParams.get('search_query')
  if (query === 'ti:(') return feed([WRONG], 400)
  if (query === 'none') return feed([])
  return feed(Array.from({ length: Number(url.searchParams.get('max_results')) }, (_, at) => entry(at)))
}

export const ARXIV_STAND_INS: readonly ArxivStandIn[] = [
  {
    provider: 'atom',
    name: 'arXiv',
    settings: {},
    answer: asArxiv,
    expectedPath: '/api/query?search_query=a+b&start=0&max_results=3',
  },
]
