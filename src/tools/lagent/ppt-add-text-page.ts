import * as z from 'zod'
import { textPage } from '../../documents/deck/pages.ts'
import { defineTool } from '../define.ts'
import { addPage, bulletItems, bulletsOf, checkedTitle } from './deck-file.ts'

/** Source: Lagent, actions/ppt.py, add_text_page. */
export const pptAddTextPage = defineTool({
  name: 'ppt_add_text_page',
  description:
    'Add a page (slide) with a title and bullets to the presentation that was begun by ppt_create_file. Runs without a ' +
    'sandbox. Returns status.',
  effect: 'write',
  uses: ['notes', 'workspace'],
  input: z.object({
    title: z.string().describe('Title of the page; may be empty'),
    bullet_items: bulletItems,
  }),

  async run({ title, bullet_items }, { ports }) {
    return addPage(ports, textPage(checkedTitle(title, 'title'), bulletsOf(bullet_items)))
  },
})
