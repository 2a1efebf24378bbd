import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_LISTED_ENTRIES } from '../../core/limits/workspace.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { absolutePath, baseName, parentPath, ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import type { SandboxOnly, WorkspaceEntry } from '../../ports/workspace.ts'
import { maxChars } from '../answer-budget.ts'
import { flag, withDefault } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { sandboxOnlyNotes } from '../sandbox-only.ts'
import { whatExists } from '../what-exists.ts'
import { fittingEntries } from './fitting-entries.ts'

interface TreeNode {
  readonly name: string
  readonly type: 'file' | 'directory' | 'link'
  /** Path relative to the task root; `.` for the root itself. */
  readonly path: string
  readonly size?: number
  readonly target?: string
  readonly children?: TreeNode[]
}

/**
 * Lists a directory. The root is called `.`, since a tool does not know its task's name.
 * Source: Tool Server, tools/file_tools, DirListTool.
 */
export const dirList = defineTool({
  name: 'dir_list',
  description:
    'List a directory of the task, hidden files too, as a tree: name, type (file, directory or link), path from the task ' +
    `root, size in bytes, target of a link. At most ${MAX_LISTED_ENTRIES} entries; what lies in code_env/ is left out when ` +
    'the task root is listed. Runs without a sandbox. Returns tree, with children. Files by a pattern or by time: ' +
    'file_glob; by content: file_search.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    dir_path: withDefault(z.string(), '').describe('Directory relative to the task root. Default: the task root'),
    recursive: withDefault(flag, false).describe(
      'Also list all below its directories; else they are only named. Default false',
    ),
    max_chars: maxChars(),
  }),

  async run({ dir_path, recursive, max_chars }, { ports: { workspace } }) {
    const path = callerPath(workspace, dir_path)
    const entry = workspace.stat(path)
    if (!entry)
      fail(
        'not_found',
        say`Directory not found: ${dir_path}; ${await whatExists(workspace, path, ['list its parent to see what exists'])}`,
      )
    if (entry.kind !== 'directory')
      fail('invalid_input', say`Not a directory: ${dir_path}; ${tool('file_read')} reads a file`)

    const except = path === ROOT ? [VENV_DIR] : []
    const { entries, truncated } = workspace.list(path, { recursive, except, limit: MAX_LISTED_ENTRIES })
    const shown = fittingEntries(entries, max_chars, (entry) => JSON.stringify(nodeOf(entry, recursive)).length + 1)
    const tree = treeOf(path, shown, recursive)
    const isCut = truncated || shown.length < entries.length
    const notes = [
      ...(isCut ? [leftOut(shown.length, entries.length, truncated)] : []),
      ...sandboxOnlyNotes(unseen(path, recursive ? shown : [], await workspace.sandboxOnly())),
    ]
    return {
      text: [...describe(tree), ...notes.map((note) => `[${note}]`)].join('\n'),
      data: {
        tree,
        base_path: absolutePath(path),
        ...(isCut && { truncated: true }),
        ...(notes.length > 0 && { notes }),
      },
    }
  },
})

/** Directories that a listing shows without their content, which stays in the sandbox. Not code_env, which everybody has. */
function unseen(path: WorkspacePath, shown: readonly WorkspaceEntry[], kept: SandboxOnly): WorkspacePath[] {
  const whole = kept.directoryAt(path)
  if (whole !== null) return [whole]
  return shown.flatMap((entry) =>
    entry.kind === 'directory' && entry.path !== VENV_DIR && kept.directoryAt(entry.path) === entry.path
      ? [entry.path]
      : [],
  )
}

/** @param isMore whether there are further entries than those counted */
function leftOut(shown: number, entries: number, isMore: boolean): string {
  if (shown === entries) return `cut after ${entries} entries; list a directory further down`
  const total = isMore ? `more than ${entries}` : entries
  return `${shown} of ${total} entries shown, the deepest left out; max_chars shows more; or list a directory further down`
}

/**
 * Tree of the entries.
 * @param entries sorted by path, so that a directory comes before its content
 */
function treeOf(root: WorkspacePath, entries: readonly WorkspaceEntry[], recursive: boolean): TreeNode {
  const top: TreeNode[] = []
  const childrenOf = new Map<WorkspacePath, TreeNode[]>([[root, top]])
  for (const entry of entries) {
    const node = nodeOf(entry, recursive)
    if (node.children) childrenOf.set(entry.path, node.children)
    childrenOf.get(parentPath(entry.path))?.push(node)
  }
  return { name: baseName(root) || '.', type: 'directory', path: root || '.', children: top }
}

function nodeOf(entry: WorkspaceEntry, recursive: boolean): TreeNode {
  const { path, kind } = entry
  const node = { name: baseName(path), type: kind, path }
  if (kind === 'file') return { ...node, size: entry.size }
  if (kind === 'link') return { ...node, target: entry.target }
  return recursive ? { ...node, children: [] } : node
}

/** Lines of the listing, one per entry: `src/`, `  main.py  120`, `  latest -> v2`. */
function describe(node: TreeNode, depth = 0): string[] {
  const indent = '  '.repeat(depth)
  if (node.type === 'file') return [`${indent}${node.name}  ${node.size}`]
  if (node.type === 'link') return [`${indent}${node.name} -> ${node.target}`]
  return [`${indent}${node.name}/`, ...(node.children ?? []).flatMap((child) => describe(child, depth + 1))]
}
