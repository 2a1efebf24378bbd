import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { FILES_ROOT, say, tool } from '../../core/saying/saying.ts'
import { ROOT } from '../../core/workspace-path.ts'
import { onePath } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { whatExists } from '../what-exists.ts'
import { requireEnvironmentStays } from './environment-stays.ts'

/** Source: Tool Server, tools/file_tools, FileDeleteTool. */
export const fileDelete = defineTool({
  name: 'file_delete',
  description:
    'Delete a file, or a directory with all that is in it; not the task root, nor code_env/. Runs without a sandbox. ' +
    'Returns deleted (the path) and type.',
  effect: 'write',
  uses: ['workspace'],
  input: z.object({ file_path: onePath.describe('File or directory, relative to the task root') }),

  async run({ file_path }, { ports: { workspace } }) {
    const path = callerPath(workspace, file_path)
    if (path === ROOT) fail('forbidden', say`the ${FILES_ROOT} itself cannot be deleted; name what is in it`)
    requireEnvironmentStays(path, 'remove')
    const entry = workspace.stat(path)
    if (!entry) {
      const advice = /[*?]/.test(file_path) ? NO_WILDCARDS : await whatExists(workspace, path)
      fail('not_found', say`File not found: ${file_path}; ${advice}`)
    }
    await workspace.commit([{ op: 'remove', path }])
    const type = entry.kind === 'directory' ? 'directory' : 'file'
    return { text: `deleted ${type} ${file_path}`, data: { deleted: file_path, type } }
  },
})

const NO_WILDCARDS = say`wildcards are not taken; ${tool('dir_list')} shows the files, and a call deletes one of them`
