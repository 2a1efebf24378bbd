import { z } from 'zod'
import { optional } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { counts, k, m, query } from './search-arguments.ts'
import { foundPapers } from './wording.ts'

/** Year: `"2023"`, `2023`, `" 2023 "`; an empty text is none. */
const year = z.preprocess(
  (given) => (typeof given === 'number' || typeof given === 'string' ? `${given}`.trim() || undefined : given),
  optional(z.string().regex(/^\d{4}$/, 'must be a year of four digits, e.g. "2023"')),
)

/** Source: Tool Server, published document, 24. */
export const ragSearchAbstractsFiltered = defineTool({
  name: 'rag_search_abstracts_filtered',
  description:
    'Search papers of one year by their titles and abstracts. Returns the same as rag_search_abstracts; without a year ' +
    'it is the same search.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({
    query,
    k,
    m: m(5),
    publish_year_filter: year.optional().describe('Only papers of this year, e.g. "2023"'),
  }),

  async run({ query, publish_year_filter: year, ...limits }, { ports: { papers }, signal }) {
    const found = await papers.searchAbstracts({ query, ...counts(limits), ...(year && { year }) }, signal)
    return foundPapers(found, year ? `${query} (${year})` : query)
  },
})
