import * as z from 'zod'
import { fail } from '../../../src/core/failure.ts'
import { say, tool } from '../../../src/core/saying/saying.ts'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { requiredText } from '../../../src/tools/arguments.ts'
import { defineTool } from '../../../src/tools/define.ts'

/** Source: where its behaviour was read, e.g. a published document; what differs on purpose. */
export const wordCount = defineTool({
  name: 'word_count',
  description: 'Count the words of a text file of the task. Runs without a sandbox. Returns words.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({ file_path: requiredText.describe('Path relative to the task root, e.g. "notes.md"') }),

  async run({ file_path }, { ports: { workspace } }) {
    const content = await workspace.read(workspacePath(file_path))
    if (!content) fail('not_found', say`File not found: ${file_path}; ${tool('dir_list')} shows what exists`)
    const text = new TextDecoder().decode(content)
    const words = text.split(/\s+/).filter((word) => word !== '').length
    return { text: `${file_path} has ${words} words`, data: { file_path, words } }
  },
})
