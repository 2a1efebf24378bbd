import { type FSWatcher, lstatSync, readdirSync, type Stats, watch } from 'node:fs'
import { join, relative } from 'node:path'
import { errnoOf } from '../json.ts'
import { MAX_WATCHED_DIRS, WATCH_SETTLE_MS } from './limits.ts'

export interface FileChange {
  readonly kind: 'create' | 'write' | 'remove' | 'rename' | 'chmod'
  /** Relative to the watched directory. */
  readonly name: string
  readonly path: string
}

interface WatchedDirectory {
  readonly watcher: FSWatcher
  readonly known: Map<string, Stats>
  readonly touched: Set<string>
}

/**
 * Watches a directory, with everything below it when `recursive`. Node's own recursive mode misses files in directories
 * that were just made, so here each directory has its own watch and is compared with its last known state.
 * @returns a function that stops watching
 */
export function watchTree(
  root: string,
  recursive: boolean,
  publish: (change: FileChange) => Promise<void>,
  fail: (error: unknown) => void,
): () => void {
  const directories = new Map<string, WatchedDirectory>()
  let queue = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const emit = (kind: FileChange['kind'], path: string) => {
    queue = queue.then(() => publish({ kind, name: relative(root, path), path })).catch(fail)
  }

  /** Begins to watch a directory. `announce` is false for entries that existed before. */
  const enter = (directory: string, announce: boolean) => {
    if (directories.has(directory) || directories.size >= MAX_WATCHED_DIRS) return
    const watcher = openWatcher(directory, (name) => {
      directories.get(directory)?.touched.add(name)
      timer ??= setTimeout(settle, WATCH_SETTLE_MS)
    })
    if (watcher === null) return
    const known = new Map<string, Stats>()
    directories.set(directory, { watcher, known, touched: new Set() })
    for (const name of namesIn(directory)) {
      const path = join(directory, name)
      const stats = lstatOrNull(path)
      if (stats === null) continue
      known.set(name, stats)
      if (announce) emit('create', path)
      if (recursive && stats.isDirectory()) enter(path, announce)
    }
  }

  const leave = (directory: string) => {
    for (const [path, { watcher }] of directories) {
      if (path !== directory && !path.startsWith(`${directory}/`)) continue
      watcher.close()
      directories.delete(path)
    }
  }

  const settle = () => {
    timer = undefined
    // First everything that came: a file that went is a rename when its inode is among them.
    const gone: { path: string; inode: number }[] = []
    const come = new Set<number>()
    for (const [directory, { known, touched }] of [...directories]) {
      for (const name of touched) {
        const path = join(directory, name)
        const before = known.get(name)
        const now = lstatOrNull(path)
        if (before !== undefined && before.ino !== now?.ino) gone.push({ path, inode: before.ino })
        if (now === null) known.delete(name)
        else {
          known.set(name, now)
          if (before === undefined || before.ino !== now.ino) {
            come.add(now.ino)
            emit('create', path)
            if (now.size > 0 && now.isFile()) emit('write', path)
          } else {
            if (isWritten(before, now)) emit('write', path)
            if (before.mode !== now.mode) emit('chmod', path)
          }
        }
      }
      touched.clear()
    }
    for (const { path, inode } of gone) {
      emit(come.has(inode) ? 'rename' : 'remove', path)
      leave(path)
    }
    if (!recursive) return
    for (const [directory, { known }] of [...directories]) {
      for (const [name, stats] of known) if (stats.isDirectory()) enter(join(directory, name), true)
    }
  }

  enter(root, false)
  return () => {
    clearTimeout(timer)
    leave(root)
  }
}

function isWritten(before: Stats, now: Stats): boolean {
  return now.isFile() && (before.size !== now.size || before.mtimeMs !== now.mtimeMs)
}

function openWatcher(directory: string, touched: (name: string) => void): FSWatcher | null {
  try {
    const watcher = watch(directory, (_, name) => name !== null && touched(name))
    // The directory itself went: its parent's watch tells.
    watcher.on('error', () => watcher.close())
    return watcher
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return null
    throw error
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return []
  }
}

function lstatOrNull(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}
