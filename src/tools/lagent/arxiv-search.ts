import * as z from 'zod'
import { FailureError, fail, messageParts } from '../../core/failure.ts'
import { say } from '../../core/saying/saying.ts'
import type { ArxivPaper } from '../../ports/arxiv.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'

/** Default number of papers of Lagent's own action. */
const MAX_PAPERS = 3
const MAX_QUERY_CHARS = 300
const MAX_SUMMARY_CHARS = 1_500

/** Source: Lagent, actions/arxiv_search.py, get_arxiv_article_information. */
export const arxivSearch = defineTool({
  name: 'arxiv_search',
  description:
    'Search arXiv by its API. The query may be plain words, or use fields: ti:attention AND au:vaswani. Returns date, ' +
    `title, authors and abstract of the ${MAX_PAPERS} best papers. Longer lists and whole texts: google_scholar_search, ` +
    'rag_search_abstracts.',
  effect: 'fetch',
  uses: ['arxiv'],
  input: z.object({ query: requiredText.describe(`What to search for; ${MAX_QUERY_CHARS} characters are used`) }),

  async run({ query }, { ports: { arxiv }, signal }) {
    const words = query.slice(0, MAX_QUERY_CHARS).toWellFormed()
    const papers = await arxiv.search(words, MAX_PAPERS, signal).catch(namingArxiv)
    const content = papers.length > 0 ? papers.map(shown).join('\n\n') : 'No good Arxiv Result was found'
    return { text: content, data: { content } }
  },
})

const shown = ({ updated, title, authors, summary }: ArxivPaper) =>
  `Published: ${updated.slice(0, 10)}\nTitle: ${title}\nAuthors: ${authors.join(', ')}\nSummary: ${summary.slice(0, MAX_SUMMARY_CHARS).toWellFormed()}`

function namingArxiv(thrown: unknown): never {
  if (!(thrown instanceof FailureError)) throw thrown
  return fail(thrown.failure.code, say`Arxiv exception: ${messageParts(thrown.failure)}`, { cause: thrown })
}
