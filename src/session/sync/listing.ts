import { fail } from '../../core/failure.ts'
import { MAX_WORKSPACE_ENTRIES } from '../../core/limits.ts'
import { pathFromBytes, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import type { WorkspaceEntry } from '../../ports/workspace.ts'

/** What one listing says of one entry of the sandbox's copy of the workspace. */
export interface Listed {
  readonly path: WorkspacePath
  readonly kind: 'file' | 'directory' | 'link'
  readonly mode: number
  readonly size: number
  readonly mtimeMs: number
  /** Where a link points. */
  readonly target: string
  /** Equal in two listings exactly when nothing touched the entry between them (ctime and inode are in it). */
  readonly stamp: string
}

/**
 * Fields of one record, NUL between them. Times have nanoseconds; ctime and inode are there because mtime can be set.
 * The path comes last, as bytes.
 */
export const FIND_FORMAT = '%y\\0%m\\0%s\\0%T@\\0%C@\\0%i\\0%l\\0%p\\0'
const FIELDS = 8

/**
 * Reads what `find . … -printf FIND_FORMAT` printed. Sockets, pipes and devices are passed over.
 * @throws FailureError `limit_exceeded` past MAX_WORKSPACE_ENTRIES
 */
export function parseListing(bytes: Uint8Array): Listed[] {
  const listed: Listed[] = []
  const fields: Uint8Array[] = []
  let start = 0
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    fields.push(bytes.subarray(start, end))
    start = end + 1
    if (fields.length < FIELDS) continue
    const entry = parseRecord(fields)
    fields.length = 0
    if (entry) listed.push(entry)
    if (listed.length > MAX_WORKSPACE_ENTRIES) {
      fail(
        'limit_exceeded',
        `the sandbox has more than ${MAX_WORKSPACE_ENTRIES} files in the task directory; delete some, or keep them in a directory that .toolyardignore names`,
      )
    }
  }
  return listed
}

const KINDS = new Map([
  ['f', 'file'],
  ['d', 'directory'],
  ['l', 'link'],
] as const)

function parseRecord(fields: readonly Uint8Array[]): Listed | null {
  const [type = '', mode = '', size = '', mtime = '', ctime = '', inode = ''] = fields.slice(0, 6).map(ascii)
  const kind = KINDS.get(type as 'f' | 'd' | 'l')
  if (!kind) return null
  const target = pathFromBytes(fields[6] ?? new Uint8Array())
  const path = workspacePath(pathFromBytes(fields[7] ?? new Uint8Array()))
  const stamp = {
    file: `f ${mode} ${size} ${mtime} ${ctime} ${inode}`,
    directory: 'd',
    link: `l ${target}`,
  }[kind]
  return {
    path,
    kind,
    mode: Number.parseInt(mode, 8) & 0o777,
    size: Number(size),
    mtimeMs: Math.floor(Number(mtime) * 1000),
    target,
    stamp,
  }
}

const ascii = (bytes: Uint8Array) => String.fromCharCode(...bytes)

/** Equal for a workspace's entry and what the sandbox has exactly when nothing needs to be carried over. */
export function signature(entry: WorkspaceEntry): string {
  switch (entry.kind) {
    case 'file':
      return `f ${entry.mode.toString(8)} ${entry.hash}`
    case 'directory':
      return 'd'
    case 'link':
      return `l ${entry.target}`
  }
}
