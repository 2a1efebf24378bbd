import * as z from 'zod'
import { MAX_PAGE_TEXT_CHARS } from '../../core/limits/web.ts'
import { oneUrl } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { pageText } from './page-text.ts'

/**
 * Reads a page. Source: XAgent ToolServer, core/envs/web.py, browse_website; unlike there, menus and the like are left out
 * of the text.
 */
export const pageRead = defineTool({
  name: 'page_read',
  description:
    'Read a web page, or a document behind a URL, from the server. Returns its text without navigation, at most ' +
    `${MAX_PAGE_TEXT_CHARS} characters, then the links of the page. Nothing is kept; crawl_page keeps a page as a file.`,
  effect: 'fetch',
  uses: ['browser', 'http', 'reader'],
  input: z.object({ url: oneUrl.describe('http or https URL of the page') }),

  async run({ url }, { ports, signal }) {
    const text = await pageText(url, ports, signal)
    return { text, data: { url, content: text } }
  },
})
