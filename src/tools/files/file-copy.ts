import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { baseName, isWithin, joinPath, ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { type Change, changeMaking, type Workspace, type WorkspaceEntry } from '../../ports/workspace.ts'
import { flag, withDefault } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { whatExists } from '../what-exists.ts'
import { goesInside, refuseReplacing } from './goes-inside.ts'

/**
 * Copies a file or directory by the rules of Python's `shutil.copy2` and `shutil.copytree`. A copy shares its content, so
 * it costs no bytes.
 * Source: Tool Server of October 2025, tools/file_tools, FileCopyTool.
 */
export const fileCopy = defineTool({
  name: 'file_copy',
  description:
    'Copy a file or a directory with all that is in it; directories on the way are made. A file keeps its extension, ' +
    'but for one more (.bak), replaces one that stands there, and goes into an existing directory, or one named with / at the end; a directory is merged into one that stands there. ' +
    'Runs without a sandbox. Returns copied_from and copied_to.',
  effect: 'write',
  uses: ['workspace'],
  input: z
    .object({
      src_path: z.string().describe('What to copy, relative to the task root'),
      dest_path: z
        .string()
        .describe('Path of the copy, relative to the task root; of a file also a directory to put it into'),
      overwrite: withDefault(flag, true).describe('False to refuse where something stands there already. Default true'),
    })
    .refine(({ src_path, dest_path }) => src_path !== '' && dest_path !== '', {
      params: { parts: say`${field('src_path')} and ${field('dest_path')} are required` },
    }),

  async run({ src_path, dest_path, overwrite }, { ports: { workspace } }) {
    const from = callerPath(workspace, src_path)
    const source = workspace.stat(from)
    if (!source) fail('not_found', say`Source not found: ${src_path}; ${await whatExists(workspace, from)}`)
    const dest = callerPath(workspace, dest_path)
    const to = source.kind === 'directory' ? dest : fileTarget(workspace, source, dest, dest_path)
    if (!overwrite && workspace.stat(to)) refuseReplacing(to)
    await workspace.commit(source.kind === 'directory' ? copiedTree(workspace, from, to) : [changeMaking(source, to)])
    const copied_to = to === dest ? dest_path : to
    return { text: `copied ${src_path} to ${copied_to}`, data: { copied_from: src_path, copied_to } }
  },
})

function fileTarget(workspace: Workspace, source: WorkspaceEntry, dest: WorkspacePath, given: string): WorkspacePath {
  const from = source.path
  const to = goesInside(workspace, source, dest, given) ? joinPath(dest, baseName(from)) : dest
  const [newSuffix, suffixGiven] = [suffix(to), suffix(from)]
  if (newSuffix !== suffixGiven && !isVariant(baseName(to), baseName(from))) {
    fail(
      'invalid_input',
      say`File extension mismatch: ${suffixGiven} != ${newSuffix}; a copy keeps its extension, ${tool('file_move')} changes it`,
    )
  }
  if (to === from) fail('conflict', say`'${from}' and '${to}' are the same file; give another ${field('dest_path')}`)
  return to
}

function copiedTree(workspace: Workspace, from: WorkspacePath, to: WorkspacePath): Change[] {
  if (isWithin(to, from)) fail('conflict', `Cannot copy a directory '${from || '.'}' into itself '${to || '.'}'.`)
  const { entries } = workspace.list(from, { recursive: true })
  const below = (path: WorkspacePath) => joinPath(to, path.slice(from.length))
  const top: Change[] = to === ROOT ? [] : [{ op: 'mkdir', path: to }]
  return [...top, ...entries.map((entry) => changeMaking(entry, below(entry.path)))]
}

/** Whether one name is the other with a suffix more: `a.json.bak` and `a.json`, `.env` and `.env.example`. */
const isVariant = (one: string, other: string) => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return /\.[^.]/.test(short) && (long.startsWith(`${short}.`) || long === `${short}~`)
}

/** Suffix of a name as by Python's `PurePath.suffix`: `.gz` of `a.tar.gz`, none of `.bashrc` and of `a.`. */
const suffix = (path: WorkspacePath) => /(?<=[^.])\.[^.]+$/.exec(baseName(path))?.[0] ?? ''
