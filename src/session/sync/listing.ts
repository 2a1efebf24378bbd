import { FailureError, fail } from '../../core/failure.ts'
import { MAX_LISTING_BYTES } from '../../core/limits/sandbox.ts'
import { MAX_LISTING_RECORD_BYTES } from '../../core/limits/sync.ts'
import { MAX_WORKSPACE_ENTRIES } from '../../core/limits/workspace.ts'
import { DIRECTORY, say } from '../../core/saying/saying.ts'
import { pathFromBytes, ROOT, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import type { WorkspaceEntry } from '../../ports/workspace.ts'
import type { IgnoreList } from '../../workspace/ignore-list.ts'

/** One entry of the sandbox's copy of the workspace, as listed. */
export interface Listed {
  readonly path: WorkspacePath
  readonly kind: 'file' | 'directory' | 'link'
  readonly mode: number
  readonly size: number
  readonly mtimeMs: number
  /** Time of the last change by the sandbox's kernel; programs can set the mtime, but not this. */
  readonly changedMs: number
  /** Target of a link. */
  readonly target: string
  /** True for an unreadable directory: its contents are not listed, and do not count as removed. */
  readonly closed: boolean
  readonly inode: string
  /** Number of names that the entry has, wherever they are. */
  readonly links: number
  /** Equal in two listings exactly when nothing touched the entry between them (ctime and inode are in it). */
  readonly stamp: string
}

export interface Listing {
  readonly entries: readonly Listed[]
  /** Names that no workspace can have: too long, or in too deep a directory. Shortened, for people. */
  readonly unnamable: readonly string[]
}

/**
 * Fields of one record, with NUL between them. Times have nanoseconds; ctime and inode are there because mtime can be set. The
 * path comes last, as bytes.
 */
const FIELDS = ['%y', '%m', '%s', '%T@', '%C@', '%i %n', '%l', '%p']
const record = (kind: string) => [kind, ...FIELDS.slice(1)].map((field) => `${field}\\0`).join('')
export const FIND_FORMAT = record('%y')
const CLOSED = 'closed'

/** Bash that lists everything below `.` for {@link parseListing}: unreadable directories, and all other entries. */
export const findAll = (ignore: IgnoreList) => `find . -mindepth 1 ${findBelow(ignore)}`

/** Expression of {@link findAll}. */
export const findBelow = (ignore: IgnoreList) =>
  `-type d \\( ! -readable -o ! -executable \\) -printf '${record(CLOSED)}' -prune -o -printf '${FIND_FORMAT}' ${ignore.findExpression()}`

/** Expression that makes `find` print {@link stampRecord} of each entry. */
export const FIND_STAMPS = `\\( -type d -printf 'd %m %p\\0' -o -type l -printf 'l %l %p\\0' -o -type f -printf 'f %m %s %T@ %C@ %i %p\\0' -o -true \\)`

/** Largest size of a listing of so many entries. */
export const listingBytes = (entries: number) => Math.min(entries * MAX_LISTING_RECORD_BYTES, MAX_LISTING_BYTES)

/**
 * Parses the output of {@link findAll}. Sockets, pipes and devices are skipped.
 * @throws FailureError `limit_exceeded` past MAX_WORKSPACE_ENTRIES, of whatever kind
 * @throws SandboxGone when `find` cannot have printed it
 */
export function parseListing(bytes: Uint8Array): Listing {
  let count = 0
  const entries: Listed[] = []
  const unnamable: string[] = []
  const fields: Uint8Array[] = []
  let start = 0
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    fields.push(bytes.subarray(start, end))
    start = end + 1
    if (fields.length < FIELDS.length) continue
    const entry = parseRecord(fields)
    fields.length = 0
    if (typeof entry === 'string') unnamable.push(entry)
    else if (entry) entries.push(entry)
    if (++count > MAX_WORKSPACE_ENTRIES) {
      fail(
        'limit_exceeded',
        say`the sandbox has more than ${MAX_WORKSPACE_ENTRIES} files in the ${DIRECTORY}; delete some, or keep them in a directory that .toolyardignore names`,
      )
    }
  }
  return { entries, unnamable }
}

const KINDS = new Map<string, Listed['kind']>([
  ['f', 'file'],
  ['d', 'directory'],
  [CLOSED, 'directory'],
  ['l', 'link'],
])

/** Parses a record. @returns null for an entry of a kind that no workspace has, the name when no workspace can have that */
function parseRecord(fields: readonly Uint8Array[]): Listed | string | null {
  const [type = '', mode = '', size = '', mtime = '', ctime = '', node = ''] = fields.slice(0, 6).map(shortText)
  const [inode = '', links] = node.split(' ')
  const kind = KINDS.get(type)
  if (!kind) return null
  const target = pathFromBytes(fields[6] ?? new Uint8Array())
  const name = pathFromBytes(fields[7] ?? new Uint8Array())
  const path = namable(name)
  const numbers = { size: Number(size), mtimeMs: milliseconds(mtime), changedMs: milliseconds(ctime) }
  if (path === ROOT || !Object.values(numbers).every(Number.isSafeInteger) || numbers.size < 0) unreadable()
  if (path === null) return name.length > 100 ? `${name.slice(0, 60)}…${name.slice(-30)}` : name
  const stamp = {
    file: `f ${mode} ${size} ${mtime} ${ctime} ${inode}`,
    directory: `d ${mode}`,
    link: `l ${target}`,
  }[kind]
  return {
    path,
    kind,
    mode: Number.parseInt(mode, 8) & 0o777, // 0 for text that is no number
    ...numbers,
    target,
    closed: type === CLOSED,
    inode,
    links: Number(links) || 1,
    stamp,
  }
}

/** Path of a name in the sandbox. @returns null for one that no workspace can have */
export function namable(name: string): WorkspacePath | null {
  try {
    return workspacePath(name)
  } catch (thrown) {
    if (thrown instanceof FailureError) return null
    throw thrown
  }
}

const milliseconds = (seconds: string) => Math.floor(Number(seconds) * 1000)

/** Text of a kind or a number, which is short. */
function shortText(bytes: Uint8Array): string {
  if (bytes.length > MAX_NUMBER_CHARS) unreadable()
  return String.fromCharCode(...bytes)
}

const MAX_NUMBER_CHARS = 64

const unreadable = (): never => {
  throw new SandboxGone('the files in the sandbox could not be listed: the listing is broken')
}

/** Signature, equal for an entry of the workspace and one of the sandbox exactly when nothing needs to be copied. */
export function signature(entry: WorkspaceEntry): string {
  switch (entry.kind) {
    case 'file':
      return `f ${entry.mode.toString(8)} ${entry.hash}`
    case 'directory':
      return `d ${entry.mode.toString(8)}`
    case 'link':
      return `l ${entry.target}`
  }
}
