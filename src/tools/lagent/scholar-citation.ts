import * as z from 'zod'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { ignoredFlag, ignoredWord, noCache } from './scholar-arguments.ts'
import { scholarKey } from './scholar-key.ts'

/** Source: Lagent, actions/google_scholar_search.py, get_citation_format. */
export const scholarCitation = defineTool({
  name: 'scholar_citation',
  description: 'Get how to cite an article of Google Scholar, by a service. Returns citation, in MLA style.',
  effect: 'fetch',
  uses: ['scholarIndex', 'secrets'],
  input: z.object({
    q: requiredText.describe('Id of the article, from organic_id of scholar_articles'),
    no_cache: noCache,
    async_: ignoredFlag,
    output: ignoredWord,
  }),

  async run({ q, no_cache }, { ports: { scholarIndex, secrets }, signal }) {
    const request = { parameters: { no_cache }, key: await scholarKey(secrets) }
    const citation = await scholarIndex.citation(q, request, signal)
    return { text: citation, data: { citation } }
  },
})
