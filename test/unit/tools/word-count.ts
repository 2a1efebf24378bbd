import { z } from 'zod'
import { requiredText } from '../../../src/tools/arguments.ts'
import { defineTool } from '../../../src/tools/define.ts'
import { readTextFile } from '../../../src/tools/files/text-file.ts'

/** Source: where its behaviour was read, e.g. a published document; what differs on purpose. */
export const wordCount = defineTool({
  name: 'word_count',
  description: 'Count the words of a text file of the task.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({ file_path: requiredText.describe('Path relative to the task root, e.g. "notes.md"') }),

  async run({ file_path }, { ports: { workspace } }) {
    const { text } = await readTextFile(workspace, file_path)
    const words = text.split(/\s+/).filter((word) => word !== '').length
    return { text: `${file_path} has ${words} words`, data: { file_path, words } }
  },
})
