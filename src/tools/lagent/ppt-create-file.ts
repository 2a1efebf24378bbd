import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { field, say } from '../../core/saying/saying.ts'
import { workspacePath } from '../../core/workspace-path.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { beginDeck } from './deck-file.ts'

/** Creates a presentation, which is a whole file from now on, after each page. Source: Lagent, actions/ppt.py, create_file. */
export const pptCreateFile = defineTool({
  name: 'ppt_create_file',
  description:
    'Begin a PowerPoint presentation (.pptx). Add its pages, the slides, with ppt_add_first_page, ppt_add_text_page and ' +
    'ppt_add_text_image_page; they go into the presentation that was begun last. What stood there is replaced. Runs without ' +
    'a sandbox. Returns status.',
  effect: 'write',
  uses: ['notes', 'workspace'],
  input: z.object({
    theme: requiredText.describe('How it looks: "Default" is the only one'),
    abs_location: requiredText.describe('Path of the file, relative to the task root, e.g. "/slides/talk.pptx"'),
  }),

  async run({ theme, abs_location }, { ports }) {
    if (theme !== 'Default') fail('invalid_input', `there is no theme ${theme.slice(0, 100)}; give "Default"`)
    const location = fileLocation(abs_location)
    await beginDeck(ports, location)
    return {
      text: `began ${workspacePath(location)}; add its pages now`,
      data: { status: 'created a ppt file.' },
    }
  },
})

function fileLocation(given: string): string {
  const name = given.slice(given.lastIndexOf('/') + 1).trim()
  if (/^(?:\.*|\.pptx?)$/i.test(name)) {
    fail(
      'invalid_input',
      say`${field('abs_location')} ${JSON.stringify(given.slice(0, 100))} names no file; give e.g. "/slides/talk.pptx"`,
    )
  }
  return /\.pptx$/i.test(given) ? given : `${given.replace(/\.ppt$/i, '')}.pptx`
}
