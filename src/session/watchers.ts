import { MAX_WATCHERS, WATCH_BATCH_MS } from '../core/limits/watch.ts'

/** The object's end of a watcher's WebSocket. */
export interface WatcherSocket {
  send(message: string): void
  close(code?: number, reason?: string): void
}

/**
 * Sockets of those who watch a session. Each gets a message a moment after a commit, and looks then for itself. The runtime keeps
 * the sockets while the object is out of memory, so that a session that nobody uses costs nothing although somebody watches it.
 */
export class Watchers {
  readonly #kept: () => Iterable<WatcherSocket>
  /** Open sockets; null until somebody needs to know, in each life of the object. */
  #sockets: Set<WatcherSocket> | null = null
  #timer: ReturnType<typeof setTimeout> | null = null

  /** @param kept sockets of earlier lives of the object that are still open */
  constructor(kept: () => Iterable<WatcherSocket>) {
    this.#kept = kept
  }

  get #open(): Set<WatcherSocket> {
    this.#sockets ??= new Set(this.#kept())
    return this.#sockets
  }

  get areFull(): boolean {
    return this.#open.size >= MAX_WATCHERS
  }

  add(socket: WatcherSocket): void {
    this.#open.add(socket)
  }

  remove(socket: WatcherSocket): void {
    this.#open.delete(socket)
  }

  /** Tells of a commit, once for all commits of WATCH_BATCH_MS. */
  committed(): void {
    if (this.#timer !== null || this.#open.size === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#each((socket) => socket.send(COMMITTED))
    }, WATCH_BATCH_MS)
  }

  /** Closes all sockets: the session is gone. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#each((socket) => socket.close(NORMAL_CLOSURE, 'the session was removed'))
    this.#sockets = null
  }

  /** Does something with each socket; those of clients that have just gone are dropped. */
  #each(work: (socket: WatcherSocket) => void): void {
    for (const socket of this.#open) {
      try {
        work(socket)
      } catch {
        this.#open.delete(socket)
      }
    }
  }
}

const COMMITTED = 'committed'
const NORMAL_CLOSURE = 1000
