import * as z from 'zod'
import { integer, optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { ignoredFlag, ignoredWord, noCache, optionalWord } from './scholar-arguments.ts'
import { scholarKey } from './scholar-key.ts'

/** Number of articles, as in Lagent's own action. */
const MAX_ARTICLES = 3

/** Source: Lagent, actions/google_scholar_search.py, get_author_information. */
export const scholarAuthor = defineTool({
  name: 'scholar_author',
  description:
    'Look up an author of Google Scholar by id (scholar_author_id finds it), by a service. Returns name, affiliations, ' +
    `website and ${MAX_ARTICLES} articles.`,
  effect: 'fetch',
  uses: ['scholarIndex', 'secrets'],
  input: z.object({
    author_id: requiredText.describe('Id of the author, e.g. LSsXyncAAAAJ'),
    hl: optionalWord.describe('Language of the interface, e.g. en. Default: that of the service'),
    view_op: optionalWord.describe('Part of the page: "view_citation" or "list_colleagues". Default: the articles'),
    sort: optionalWord.describe('Order of the articles: title or pubdate. Default: by citations'),
    citation_id: optionalWord.describe('Id of one article, with view_op "view_citation". Default: all articles'),
    start: optional(integer).describe('Articles to skip, from 0. Default 0'),
    num: optional(integer).describe('Articles of a page, at most 100. Default 20'),
    no_cache: noCache,
    async_req: ignoredFlag,
    output: ignoredWord,
  }),

  async run({ author_id, async_req, output, ...parameters }, { ports: { scholarIndex, secrets }, signal }) {
    const request = { parameters, key: await scholarKey(secrets) }
    const { name, affiliations, website, articles: all } = await scholarIndex.author(author_id, request, signal)
    const articles = all.slice(0, MAX_ARTICLES).map(({ title, authors }) => ({ title, authors }))
    return {
      text: [name, affiliations, website, ...articles.map(({ title, authors }) => `- ${title} (${authors})`)]
        .filter((line) => line !== '')
        .join('\n'),
      data: { name, affiliations, website, articles },
    }
  },
})
