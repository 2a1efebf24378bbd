import type { DiffSide, FileDiff, Hunk } from '../../core/diff/file-diff.ts'
import { hunkChars, hunksOf } from '../../core/diff/hunks.ts'
import {
  DIFF_FETCH_FILES,
  MAX_DIFF_FILE_BYTES,
  MAX_DIFF_FILE_LINES,
  MAX_DIFF_FILE_STEPS,
  MAX_DIFF_PAGE_BYTES,
  MAX_DIFF_PAGE_STEPS,
} from '../../core/limits/history.ts'
import type { FileEntry, WorkspaceEntry } from '../../ports/workspace.ts'
import type { Difference } from '../../workspace/history/compare.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'

/**
 * Differences with their changed lines, as many as fit into a page: at least one. The lines of a first one that is too long are cut.
 * @param chars length of the hunks together
 */
export async function fileDiffs(
  differences: readonly Difference[],
  workspace: Pick<SyncedWorkspace, 'readMany'>,
  chars: number,
): Promise<FileDiff[]> {
  const files: FileDiff[] = []
  const left = { chars, bytes: MAX_DIFF_PAGE_BYTES, steps: MAX_DIFF_PAGE_STEPS }
  for (let at = 0; at < differences.length; at += DIFF_FETCH_FILES) {
    const some = differences.slice(at, at + DIFF_FETCH_FILES)
    const contents = await contentsOf(some, workspace)
    for (const difference of some) {
      const bytes = comparedBytes(difference)
      if (files.length > 0 && (left.bytes < bytes || left.steps <= 0)) return files
      const work = { left: Math.min(left.steps, MAX_DIFF_FILE_STEPS) }
      const given = work.left
      const file = fileDiff(difference, contents, work)
      const length = file.hunks.reduce((all, hunk) => all + hunkChars(hunk), 0)
      if (length > left.chars && files.length > 0) return files
      files.push(length > left.chars ? { ...file, hunks: fitting(file.hunks, left.chars), omitted: 'too large' } : file)
      left.chars -= length
      left.bytes -= bytes
      left.steps -= given - work.left
    }
  }
  return files
}

/** Contents by hash; null for one that is no longer there. */
async function contentsOf(
  differences: readonly Difference[],
  workspace: Pick<SyncedWorkspace, 'readMany'>,
): Promise<ReadonlyMap<string, Uint8Array | null>> {
  const files = differences.filter(isCompared).flatMap(({ before, after }) => [before, after].filter(isFile))
  const { contents } = await workspace.readMany(files)
  return new Map(files.map(({ hash }, at) => [hash, contents[at] ?? null]))
}

const isFile = (entry: WorkspaceEntry | null): entry is FileEntry => entry?.kind === 'file'

/** Whether the contents are compared by lines: they differ, and neither is too large. */
const isCompared = ({ before, after }: Difference): boolean =>
  !isSame(before, after) && [before, after].filter(isFile).every(({ size }) => size <= MAX_DIFF_FILE_BYTES)

const isSame = (before: WorkspaceEntry | null, after: WorkspaceEntry | null) =>
  isFile(before) && isFile(after) && before.hash === after.hash

const comparedBytes = (difference: Difference) =>
  isCompared(difference)
    ? [difference.before, difference.after].filter(isFile).reduce((bytes, { size }) => bytes + size, 0)
    : 0

function fileDiff(
  difference: Difference,
  contents: ReadonlyMap<string, Uint8Array | null>,
  work: { left: number },
): FileDiff {
  const { path, before, after } = difference
  const facts = {
    path,
    change: before === null ? ('created' as const) : after === null ? ('deleted' as const) : ('modified' as const),
    before: before && sideOf(before),
    after: after && sideOf(after),
  }
  if (isSame(before, after)) return { ...facts, hunks: [], omitted: null }
  if (!isCompared(difference)) return { ...facts, hunks: [], omitted: 'too large' }
  const old = textOf(before, contents)
  const now = textOf(after, contents)
  if (old === null || now === null) return { ...facts, hunks: [], omitted: 'not text' }
  if (old === TOO_MANY_LINES || now === TOO_MANY_LINES) return { ...facts, hunks: [], omitted: 'too large' }
  // Another kind is another thing: nothing of the one stays in the other.
  const hunks =
    before && after && before.kind !== after.kind
      ? [...hunksOf(old, '', work), ...hunksOf('', now, work)]
      : hunksOf(old, now, work)
  return { ...facts, hunks, omitted: null }
}

const sideOf = (entry: WorkspaceEntry): DiffSide => ({
  kind: entry.kind,
  mode: entry.mode,
  size: entry.kind === 'file' ? entry.size : null,
  hash: entry.kind === 'file' ? entry.hash : null,
  target: entry.kind === 'link' ? entry.target : null,
})

const TOO_MANY_LINES = Symbol('too many lines')

/** Text that stands for an entry in a diff: of a link its target. Null for bytes that are no UTF-8 text. */
function textOf(
  entry: WorkspaceEntry | null,
  contents: ReadonlyMap<string, Uint8Array | null>,
): string | null | typeof TOO_MANY_LINES {
  if (entry?.kind === 'link') return entry.target
  if (entry?.kind !== 'file') return ''
  const bytes = contents.get(entry.hash)
  if (!bytes || bytes.includes(0)) return null
  let lines = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines++
  if (lines > MAX_DIFF_FILE_LINES) return TOO_MANY_LINES
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

const LINE_FEED = 0x0a

/** The first hunks, as many as fit; of a first one that is too long, its first lines. */
function fitting(hunks: readonly Hunk[], chars: number): Hunk[] {
  const kept: Hunk[] = []
  let left = chars
  for (const hunk of hunks) {
    left -= hunkChars(hunk)
    if (left < 0) break
    kept.push(hunk)
  }
  const [first] = hunks
  return kept.length > 0 || !first ? kept : [startOf(first, chars)]
}

function startOf(hunk: Hunk, chars: number): Hunk {
  let left = chars
  const end = hunk.lines.findIndex((line) => {
    left -= line.length + 1
    return left < 0
  })
  const lines = hunk.lines.slice(0, end === -1 ? hunk.lines.length : end)
  const count = (sign: string) => lines.filter((line) => line[0] === ' ' || line[0] === sign).length
  return { ...hunk, oldLines: count('-'), newLines: count('+'), lines }
}
