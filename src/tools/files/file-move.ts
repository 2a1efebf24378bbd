import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { FILES_ROOT, field, say } from '../../core/saying/saying.ts'
import { baseName, isWithin, joinPath, ROOT } from '../../core/workspace-path.ts'
import { flag, withDefault } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { whatExists } from '../what-exists.ts'
import { requireEnvironmentStays } from './environment-stays.ts'
import { goesInside, refuseReplacing } from './goes-inside.ts'

/** Moves by the rules of Python's `shutil.move`. Source: Tool Server, tools/file_tools, FileMoveTool. */
export const fileMove = defineTool({
  name: 'file_move',
  description:
    'Move or rename a file or directory; directories on the way are made. Where dest_path is an existing directory, or for a file ends with /, it moves ' +
    'inside, unless that has one of the same name; an existing file at dest_path is replaced. Runs without a sandbox. Returns ' +
    'moved_from and moved_to, where it is now.',
  effect: 'write',
  uses: ['workspace'],
  input: z
    .object({
      src_path: z.string().describe('What to move, relative to the task root'),
      dest_path: z.string().describe('New path, or a directory to move it into, relative to the task root'),
      overwrite: withDefault(flag, true).describe('False to refuse where something stands there already. Default true'),
    })
    .refine(({ src_path, dest_path }) => src_path !== '' && dest_path !== '', {
      params: { parts: say`${field('src_path')} and ${field('dest_path')} are required` },
    }),

  async run({ src_path, dest_path, overwrite }, { ports: { workspace } }) {
    const from = callerPath(workspace, src_path)
    if (from === ROOT) fail('forbidden', say`the ${FILES_ROOT} itself cannot be moved; name what is in it`)
    requireEnvironmentStays(from, 'remove')
    const source = workspace.stat(from)
    if (!source) fail('not_found', say`Source not found: ${src_path}; ${await whatExists(workspace, from)}`)

    const dest = callerPath(workspace, dest_path)
    const inside = from !== dest && goesInside(workspace, source, dest, dest_path)
    const to = inside ? joinPath(dest, baseName(from)) : dest
    requireEnvironmentStays(to, 'move into')
    const standing = workspace.stat(to)
    if (inside && standing) fail('conflict', `Destination path '${to}' already exists; delete it or choose another`)
    if (!overwrite && standing && from !== to) refuseReplacing(to)
    if (from !== to) {
      if (isWithin(to, from)) fail('conflict', `Cannot move a directory '${src_path}' into itself '${dest_path}'.`)
      if (source.kind === 'directory' && standing) {
        fail('conflict', `[Errno 20] Not a directory: '${dest_path}'; a file stands there`)
      }
      await workspace.commit([{ op: 'move', from, to }])
    }
    const replaced = standing !== null && from !== to
    return {
      text: `moved ${src_path} to ${to}${replaced ? ', replacing what stood there' : ''}`,
      data: { moved_from: src_path, moved_to: inside ? to : dest_path, ...(replaced && { replaced }) },
    }
  },
})
