import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import { FailureError } from '../../../../../core/failure.ts'
import type { SessionName } from '../../../../../core/ids.ts'
import { isObject } from '../../../../../core/json-object.ts'
import { MAX_SOUGHT_SESSIONS, MAX_SUBSCRIBED_RESOURCES } from '../../../../../core/limits/mcp-resources.ts'
import type { Sight } from './sight.ts'
import { FileSubscriptions } from './subscriptions.ts'
import { addressOf } from './uris.ts'

/** One `subscriptions/listen`, for a handler of its own. */
interface Listening {
  /** The request's body with those resources alone that can be watched, so that its acknowledgement says so. */
  readonly body: unknown
  /** Source of the stream's events: watches from its first listener to its last. */
  readonly bus: ServerEventBus
}

/** Source of what a `subscriptions/listen` hears: the product's own is {@link listeningTo}. */
export type Listen = (sight: Sight, body: unknown, ended: () => void) => Promise<Listening | null>

/**
 * Prepares a `subscriptions/listen` of 2026-07-28; null for any other body.
 * @param ended called when no more events come although the client listens: whoever has the stream closes it, and the client listens anew
 */
export async function listeningTo(sight: Sight, body: unknown, ended: () => void): Promise<Listening | null> {
  if (!isObject(body) || body.method !== 'subscriptions/listen') return null
  const bus = new FileEventBus(sight, ended)
  const { params } = body
  const notifications = isObject(params) ? params.notifications : undefined
  if (!isObject(params) || !isObject(notifications) || !Array.isArray(notifications.resourceSubscriptions)) {
    return { body, bus }
  }
  const named: readonly unknown[] = notifications.resourceSubscriptions.slice(0, MAX_SUBSCRIBED_RESOURCES)
  const uris = new Set(named.filter((uri) => typeof uri === 'string'))
  const narrowed = { ...notifications, resourceSubscriptions: await watchedOf(uris, bus) }
  return { body: { ...body, params: { ...params, notifications: narrowed } }, bus }
}

/** Resources among these that are watched from now on. A session that cannot be watched is looked for once. */
async function watchedOf(uris: ReadonlySet<string>, bus: FileEventBus): Promise<readonly string[]> {
  const watched: string[] = []
  const isWatched = new Map<string, boolean>()
  for (const uri of uris) {
    const session = sessionOf(uri)
    if (session === null || isWatched.get(session) === false) continue
    if (!isWatched.has(session) && isWatched.size >= MAX_SOUGHT_SESSIONS) continue
    const isAdded = await bus.watch(uri)
    if (isAdded) watched.push(uri)
    isWatched.set(session, isAdded || isWatched.has(session))
  }
  return watched
}

/** Session of a resource; null for what is no address. */
function sessionOf(uri: string): SessionName | null {
  try {
    return addressOf(uri).session
  } catch (thrown) {
    if (thrown instanceof FailureError) return null
    throw thrown
  }
}

class FileEventBus implements ServerEventBus {
  readonly #listeners = new Set<(event: ServerEvent) => void>()
  readonly #files: FileSubscriptions

  constructor(sight: Sight, ended: () => void) {
    const changed = (uri: string) => this.publish({ kind: 'resource_updated', uri })
    this.#files = new FileSubscriptions({ sight, changed, ended })
  }

  /** Adds a resource. @returns false for one that cannot be watched */
  async watch(uri: string): Promise<boolean> {
    try {
      await this.#files.watch(uri)
      return true
    } catch (thrown) {
      if (thrown instanceof FailureError) return false
      throw thrown
    }
  }

  publish(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener)
    this.#files.open()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#files.close()
    }
  }
}
