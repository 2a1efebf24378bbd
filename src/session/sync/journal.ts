import { ancestors, parentPath, pathFromBytes, ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { STATE_DIRECTORY } from '../sandbox/place.ts'
import type { Known, KnownFiles } from './known.ts'
import { FIND_FORMAT, type Listed, namable } from './listing.ts'

/** Paths that changed since the last look, as the watcher noted them; see src/guest/watcher.py. */
export interface Journal {
  /** Paths to be looked at with all below them, for whatever is gone from there. */
  readonly paths: readonly WorkspacePath[]
  /** Paths that were written and neither made, moved nor removed: they are there, or their files have other names. */
  readonly written: readonly WorkspacePath[]
}

const END = 'end'

/**
 * Bash that asks the watcher for its journal: `w` is its count then, and `journal` has the records. Both stay empty without an answer
 * within a second, and the journal stays empty where the watcher does not know all that happened since.
 * @param since count of the watcher at the last look
 */
export const askJournal = (watchPort: number, since: string) =>
  `read -r j < ${STATE_DIRECTORY}/journal-${watchPort} && exec 5<>/dev/tcp/127.0.0.1/$j && echo ${Number(since)} >&5 && read -r -t 1 -u 5 w && mapfile -d '' -t -u 5 journal; exec 5>&-`

/** Bash condition: the journal is there, and whole. */
export const HAS_JOURNAL = `[ "\${#journal[@]}" -gt 0 ] && [ "\${journal[-1]}" = ${END} ]`

/**
 * Bash that prints the journal, and then the entries of its paths as `findAll` does. It fails where `find` did.
 * @param below expression for `find` that lists a directory
 */
export const listJournal = (below: string) =>
  `printf '%s\\0' "\${journal[@]}"
flat=() deep=() code=0
for record in "\${journal[@]}"; do case $record in d*) deep+=("\${record:1}");; [mpw]./*) flat+=("\${record:1}");; esac; done
[ \${#flat[@]} = 0 ] || find "\${flat[@]}" -maxdepth 0 -printf '${FIND_FORMAT}' || code=1
[ \${#deep[@]} = 0 ] || find "\${deep[@]}" ${below} || code=1
(exit $code)`

/**
 * Splits what {@link listJournal} printed.
 * @returns null where the journal is broken: code of the task may answer in the watcher's place
 */
export function readJournal(bytes: Uint8Array): { readonly journal: Journal; readonly rest: Uint8Array } | null {
  const paths: WorkspacePath[] = []
  const written: WorkspacePath[] = []
  let start = 0
  for (let end = bytes.indexOf(0); end !== -1; start = end + 1, end = bytes.indexOf(0, start)) {
    const record = pathFromBytes(bytes.subarray(start, end))
    if (record === END) return { journal: { paths, written }, rest: bytes.subarray(end + 1) }
    const path = record.startsWith('./', 1) ? namable(record.slice(1)) : null
    // A name that no workspace can have is in the listing, which says so.
    if (path === null) continue
    if (path === ROOT) return null
    if (record.startsWith('w')) written.push(path)
    if (!record.startsWith('p')) paths.push(path)
  }
  return null
}

/** Known entries that a look at these paths may find changed or gone, and those of the directories above them. */
export function knownAt(paths: readonly WorkspacePath[], known: KnownFiles): Pick<KnownFiles, 'all' | 'get'> {
  const entries = new Map<WorkspacePath, Known>()
  for (const path of paths) for (const [each, there] of known.within(path)) entries.set(each, there)
  for (const path of new Set(paths.flatMap(ancestors))) {
    const there = known.get(path)
    if (there) entries.set(path, there)
  }
  // All that is known there is in memory: of a thousand new files none need be looked for in the database.
  const looked = new Set(paths)
  const isLookedAt = (path: WorkspacePath) => looked.has(path) || ancestors(path).some((above) => looked.has(above))
  return { all: () => entries, get: (path) => entries.get(path) ?? (isLookedAt(path) ? undefined : known.get(path)) }
}

/** Entries that stand where their paths say: `find` goes through a link that took the place of a directory. */
export function reallyThere(entries: readonly Listed[]): Listed[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  const isThere = ({ path }: Listed) => ancestors(path).every((above) => byPath.get(above)?.kind === 'directory')
  return [...byPath.values()].filter(isThere)
}

/**
 * Whether only a full listing can tell what changed: a file has several names, or something was written that is under no known name
 * in a directory that is there, since a program that has a file open writes under the name by which it opened that.
 */
export function isUnsure({ written }: Journal, entries: readonly Listed[], known: KnownFiles): boolean {
  const present = new Set(entries.map(({ path }) => path))
  const isNowhere = (path: WorkspacePath) => !present.has(path) && known.get(path) === undefined
  const isIn = (directory: WorkspacePath) => directory === ROOT || present.has(directory)
  return (
    entries.some(({ kind, links }) => kind === 'file' && links > 1) ||
    written.some((path) => isNowhere(path) && isIn(parentPath(path)))
  )
}
