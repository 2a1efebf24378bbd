import * as z from 'zod'
import {
  MAX_LISTED_ENTRIES,
  MAX_READ_CHARS,
  MAX_TREE_FILES_PER_DIRECTORY,
  MAX_WORKSPACE_ENTRIES,
} from '../../core/limits/workspace.ts'
import { baseName, parentPath, ROOT, SANDBOX_ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import type { WorkspaceEntry } from '../../ports/workspace.ts'
import { flag, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { isKeptOut, isUnlisted } from './kept-out.ts'

const WRAPPED = '`wrapped`'

/**
 * Shows the file tree. The root's directories are indented as little as the root itself. Source: XAgent ToolServer,
 * core/envs/filesystem.py, print_filesys_struture.
 */
export const fileTree = defineTool({
  name: 'file_tree',
  description:
    `Show all directories and files of the task as an indented list, ${MAX_TREE_FILES_PER_DIRECTORY} files of each ` +
    'directory at most. What package managers, git and editors keep for themselves is left out. Runs without a sandbox. ' +
    'Returns the list as text.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    show_root: withDefault(flag, false).describe('Begin with the path of the task root. Default false'),
  }),

  async run({ show_root }, { ports: { workspace } }) {
    const { entries } = workspace.list(ROOT, { recursive: true, limit: MAX_WORKSPACE_ENTRIES })
    const lines = treeLines(entries)
    const root = show_root ? [`Global Root Work Directory: ${SANDBOX_ROOT}/`] : []
    const text = [...root, ...lines].map((line) => `${line}\n`).join('')
    return { text, data: { tree: text } }
  },
})

/**
 * Lines of the tree: each directory, its files, then its directories one after the other; up to a length that a model can
 * take in.
 */
function treeLines(entries: readonly WorkspaceEntry[]): string[] {
  const files = new Map<WorkspacePath, string[]>()
  const directories = new Map<WorkspacePath, WorkspacePath[]>()
  for (const { path, kind } of entries) {
    if (isKeptOut(path)) continue
    if (kind === 'directory') listOf(directories, parentPath(path)).push(path)
    else if (!isUnlisted(path)) listOf(files, parentPath(path)).push(baseName(path))
  }
  const lines: string[] = []
  let chars = 0
  const add = (line: string) => {
    lines.push(line)
    chars += line.length
  }
  // A stack in the place of recursion: directories may lie a thousand deep.
  const open: { path: WorkspacePath; level: number }[] = [{ path: ROOT, level: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, level } = next
    if (lines.length >= MAX_LISTED_ENTRIES || chars >= MAX_READ_CHARS) return [...lines, `- ${WRAPPED}`]
    add(`${indent(level)}- ${baseName(path)}/`)
    const names = files.get(path) ?? []
    const shown = names.slice(0, MAX_TREE_FILES_PER_DIRECTORY)
    if (shown.length < names.length) shown.push(WRAPPED)
    for (const name of shown) add(`${indent(level + 1)}- ${name}`)
    const below = (directories.get(path) ?? []).toReversed()
    open.push(...below.map((child) => ({ path: child, level: path === ROOT ? 0 : level + 1 })))
  }
  return lines
}

const indent = (level: number) => '    '.repeat(level)

function listOf<T>(lists: Map<WorkspacePath, T[]>, key: WorkspacePath): T[] {
  const found = lists.get(key)
  if (found) return found
  const made: T[] = []
  lists.set(key, made)
  return made
}
