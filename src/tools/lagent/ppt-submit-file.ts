import * as z from 'zod'
import { defineTool } from '../define.ts'
import { begunDeck } from './deck-file.ts'

/**
 * Ends a presentation. Source: Lagent, actions/ppt.py, submit_file. There this writes the file; here it only answers that
 * the file is whole.
 */
export const pptSubmitFile = defineTool({
  name: 'ppt_submit_file',
  description:
    'Say that the presentation is done. Runs without a sandbox. Returns status, with its path. More pages can be added ' +
    'afterwards.',
  effect: 'read',
  uses: ['notes', 'workspace'],
  input: z.object({}),

  async run(_input, { ports }) {
    const { location, path } = begunDeck(ports)
    return { text: `the presentation is in ${path}`, data: { status: `submitted. view ppt at ${location}` } }
  },
})
