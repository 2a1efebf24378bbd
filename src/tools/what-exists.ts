import { editDistance } from '../core/edit-distance.ts'
import { MAX_COMPARED_NAMES, MAX_NAMES_LOOKED_THROUGH } from '../core/limits/edits.ts'
import { type Saying, say, tool } from '../core/saying/saying.ts'
import { CODE_RUN_DIR, UPLOAD_DIR, VENV_DIR } from '../core/task-layout.ts'
import { baseName, joinPath, parentPath, ROOT, type WorkspacePath, workspacePath } from '../core/workspace-path.ts'
import type { Workspace } from '../ports/workspace.ts'
import { sandboxOnlyAt, useCommands } from './sandbox-only.ts'

type Listed = Pick<Workspace, 'stat' | 'list' | 'sandboxOnly'>

/**
 * Advice on a path where nothing stands: that it is in the sandbox only, the path that was probably meant, or how to see what there is.
 * @param otherwise how to see it
 */
export async function whatExists(
  workspace: Listed,
  path: WorkspacePath,
  otherwise: Saying = say`${tool('dir_list')} shows what exists`,
): Promise<Saying> {
  const directory = await sandboxOnlyAt(workspace, path)
  if (directory !== null) return useCommands(directory)
  const meant = nearestPath(workspace, path)
  return meant === null ? otherwise : say`did you mean ${meant}?`
}

/**
 * The path most like one where nothing stands: the same name in other letter case, the same name in another directory, or a name in
 * the same directory that differs by a letter in four. Looks at MAX_COMPARED_NAMES and MAX_NAMES_LOOKED_THROUGH entries at most.
 */
function nearestPath(workspace: Listed, path: WorkspacePath): WorkspacePath | null {
  const name = baseName(path)
  if (name === '') return null
  const folded = name.toLowerCase()
  const isNamed = (other: { readonly path: WorkspacePath }) => baseName(other.path).toLowerCase() === folded
  const beside = workspace.list(parentPath(path), { limit: MAX_COMPARED_NAMES }).entries
  const named = beside.find(isNamed)
  if (named) return named.path
  for (const dir of [ROOT, CODE_RUN_DIR, UPLOAD_DIR]) {
    const at = joinPath(dir, name)
    if (workspace.stat(at)) return at
  }
  const elsewhere = workspace.list(ROOT, { recursive: true, except: UNSEARCHED, limit: MAX_NAMES_LOOKED_THROUGH })
  const found = elsewhere.entries.find(isNamed) ?? beside.find((other) => isMisspelled(name, baseName(other.path)))
  return found?.path ?? null
}

/** Directories full of files that programs brought. */
const UNSEARCHED = [VENV_DIR, workspacePath('.git'), workspacePath('node_modules')]

/** Names longer than this are compared for equality only. */
const MAX_MISSPELLED_CHARS = 64

/**
 * Whether one name becomes the other by as many typing errors as its length allows: one in four letters of what stands before its
 * suffix. Of two or three, neighbours may be exchanged or one may be missing, but none differ: "f12" and "f13" are two names.
 */
function isMisspelled(name: string, other: string): boolean {
  const stem = name.replace(/(?<=.)\.[^.]*$/, '')
  if (stem.length < (/\d/.test(stem) ? 3 : 2) || name.length > MAX_MISSPELLED_CHARS) return false
  const most = Math.max(1, Math.min(Math.floor(stem.length / 4), 2))
  const [one, two] = [name.toLowerCase(), other.toLowerCase()]
  if (stem.length <= 3 && one.length === two.length && lettersOf(one) !== lettersOf(two)) return false
  return editDistance(one, two, most) <= most
}

const lettersOf = (name: string) => [...name].sort().join('')
