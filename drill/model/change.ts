import { extname } from 'node:path'
import { ancestorsOf, baseOf, DIRECTORY, type Entry, isWithin, type Tree, textOf } from './tree.ts'

/** A change of a tree, as a tool or a command makes it. Texts end with a line break. */
export type Change =
  | { readonly kind: 'write' | 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'edit'; readonly path: string; readonly line: number; readonly text: string }
  | { readonly kind: 'delete' | 'mkdir'; readonly path: string }
  | { readonly kind: 'lock'; readonly path: string }
  | { readonly kind: 'unlock'; readonly path: string }
  | { readonly kind: 'move' | 'copy'; readonly from: string; readonly to: string }

/**
 * Tree after a change, by the rules of the file tools.
 * @param ignoresLocks true for commands in the sandbox
 * @returns null when the change is refused, and the tree stays as it is
 */
export function changed(tree: Tree, change: Change, ignoresLocks: boolean): Tree | null {
  if (change.kind === 'lock' || change.kind === 'unlock') return withLock(tree, change.kind, change.path)
  const written = writtenBy(tree.entries, change)
  if (written === null) return null
  const isHeld = written.touched.some((path) => isLocked(tree.locks, path, written.removed.includes(path)))
  return isHeld && !ignoresLocks ? null : { entries: written.entries, locks: tree.locks }
}

interface Written {
  readonly entries: ReadonlyMap<string, Entry>
  readonly touched: readonly string[]
  /** Paths that go with all below them. */
  readonly removed: readonly string[]
}

function writtenBy(entries: Tree['entries'], change: Exclude<Change, { kind: 'lock' | 'unlock' }>): Written | null {
  switch (change.kind) {
    case 'write':
      return put(entries, change.path, textOf(change.text))
    case 'append':
      return put(entries, change.path, textOf(textAt(entries, change.path) + change.text))
    case 'edit': {
      const lines = textAt(entries, change.path).split(/(?<=\n)/)
      if (!entries.has(change.path) || change.line > lines.length || lines[0] === '') return null
      return put(entries, change.path, textOf(lines.with(change.line - 1, change.text).join('')))
    }
    case 'mkdir':
      return entries.get(change.path) === DIRECTORY
        ? { entries, touched: [], removed: [] }
        : put(entries, change.path, DIRECTORY)
    case 'delete':
      if (!entries.has(change.path)) return null
      return { entries: without(entries, change.path), touched: [change.path], removed: [change.path] }
    case 'move':
      return moved(entries, change.from, change.to)
    case 'copy':
      return copied(entries, change.from, change.to)
  }
}

/** Entries with one more, and the directories on the way to it. @returns null where a directory, or below a file, would have to be replaced */
function put(entries: Tree['entries'], path: string, entry: Entry): Written | null {
  const standing = entries.get(path)
  if (standing !== undefined && (standing === DIRECTORY || entry === DIRECTORY)) return null
  const above = ancestorsOf(path)
  if (above.some((one) => entries.has(one) && entries.get(one) !== DIRECTORY)) return null
  const next = new Map(entries)
  for (const one of above) next.set(one, DIRECTORY)
  return { entries: next.set(path, entry), touched: [path], removed: [] }
}

/** Entries after a move, by the rules of Python's `shutil.move`. */
function moved(entries: Tree['entries'], from: string, dest: string): Written | null {
  const source = entries.get(from)
  if (source === undefined) return null
  const isInside = from !== dest && entries.get(dest) === DIRECTORY
  const to = isInside ? `${dest}/${baseOf(from)}` : dest
  if (isInside && entries.has(to)) return null
  if (from === to) return { entries, touched: [], removed: [] }
  if (isWithin(to, from) || (source === DIRECTORY && entries.has(to))) return null
  const carried = [...entries].filter(([path]) => isWithin(path, from))
  const placed = putAll(without(entries, from), carried, from, to)
  return placed && { entries: placed, touched: [from, to], removed: [from, to] }
}

/** Entries after a copy, by the rules of Python's `shutil.copy2` and `shutil.copytree`. */
function copied(entries: Tree['entries'], from: string, dest: string): Written | null {
  const source = entries.get(from)
  if (source === undefined) return null
  const to = source !== DIRECTORY && entries.get(dest) === DIRECTORY ? `${dest}/${baseOf(from)}` : dest
  if (isWithin(to, from) || (source !== DIRECTORY && extname(to) !== extname(from))) return null
  const carried = [...entries].filter(([path]) => isWithin(path, from))
  const placed = putAll(entries, carried, from, to)
  return placed && { entries: placed, touched: carried.map(([path]) => to + path.slice(from.length)), removed: [] }
}

function putAll(
  entries: Tree['entries'],
  carried: readonly (readonly [string, Entry])[],
  from: string,
  to: string,
): Tree['entries'] | null {
  let next = entries
  for (const [path, entry] of carried) {
    const target = to + path.slice(from.length)
    if (entry === DIRECTORY && next.get(target) === DIRECTORY) continue
    const placed = put(next, target, entry)
    if (placed === null) return null
    next = placed.entries
  }
  return next
}

const without = (entries: Tree['entries'], gone: string) =>
  new Map([...entries].filter(([path]) => !isWithin(path, gone)))

function textAt(entries: Tree['entries'], path: string): string {
  const entry = entries.get(path)
  return entry === undefined || entry === DIRECTORY ? '' : entry.text
}

function withLock({ entries, locks }: Tree, kind: 'lock' | 'unlock', path: string): Tree | null {
  if (kind === 'lock') return isLocked(locks, path, true) ? null : { entries, locks: new Set([...locks, path]) }
  return locks.has(path) ? { entries, locks: new Set([...locks].filter((one) => one !== path)) } : null
}

/** Whether a lock holds for a path. @param withAllBelow whether a lock below the path counts too */
const isLocked = (locks: Tree['locks'], path: string, withAllBelow: boolean) =>
  [...locks].some((lock) => isWithin(path, lock) || (withAllBelow && isWithin(lock, path)))
