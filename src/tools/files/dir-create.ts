import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { absolutePath } from '../../core/workspace-path.ts'
import { requiredText } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'

/** Source: Tool Server, tools/file_tools, DirCreateTool. */
export const dirCreate = defineTool({
  name: 'dir_create',
  description:
    'Create a directory, and those on the way to it. One that exists already is left as it is. Runs without a sandbox. ' +
    'Returns created (the path). The tools that write files make directories by themselves.',
  effect: 'write',
  uses: ['workspace'],
  input: z.object({ dir_path: requiredText.describe('Path relative to the task root, e.g. "upload/data/raw"') }),

  async run({ dir_path }, { ports: { workspace } }) {
    const path = callerPath(workspace, dir_path)
    const standing = workspace.stat(path)
    if (standing && standing.kind !== 'directory') fail('conflict', `[Errno 17] File exists: '${dir_path}'`)
    if (!standing) await workspace.commit([{ op: 'mkdir', path }])
    return { text: `directory ${dir_path} is there`, data: { created: dir_path, container_path: absolutePath(path) } }
  },
})
