import * as z from 'zod'
import type { ScholarArticle } from '../../ports/scholar-index.ts'
import { integer, optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { optionalWord } from './scholar-arguments.ts'
import { scholarKey } from './scholar-key.ts'

/** Number of articles, as in Lagent's own action. */
const MAX_ARTICLES = 3

/**
 * Searches articles. Source: Lagent, actions/google_scholar_search.py, search_google_scholar. Its description promises
 * `pub_info`, which it forgets to return; here it is returned. An article that lacks a field does not fail the others.
 */
export const scholarArticles = defineTool({
  name: 'scholar_articles',
  description:
    `Search Google Scholar with its own filters, by a service. Returns of the ${MAX_ARTICLES} best articles titles, ` +
    'citation counts, ids (for scholar_citation), publication and snippets, as lists of the same order. For more results ' +
    'use google_scholar_search.',
  effect: 'fetch',
  uses: ['scholarIndex', 'secrets'],
  input: z.object({
    query: requiredText.describe('What to search for'),
    cites: optionalWord.describe('Id of an article: only those that cite it. Default: all'),
    as_ylo: optional(integer).describe('First year, e.g. 2020. Default: any'),
    as_yhi: optional(integer).describe('Last year, e.g. 2024. Default: any'),
    scisbd: optional(integer).describe(
      'Articles of the last year by date: 1 abstracts only, up to 2 everything. Default: by relevance',
    ),
    cluster: optionalWord.describe('Id of an article: all its versions. Default: any article'),
    hl: optionalWord.describe('Language of the interface, e.g. en. Default: that of the service'),
    lr: optionalWord.describe('Languages of the results, e.g. "lang_fr|lang_de". Default: all'),
    start: optional(integer).describe('Results to skip, from 0: 10 is the second page. Default 0'),
    num: optional(integer).describe('Results of a page, at most 20. Default: as many as the service gives'),
    as_sdt: optionalWord.describe('Kind of search, or a filter: 0 without patents, 7 with, 4 case law. Default 0'),
    safe: optionalWord.describe('Filter of adult content: active or off. Default: that of the service'),
    filter: optionalWord.describe('Similar and omitted results: 1 filtered, 0 shown. Default 1'),
    as_vis: optionalWord.describe('Citations: 1 left out, 0 included. Default 0'),
  }),

  async run({ query, ...parameters }, { ports: { scholarIndex, secrets }, signal }) {
    const request = { parameters, key: await scholarKey(secrets) }
    const articles = (await scholarIndex.articles(query, request, signal)).slice(0, MAX_ARTICLES)
    return {
      text: articles.length > 0 ? articles.map(shown).join('\n\n') : `no articles found for ${query}; try other words`,
      data: {
        title: articles.map(({ title }) => title),
        cited_by: articles.map(({ citedBy }) => citedBy ?? ''),
        organic_id: articles.map(({ id }) => id),
        pub_info: articles.map(({ publication }) => publication),
        snippets: articles.map(({ snippet }) => snippet),
      },
    }
  },
})

const shown = ({ id, title, publication, citedBy, snippet }: ScholarArticle) =>
  [`${title} (id ${id}${citedBy === null ? '' : `, cited by ${citedBy}`})`, publication, snippet]
    .filter((line) => line !== '')
    .join('\n')
