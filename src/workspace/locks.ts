import { fail } from '../core/failure.ts'
import { MAX_LOCKS } from '../core/limits/workspace.ts'
import { FILES_ROOT, field, ifKnown, say, tool } from '../core/saying/saying.ts'
import { ancestors, isWithin, ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileLock, Locker, Locks } from '../ports/locks.ts'
import type { Sql } from '../ports/sql.ts'
import type { Change } from '../ports/workspace.ts'

/** Locks of one workspace: in its database, and in memory for every commit to check. */
export class WorkspaceLocks implements Locks {
  readonly #table: LazyTable
  readonly #clock: Clock
  #loaded: Map<WorkspacePath, FileLock> | null = null

  constructor(sql: Sql, clock: Clock) {
    this.#table = new LazyTable(sql, 'workspace_locks')
    this.#clock = clock
  }

  lock(path: WorkspacePath, { name, level }: Locker): FileLock {
    if (path === ROOT) fail('invalid_input', say`the ${FILES_ROOT} itself cannot be locked; name what lies in it`)
    this.#requireLockable(path)
    const lock = { path, name, level, lockedAt: this.#clock.now() }
    this.#table.write(
      'INSERT INTO workspace_locks (path, name, level, locked_at) VALUES (?, ?, ?, ?)',
      path,
      name,
      level,
      lock.lockedAt,
    )
    this.#locks.set(path, lock)
    return lock
  }

  #requireLockable(path: WorkspacePath): void {
    const there = this.#locks.get(path)
    if (there) fail('conflict', say`文件已被锁定 - ${who(there)}; ${heldBy(there)}; ${release(there)}`)
    const above = this.holding(path)
    if (above)
      fail('conflict', say`父目录已被锁定 - 路径: ${above.path}, ${who(above)}; ${heldBy(above)}; ${release(above)}`)
    const below = this.list().filter((lock) => isWithin(lock.path, path))
    if (below.length > 0) {
      const named = below.slice(0, MAX_NAMED).map((lock) => lock.path)
      const shown = `${named.join(', ')}${below.length > MAX_NAMED ? ', …' : ''}`
      fail('conflict', `子路径已被锁定: ${shown}; there are locks inside of ${path}; unlock those first`)
    }
    if (this.#locks.size >= MAX_LOCKS) {
      fail('limit_exceeded', `the task has ${MAX_LOCKS} locks (MAX_LOCKS); lock a directory, or unlock some`)
    }
  }

  unlock(path: WorkspacePath, { name, level }: Locker): void {
    const lock = this.#locks.get(path)
    if (!lock) {
      const above = this.holding(path)
      fail(
        'not_found',
        `文件未被锁定: ${path}; ${above ? `what holds is the lock on ${above.path}` : 'it is not locked'}`,
      )
    }
    if (level <= lock.level && name !== lock.name) {
      fail(
        'forbidden',
        say`解锁失败: 权限不足或名称不匹配 (需要等级 > ${lock.level} 或名称 = ${JSON.stringify(lock.name)}); not unlocked: ${field('unlocker_level')} must be above ${lock.level}, or ${field('unlocker_name')} ${JSON.stringify(lock.name)}`,
      )
    }
    this.#table.read('DELETE FROM workspace_locks WHERE path = ?', path)
    this.#locks.delete(path)
  }

  list(): FileLock[] {
    return [...this.#locks.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  holding(path: WorkspacePath): FileLock | null {
    if (this.#locks.size === 0) return null
    for (const at of [path, ...ancestors(path)]) {
      const lock = this.#locks.get(at)
      if (lock) return lock
    }
    return null
  }

  requireFree(path: WorkspacePath): void {
    const lock = this.holding(path)
    if (lock) refuse(path, lock)
  }

  /**
   * Checks changes in the transaction that applies them. @throws FailureError `conflict` when a lock holds for one of the paths
   */
  requireAllFree(changes: readonly Change[]): void {
    if (this.#locks.size === 0) return
    for (const change of changes) {
      if (change.op === 'move') {
        this.#requireAllFreeIn(change.from)
        this.#requireAllFreeIn(change.to)
      } else if (change.op === 'remove') {
        this.#requireAllFreeIn(change.path)
      } else {
        this.requireFree(change.path)
      }
    }
  }

  /** Checks a directory with all paths below it, which move or disappear with it. */
  #requireAllFreeIn(path: WorkspacePath): void {
    this.requireFree(path)
    for (const lock of this.#locks.values()) if (isWithin(lock.path, path)) refuse(lock.path, lock)
  }

  /**
   * Checks a commit whose changes are known by the places of locks alone, in its transaction. @throws FailureError `conflict`
   * @param changed a changed path at or below a locked one, or a removed directory above it; null where there is none
   */
  requireNoneChanged(changed: (locked: WorkspacePath) => WorkspacePath | null): void {
    for (const lock of this.#locks.values()) {
      const path = changed(lock.path)
      if (path !== null) refuse(isWithin(path, lock.path) ? path : lock.path, lock)
    }
  }

  get #locks(): Map<WorkspacePath, FileLock> {
    this.#loaded ??= this.#load()
    return this.#loaded
  }

  #load(): Map<WorkspacePath, FileLock> {
    const rows = this.#table.read<Row>('SELECT * FROM workspace_locks')
    return new Map(
      rows.map(({ path, name, level, locked_at }) => {
        const at = path as WorkspacePath
        return [at, { path: at, name, level, lockedAt: locked_at }]
      }),
    )
  }
}

type Row = { readonly path: string; readonly name: string; readonly level: number; readonly locked_at: number }

/** Largest number of paths in an error. */
const MAX_NAMED = 5

function refuse(path: WorkspacePath, lock: FileLock): never {
  fail('conflict', say`${path} is locked by ${JSON.stringify(lock.name)} (level ${lock.level}); ${release(lock)}`, {
    data: {
      locked_file: path,
      lock_info: { locker_name: lock.name, level: lock.level, locked_path: lock.path },
    },
  })
}

const who = ({ name, level }: Locker) => `锁定者: ${name}, 等级: ${level}`

/** Holder of a lock in English, beside the published Chinese of `who`. */
const heldBy = ({ path, name, level }: FileLock) => `${path} is locked by ${JSON.stringify(name)}, level ${level}`

const release = ({ path, name, level }: FileLock) =>
  say`wait until it is released${ifKnown(say`, or release it: ${tool('file_unlock')} with file_path ${JSON.stringify(path)} and unlocker_name ${JSON.stringify(name)}, or an unlocker_level above ${level}`)}`
