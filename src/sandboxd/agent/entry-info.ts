import type { Stats } from 'node:fs'
import { lstat, readlink, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { errnoOf } from '../json.ts'
import type { Metadata } from './metadata.ts'

const FILE = 1
const DIRECTORY = 2
const SYMLINK = 3

/** `filesystem.EntryInfo` in Connect's JSON: 64-bit numbers are strings, times are ISO. */
export interface EntryInfo {
  readonly name: string
  /** Type; 0 for anything but a file, directory or symlink: the SDK leaves those out. */
  readonly type: number
  readonly path: string
  readonly size: string
  readonly mode: number
  readonly permissions: string
  readonly owner: string
  readonly group: string
  readonly modifiedTime: string
  readonly symlinkTarget?: string
  readonly metadata?: Readonly<Record<string, string>>
}

/**
 * Describes a path. A symlink is described as its target, with `symlinkTarget`; a dangling one as itself.
 * @throws the system's error, e.g. `ENOENT`
 */
export async function describeEntry(path: string, metadata: Metadata): Promise<EntryInfo> {
  const own = await lstat(path)
  if (!own.isSymbolicLink()) return encode(path, own, await metadata.read(path), null)
  const target = resolve(dirname(path), await readlink(path))
  return encode(path, (await statOrNull(path)) ?? own, {}, target)
}

function encode(path: string, stats: Stats, metadata: Record<string, string>, target: string | null): EntryInfo {
  return {
    name: basename(path),
    type: typeOf(stats),
    path,
    size: String(stats.size),
    mode: stats.mode & 0o7777,
    permissions: permissionsOf(stats),
    owner: nameOf(stats.uid),
    group: nameOf(stats.gid),
    modifiedTime: stats.mtime.toISOString(),
    ...(target === null ? {} : { symlinkTarget: target }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path)
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return null
  }
}

function typeOf(stats: Stats): number {
  if (stats.isFile()) return FILE
  if (stats.isDirectory()) return DIRECTORY
  return stats.isSymbolicLink() ? SYMLINK : 0
}

/** Permissions as Go prints a file mode: `drwxr-xr-x`, and `L` for a symlink. */
function permissionsOf(stats: Stats): string {
  const kind = stats.isDirectory() ? 'd' : stats.isSymbolicLink() ? 'L' : '-'
  const bits = [...'rwxrwxrwx'].map((letter, index) => ((stats.mode >> (8 - index)) & 1 ? letter : '-'))
  return kind + bits.join('')
}

function nameOf(id: number): string {
  if (id === process.getuid?.()) return userInfo().username
  return id === 0 || id === 65_534 ? 'root' : String(id)
}
