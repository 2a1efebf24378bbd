import * as z from 'zod'
import { oneUrl } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { pageOrReason } from './page-or-reason.ts'

/** Opens a page. Source: Lagent, actions/web_browser.py, open_url: a page that cannot be read is an answer, too. */
export const browserOpenUrl = defineTool({
  name: 'browser_open_url',
  description:
    'Read a web page, or a document behind a URL, from the server. Returns its text without navigation, then its links; where it ' +
    'cannot be read, the error.',
  effect: 'fetch',
  uses: ['browser', 'http', 'reader'],
  input: z.object({ url: oneUrl.describe('http or https URL of the page') }),

  async run({ url }, { ports, signal }) {
    const page = await pageOrReason(url, ports, signal)
    if ('error' in page) return { text: `${url} cannot be read: ${page.error}`, data: { error: page.error } }
    return { text: page.content, data: { type: 'text', content: page.content } }
  },
})
