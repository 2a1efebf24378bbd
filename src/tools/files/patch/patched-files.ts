import { fail } from '../../../core/failure.ts'
import { MAX_PATCHED_BYTES } from '../../../core/limits/edits.ts'
import { say, tool } from '../../../core/saying/saying.ts'
import { isWithin, joinPath, ROOT, type WorkspacePath } from '../../../core/workspace-path.ts'
import { UTF8 } from '../../../documents/encoding.ts'
import type { Change, Workspace } from '../../../ports/workspace.ts'
import { callerPath } from '../../caller-path.ts'
import { whatExists } from '../../what-exists.ts'
import { changedLines } from '../changed-lines.ts'
import { editedFile } from '../edited-file.ts'
import { requireEnvironmentStays } from '../environment-stays.ts'
import { splitLines } from '../lines.ts'
import { readTextFile, type TextFile } from '../text-file.ts'
import { writeTarget } from '../write-target.ts'
import type { FilePatch } from './parsed-patch.ts'
import { withoutPrefixes } from './patch-path.ts'
import { patchedText } from './patched-text.ts'

/** Report on one patched file, as the answer has it. */
export interface FileReport {
  readonly path: string
  readonly status: 'created' | 'modified' | 'deleted' | 'renamed'
  readonly renamed_from?: string
  readonly added: number
  readonly removed: number
  readonly encoding?: string
  readonly line_endings?: string
  readonly final_newline?: false
  /** Changed lines of a file that was there before; empty for others. */
  readonly changed_lines: string
}

interface PatchedFile {
  readonly changes: readonly Change[]
  readonly report: FileReport
  readonly notes: readonly string[]
  /** Size of the file before, in bytes. */
  readonly size: number
}

/**
 * Changes that a patch makes, none of which is carried out yet.
 * @param base directory that its paths begin in
 * @throws FailureError `conflict` where it does not fit; `not_found` for a missing file; `invalid_input` for paths outside, and for files
 * that are no text
 */
export async function patchedFiles(workspace: Workspace, files: readonly FilePatch[], base: WorkspacePath = ROOT) {
  const done: PatchedFile[] = []
  const touched = new Set<WorkspacePath>()
  const touch = (paths: Iterable<WorkspacePath>) => {
    for (const path of paths) {
      if (touched.has(path))
        fail('invalid_input', `the patch names ${path} twice; put all of its hunks below one header`)
      touched.add(path)
    }
  }
  let size = 0
  for (const file of files) {
    const paths = pathsOf(workspace, file, base)
    const named = new Set([paths.from, paths.to].filter((path) => path !== null))
    touch(named)
    const patched = await patchedFile(workspace, file, paths)
    // Of a link, the file that it points at.
    touch(patched.changes.flatMap((change) => (change.op === 'write' && !named.has(change.path) ? [change.path] : [])))
    size += Math.max(patched.size, ...patched.changes.map((change) => (change.op === 'write' ? sizeOf(change) : 0)))
    if (size > MAX_PATCHED_BYTES) {
      fail(
        'limit_exceeded',
        `the files of the patch have more than ${MAX_PATCHED_BYTES} bytes together (MAX_PATCHED_BYTES); split it`,
      )
    }
    done.push(patched)
  }
  return {
    changes: done.flatMap(({ changes }) => changes),
    reports: done.map(({ report }) => report),
    notes: done.flatMap(({ notes }) => notes),
  }
}

const sizeOf = ({ content }: Extract<Change, { op: 'write' }>) =>
  content instanceof Uint8Array ? content.length : content.size

/** Path before and after; null where the file is not. */
interface Paths {
  readonly from: WorkspacePath | null
  readonly to: WorkspacePath | null
}

function pathsOf(workspace: Workspace, { oldPath, newPath, isRename }: FilePatch, base: WorkspacePath): Paths {
  const reached = (given: string) => {
    const path = callerPath(workspace, given)
    if (base === ROOT || given.startsWith('/')) return path
    const below = joinPath(base, path)
    return isWithin(path, base) && !workspace.stat(below) ? path : below
  }
  const path = (given: string | null) => (given === null ? null : reached(given))
  const exists = (given: string | null) => given !== null && workspace.stat(reached(given)) !== null
  if (isRename) return { from: path(oldPath), to: path(newPath) }
  const plain = withoutPrefixes(oldPath, newPath)
  // A directory may really be called a or b.
  const isPrefixReal = !exists(plain.oldPath ?? plain.newPath) && (exists(oldPath) || exists(newPath))
  const sides = isPrefixReal ? { oldPath, newPath } : plain
  if (sides.oldPath === null || sides.newPath === null) return { from: path(sides.oldPath), to: path(sides.newPath) }
  // "a.py.orig" and "a.py" are one file, too: the one that exists.
  const one = path(exists(sides.newPath) ? sides.newPath : exists(sides.oldPath) ? sides.oldPath : sides.newPath)
  return { from: one, to: one }
}

async function patchedFile(workspace: Workspace, file: FilePatch, { from, to }: Paths): Promise<PatchedFile> {
  if (from === null) return created(workspace, file, to ?? '')
  const entry = workspace.stat(from)
  if (!entry) fail('not_found', say`File not found: ${from}; ${await whatExists(workspace, from)}`)
  if (entry.kind === 'directory')
    fail('invalid_input', say`${from} is a directory, and patches are for files; ${tool('file_move')} moves it`)
  if (to !== from) requireEnvironmentStays(from, 'remove')
  if (to === null) return deleted(workspace, file, from)
  if (to !== from) requireEnvironmentStays(to, 'move into')
  if (to !== from && workspace.stat(to)) exists(to)
  const moves: Change[] = to === from ? [] : [{ op: 'move', from, to }]
  const mode: Change[] = file.mode === null ? [] : [{ op: 'chmod', path: to, mode: file.mode }]
  const renamed = {
    path: to,
    status: to === from ? 'modified' : 'renamed',
    ...(to !== from && { renamed_from: from }),
  } as const
  if (file.hunks.length === 0) {
    return {
      changes: [...moves, ...mode],
      report: { ...renamed, added: 0, removed: 0, changed_lines: '' },
      notes: [],
      size: 0,
    }
  }
  const before = await readTextFile(workspace, from)
  const { raw, lines, ranges, added, removed, notes } = patchedText(from, before.raw, file.hunks)
  const { content, encoding, facts, notes: more } = editedFile(before, raw)
  const target = to === from ? writeTarget(workspace, from) : to
  return {
    changes: [...moves, { op: 'write', path: target, content }, ...mode],
    report: { ...renamed, added, removed, encoding, ...facts, changed_lines: changedLines(lines, ranges) },
    notes: [...notes, ...more],
    size: before.size,
  }
}

function created(workspace: Workspace, file: FilePatch, to: string): PatchedFile {
  const path = writeTarget(workspace, to)
  if (workspace.stat(path)) exists(to)
  const nothing: TextFile = { path, size: 0, text: '', raw: '', encoding: UTF8, storedAs: UTF8.name }
  const { raw, added } = patchedText(to, '', file.hunks)
  const { content } = editedFile(nothing, raw)
  return {
    changes: [{ op: 'write', path, content, ...(file.mode !== null && { mode: file.mode }) }],
    report: { path: to, status: 'created', added, removed: 0, changed_lines: '' },
    notes: [],
    size: 0,
  }
}

async function deleted(workspace: Workspace, file: FilePatch, path: WorkspacePath): Promise<PatchedFile> {
  const { raw, size } = await readTextFile(workspace, path)
  const { raw: left, lines, removed } = patchedText(path, raw, file.hunks)
  if (file.deletesWhole) {
    const report = { path, status: 'deleted', added: 0, removed: splitLines(raw).length, changed_lines: '' } as const
    return { changes: [{ op: 'remove', path }], report, notes: [], size }
  }
  if (left !== '') {
    fail('conflict', `the patch deletes ${path}, but ${lines.length} of its lines are not in it. Nothing was changed`)
  }
  return {
    changes: [{ op: 'remove', path }],
    report: { path, status: 'deleted', added: 0, removed, changed_lines: '' },
    notes: [],
    size,
  }
}

const exists = (path: string): never =>
  fail('conflict', `${path} exists already; delete it first, or patch it by "--- a/${path}". Nothing was changed`)
