import { editDistance } from '../core/edit-distance.ts'
import { MAX_COMPARED_NAMES, MAX_NAMES_LOOKED_THROUGH } from '../core/limits/edits.ts'
import { type Saying, say, tool } from '../core/saying/saying.ts'
import { CODE_RUN_DIR, UPLOAD_DIR, VENV_DIR } from '../core/task-layout.ts'
import { baseName, joinPath, parentPath, ROOT, type WorkspacePath, workspacePath } from '../core/workspace-path.ts'
import type { Workspace } from '../ports/workspace.ts'

type Listed = Pick<Workspace, 'stat' | 'list'>

/**
 * Advice on a path where nothing stands: the path that was probably meant, or how to see what there is.
 * @param otherwise how to see it
 */
export function whatExists(
  workspace: Listed,
  path: WorkspacePath,
  otherwise: Saying = say`${tool('dir_list')} shows what exists`,
): Saying {
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

/** Whether one name is the other but for typing errors: one letter in four of what stands before its suffix, two at most. */
function isMisspelled(name: string, other: string): boolean {
  const stem = name.replace(/(?<=.)\.[^.]*$/, '')
  const most = Math.min(Math.floor(stem.length / 4), 2)
  if (most === 0 || Math.abs(name.length - other.length) > most || name.length > MAX_MISSPELLED_CHARS) return false
  return editDistance(name.toLowerCase(), other.toLowerCase(), most) <= most
}
