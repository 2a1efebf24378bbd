import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_DELETED_PATHS } from '../../core/limits/workspace.ts'
import { FILES_ROOT, field, say, tool } from '../../core/saying/saying.ts'
import { isWithin, ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { oneOrMoreTexts, onePath, optional } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { whatExists } from '../what-exists.ts'
import { requireEnvironmentStays } from './environment-stays.ts'

/** Deletes one thing, or several together. Source: Tool Server, tools/file_tools, FileDeleteTool, which deletes one. */
export const fileDelete = defineTool({
  name: 'file_delete',
  description:
    'Delete a file, or a directory with all that is in it; not the task root, nor code_env/. Several by file_paths: all or, ' +
    'if one cannot be deleted, none. Runs without a sandbox. Returns deleted (the path, or the list of them) and type.',
  effect: 'write',
  uses: ['workspace'],
  input: z.object({
    file_path: optional(onePath).describe('File or directory, relative to the task root. Required without file_paths'),
    file_paths: optional(oneOrMoreTexts).describe(
      `Several of them in the place of file_path, at most ${MAX_DELETED_PATHS}. Default: one`,
    ),
  }),

  async run({ file_path, file_paths = [] }, { ports: { workspace } }) {
    if (file_paths.length > MAX_DELETED_PATHS)
      fail('limit_exceeded', `at most ${MAX_DELETED_PATHS} paths are deleted at once (MAX_DELETED_PATHS)`)
    const named = [...new Set([...(file_path === undefined ? [] : [file_path]), ...file_paths])]
    if (named.length === 0) fail('invalid_input', say`missing required parameter: ${field('file_path')}`)
    const found: Deleted[] = []
    for (const given of named) found.push(await deletable(workspace, given))
    // What lies in another one of them goes with it.
    const tops = found.filter(({ path }) => !found.some((other) => other.path !== path && isWithin(path, other.path)))
    await workspace.commit(tops.map(({ path }) => ({ op: 'remove', path })))
    const [only, ...others] = found
    const isOne = file_paths.length === 0 || (others.length === 0 && file_path === undefined)
    return {
      text: found.map(({ given, type }) => `deleted ${type} ${given}`).join('\n'),
      data: isOne
        ? { deleted: only?.given, type: only?.type }
        : { deleted: found.map(({ given }) => given), type: typeOf(found) },
    }
  },
})

interface Deleted {
  readonly given: string
  readonly path: WorkspacePath
  readonly type: 'file' | 'directory'
}

/** Kind of several things: that of each, or both words. */
const typeOf = (found: readonly Deleted[]) => [...new Set(found.map(({ type }) => type))].join(' and ')

/** Entry at a path that can be deleted. @throws FailureError for another one */
async function deletable(workspace: Workspace, given: string): Promise<Deleted> {
  const path = callerPath(workspace, given)
  if (path === ROOT) fail('forbidden', say`the ${FILES_ROOT} itself cannot be deleted; name what is in it`)
  requireEnvironmentStays(path, 'remove')
  const entry = workspace.stat(path)
  if (!entry) {
    const advice = /[*?]/.test(given) ? NO_WILDCARDS : await whatExists(workspace, path)
    fail('not_found', say`File not found: ${given}; ${advice}`)
  }
  return { given, path, type: entry.kind === 'directory' ? 'directory' : 'file' }
}

const NO_WILDCARDS = say`wildcards are not taken; ${tool('file_glob')} lists the files, and ${field('file_paths')} deletes several`
