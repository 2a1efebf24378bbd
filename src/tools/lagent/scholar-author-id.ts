import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { ignoredFlag, ignoredWord, noCache, optionalWord } from './scholar-arguments.ts'
import { scholarKey } from './scholar-key.ts'

/** Source: Lagent, actions/google_scholar_search.py, get_author_id. */
export const scholarAuthorId = defineTool({
  name: 'scholar_author_id',
  description:
    "Find an author's id at Google Scholar by name, by a service. Returns author_id, of the first of that name, for " +
    'scholar_author.',
  effect: 'fetch',
  uses: ['scholarIndex', 'secrets'],
  input: z.object({
    mauthors: requiredText.describe('Name of the author, e.g. "Geoffrey Hinton"'),
    hl: optionalWord.describe('Language of the interface. Default en'),
    after_author: optionalWord.describe('Token of the next page. Default: the first page'),
    before_author: optionalWord.describe('Token of the page before. Default: none'),
    no_cache: noCache,
    _async: ignoredFlag,
    output: ignoredWord,
  }),

  async run(
    { mauthors, hl = 'en', after_author, before_author, no_cache },
    { ports: { scholarIndex, secrets }, signal },
  ) {
    const request = { parameters: { hl, after_author, before_author, no_cache }, key: await scholarKey(secrets) }
    const [author_id] = await scholarIndex.authorIds(mauthors, request, signal)
    if (author_id === undefined) fail('not_found', `Google Scholar knows no author called ${mauthors.slice(0, 100)}`)
    return { text: author_id, data: { author_id } }
  },
})
