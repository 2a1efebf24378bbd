import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_BROWSER_SELECTED } from '../../core/limits/web.ts'
import { integer } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { lastFound } from './browser-results.ts'
import { pageOrReason } from './page-or-reason.ts'

/** Length of a page's text, as in Lagent's own browser. */
const MAX_CONTENT_CHARS = 8_192

/** Indices of results. Models also write one number, or a list as text. */
const indices = z.preprocess(
  (given) => {
    if (typeof given === 'number') return [given]
    return typeof given === 'string' && /^[\s\d,[\]]{1,200}$/.test(given) ? given.match(/\d+/g) : given
  },
  z.array(integer.pipe(z.int().min(0)), 'must be a list of indices, e.g. [0, 2]').min(1),
)

/**
 * Reads selected results. Source: Lagent, actions/web_browser.py, select. Unlike there, a page that cannot be read is
 * shown, with the reason.
 */
export const browserSelect = defineTool({
  name: 'browser_select',
  description:
    'Read results of the last browser_search by their index, from the web. Returns url, title and content (its first ' +
    `${MAX_CONTENT_CHARS} characters) of each, or the error why it cannot be read.`,
  effect: 'fetch',
  uses: ['browser', 'http', 'notes', 'reader'],
  input: z.object({
    select_ids: indices.describe(`Indices of results, ${MAX_BROWSER_SELECTED} at most, e.g. [0, 2]`),
  }),

  async run({ select_ids }, { ports, signal }) {
    const found = lastFound(ports.notes)
    if (!found || found.length === 0) fail('not_found', 'No search results to select from. Call search first.')
    const chosen = [...new Set(select_ids)]
    if (chosen.length > MAX_BROWSER_SELECTED) {
      fail(
        'limit_exceeded',
        `${chosen.length} results are too many; select at most ${MAX_BROWSER_SELECTED} (MAX_BROWSER_SELECTED)`,
      )
    }
    const missing = (index: number) => `there is no result ${index}; the last search found 0 to ${found.length - 1}`
    if (chosen.every((index) => !found[index])) fail('not_found', missing(chosen[0] ?? 0))
    const pages = await Promise.all(
      chosen.map(async (index) => {
        const result = found[index]
        if (!result) return [`${index}`, { error: missing(index) }] as const
        const { url, title } = result
        const page = await pageOrReason(url, ports, signal)
        const read = 'error' in page ? page : { content: page.content.slice(0, MAX_CONTENT_CHARS).toWellFormed() }
        return [`${index}`, { url, title, ...read }] as const
      }),
    )
    return {
      text: pages
        .map(([index, page]) => {
          if (!('url' in page)) return page.error
          const shown = 'error' in page ? `cannot be read: ${page.error}` : page.content
          return `[${index}] ${page.title}\n${page.url}\n${shown}`
        })
        .join('\n\n'),
      data: Object.fromEntries(pages),
    }
  },
})
