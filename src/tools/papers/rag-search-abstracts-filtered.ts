import * as z from 'zod'
import { optional } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { counts, limits, query } from './search-arguments.ts'
import { foundPapers, withNote } from './wording.ts'

const RESULTS = 5

const ONE_YEAR = 'must be a year of four digits, e.g. "2023"'
/** Year: `"2023"`, `2023`, `" 2023 "`; an empty text is none. */
const year = z.preprocess(
  (given) => (typeof given === 'number' || typeof given === 'string' ? `${given}`.trim() || undefined : given),
  optional(
    z.string().regex(/^\d{4}$/, {
      error: ({ input }) =>
        /^\d{4} ?[-–,] ?\d{4}$/.test(String(input)) ? `${ONE_YEAR}; make a call for each` : ONE_YEAR,
    }),
  ),
)

/** Source: Tool Server, published document, 24. */
export const ragSearchAbstractsFiltered = defineTool({
  name: 'rag_search_abstracts_filtered',
  description:
    'Find papers of one year by their titles and abstracts, on the server. Returns what rag_search_abstracts returns, and ' +
    'takes the same arguments; without publish_year_filter it is the same search. Papers without a known year are left out.',
  effect: 'fetch',
  uses: ['papers'],
  input: z.object({
    query,
    ...limits('papers', RESULTS),
    publish_year_filter: year
      .optional()
      .describe('Year that the papers are from, four digits, e.g. "2023". Default: any year'),
  }),

  async run({ query, publish_year_filter: year, ...given }, { ports: { papers }, signal }) {
    const { note, ...numbers } = counts(given, RESULTS)
    const found = await papers.searchAbstracts({ query, ...numbers, ...(year && { year }) }, signal)
    return foundPapers(withNote(found, numbers.m, note), query, year)
  },
})
