import { fail } from '../../../../../core/failure.ts'
import type { SessionName } from '../../../../../core/ids.ts'
import { MAX_SUBSCRIBED_RESOURCES, MAX_SUBSCRIBED_SESSIONS } from '../../../../../core/limits/mcp-resources.ts'
import { isWithin, ROOT, type WorkspacePath } from '../../../../../core/workspace-path.ts'
import { SessionWatcher } from './session-watcher.ts'
import { type Sight, sessionSeen } from './sight.ts'
import { addressOf } from './uris.ts'

interface Parts {
  readonly sight: Sight
  /** Hears of a resource that may have changed, by the URI under which it was subscribed. */
  readonly changed: (uri: string) => void
  /** Hears that changes are no longer looked for, until {@link FileSubscriptions.open} is called again. */
  readonly ended: () => void
}

/**
 * Subscriptions to files and directories of sessions, for one connection or one listening request. Nothing is watched until
 * {@link open}, nor after {@link pause}: call them with the client's stream. Changes of the pause are told of afterwards.
 */
export class FileSubscriptions {
  readonly #parts: Parts
  readonly #files = new Map<string, { readonly session: SessionName; readonly path: WorkspacePath }>()
  readonly #watchers = new Map<SessionName, SessionWatcher>()
  #isOpen = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Adds a resource. @throws FailureError `invalid_input`, `not_found`, `session_not_found`, `limit_exceeded` */
  async watch(uri: string): Promise<void> {
    if (this.#files.has(uri)) return
    const address = addressOf(uri)
    if (address.kind !== 'file') fail('invalid_input', 'the result of a call does not change; subscribe to files')
    const session = sessionSeen(this.#parts.sight, address.session)
    this.#requireRoom(address.session)
    const from = this.#watchers.has(address.session) ? null : await headOf(session, address.path)
    // Others may have been added meanwhile.
    this.#requireRoom(address.session)
    this.#files.set(uri, address)
    if (from !== null && !this.#watchers.has(address.session)) this.#add(address.session, from)
  }

  unwatch(uri: string): void {
    const session = this.#files.get(uri)?.session
    if (session === undefined) return
    this.#files.delete(uri)
    if (this.#of(session).length > 0) return
    this.#watchers.get(session)?.stop()
    this.#watchers.delete(session)
  }

  /** Begins to watch. */
  open(): void {
    this.#isOpen = true
    for (const watcher of this.#watchers.values()) watcher.start()
  }

  /** Watches no more, and keeps the subscriptions. */
  pause(): void {
    this.#isOpen = false
    for (const watcher of this.#watchers.values()) watcher.stop()
  }

  /** Ends all subscriptions. */
  close(): void {
    this.pause()
    this.#files.clear()
    this.#watchers.clear()
  }

  #add(name: SessionName, from: number): void {
    const watcher = new SessionWatcher({
      session: sessionSeen(this.#parts.sight, name),
      from,
      path: () => {
        const paths = new Set(this.#of(name).map(([, path]) => path))
        return paths.size === 1 ? ([...paths][0] ?? ROOT) : ROOT
      },
      touched: (paths) => this.#touched(name, paths),
      ended: () => this.#parts.ended(),
    })
    this.#watchers.set(name, watcher)
    if (this.#isOpen) watcher.start()
  }

  #touched(name: SessionName, paths: readonly string[] | null): void {
    for (const [uri, path] of this.#of(name)) {
      // The cast: paths of commits are those of the workspace.
      if (paths === null || paths.some((changed) => isWithin(changed as WorkspacePath, path))) this.#parts.changed(uri)
    }
  }

  #of(name: SessionName): (readonly [uri: string, path: WorkspacePath])[] {
    return [...this.#files].flatMap(([uri, { session, path }]) => (session === name ? [[uri, path] as const] : []))
  }

  #requireRoom(session: SessionName): void {
    if (this.#files.size >= MAX_SUBSCRIBED_RESOURCES)
      fail(
        'limit_exceeded',
        `${MAX_SUBSCRIBED_RESOURCES} resources are subscribed already (MAX_SUBSCRIBED_RESOURCES); ${LESS}`,
      )
    if (!this.#watchers.has(session) && this.#watchers.size >= MAX_SUBSCRIBED_SESSIONS)
      fail(
        'limit_exceeded',
        `resources of ${MAX_SUBSCRIBED_SESSIONS} sessions are subscribed already (MAX_SUBSCRIBED_SESSIONS); ${LESS}`,
      )
  }
}

const LESS = 'unsubscribe from some, or from their files one by one and subscribe to their directory'

/** Number of a session's newest commit. @throws FailureError `session_not_found` */
async function headOf(session: ReturnType<typeof sessionSeen>, path: WorkspacePath): Promise<number> {
  const view = await session.watch.commits({ after: null, path })
  return view.state === 'gone' ? view.head : view.upTo
}
