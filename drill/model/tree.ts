import { createHash } from 'node:crypto'

/** Entry at a path: the text of a file, or a directory. */
export type Entry = Text | typeof DIRECTORY
export const DIRECTORY = 'directory'

export interface Text {
  readonly text: string
  readonly sha256: string
}

/** Files, directories and locks below one directory of a session. Paths are relative to it. Never changed in place. */
export interface Tree {
  readonly entries: ReadonlyMap<string, Entry>
  readonly locks: ReadonlySet<string>
}

export const EMPTY: Tree = { entries: new Map(), locks: new Set() }

export const textOf = (text: string): Text => ({ text, sha256: createHash('sha256').update(text).digest('hex') })

/** Equal for trees that are the same, and for no others. */
export const treeKey = ({ entries, locks }: Tree) => `${entriesKey(entries)}\n${[...locks].sort().join(',')}`

export const entriesKey = (entries: ReadonlyMap<string, Entry>) =>
  [...entries]
    .map(([path, entry]) => `${path}=${entry === DIRECTORY ? entry : entry.sha256}`)
    .sort()
    .join(',')

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const baseOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
export const isWithin = (path: string, directory: string) => path === directory || path.startsWith(`${directory}/`)

/** Directories above a path, the nearest first. */
export function ancestorsOf(path: string): string[] {
  const parent = parentOf(path)
  return parent === '' ? [] : [parent, ...ancestorsOf(parent)]
}
