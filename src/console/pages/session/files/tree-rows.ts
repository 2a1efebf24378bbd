import type { FileEntry } from '../types.ts'

/** A directory as far as it was read. Its path is '' for that of the session. */
export interface ReadDirectory {
  readonly entries: readonly FileEntry[]
  /** Line below its entries, such as that more are on their way, or why they cannot be read; '' for nothing. */
  readonly note: string
}

/** A line of the tree. */
export interface TreeRow {
  readonly kind: 'directory' | 'file' | 'note'
  /** Path of the entry, or of the directory that a note is about. */
  readonly path: string
  readonly depth: number
  /** Bytes of a file; null for anything else. */
  readonly size: number | null
  readonly isOpen: boolean
  /** Words of a note. */
  readonly note: string
}

/** The tree from top to bottom: what is in the open directories below each, directories before files. */
export function rowsOf(directories: ReadonlyMap<string, ReadDirectory>, open: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const add = (directory: string, depth: number) => {
    const read = directories.get(directory)
    const note = (text: string) =>
      rows.push({ kind: 'note', path: directory, depth, size: null, isOpen: false, note: text })
    for (const { path, type, size } of read?.entries ?? []) {
      const isDirectory = type === 'directory'
      const isOpen = isDirectory && open.has(path)
      rows.push({ kind: isDirectory ? 'directory' : 'file', path, depth, size, isOpen, note: '' })
      if (isOpen) add(path, depth + 1)
    }
    const empty = read?.entries.length === 0 ? 'Empty' : ''
    const words = read ? read.note || empty : 'Loading …'
    if (words) note(words)
  }
  add('', 0)
  return rows
}

const collator = new Intl.Collator('en')

/** Entries with directories first, then by name. */
export const sorted = (entries: readonly FileEntry[]): readonly FileEntry[] =>
  [...entries].sort(
    (a, b) => Number(b.type === 'directory') - Number(a.type === 'directory') || collator.compare(a.path, b.path),
  )

/** Directories on the way to a path. */
export const directoriesTo = (path: string): readonly string[] =>
  path.split('/').flatMap((_, at, names) => (at === 0 ? [] : [names.slice(0, at).join('/')]))

/** Name of an entry without the directories on the way to it. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
