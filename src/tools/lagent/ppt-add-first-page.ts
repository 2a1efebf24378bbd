import * as z from 'zod'
import { firstPage } from '../../documents/deck/pages.ts'
import { defineTool } from '../define.ts'
import { addPage, checkedTitle } from './deck-file.ts'

/** Source: Lagent, actions/ppt.py, add_first_page. */
export const pptAddFirstPage = defineTool({
  name: 'ppt_add_first_page',
  description:
    'Add a title page, the cover of the slides, with a large title and a subtitle, to the presentation that was begun by ' +
    'ppt_create_file. Runs without a sandbox. Returns status.',
  effect: 'write',
  uses: ['notes', 'workspace'],
  input: z.object({
    title: z.string().describe('Title of the presentation; may be empty'),
    subtitle: z.string().describe('What stands below it, e.g. author and date; may be empty'),
  }),

  async run({ title, subtitle }, { ports }) {
    return addPage(ports, firstPage(checkedTitle(title, 'title'), checkedTitle(subtitle, 'subtitle')))
  },
})
