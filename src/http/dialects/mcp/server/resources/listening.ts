import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import { FailureError } from '../../../../../core/failure.ts'
import { MAX_SUBSCRIBED_RESOURCES } from '../../../../../core/limits/mcp-resources.ts'
import type { Sight } from './sight.ts'
import { FileSubscriptions } from './subscriptions.ts'

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
  const message = fieldsOf(body)
  if (message?.method !== 'subscriptions/listen') return null
  const params = fieldsOf(message.params)
  const notifications = fieldsOf(params?.notifications)
  const uris = notifications?.resourceSubscriptions
  const bus = new FileEventBus(sight, ended)
  if (!Array.isArray(uris)) return { body, bus }
  const watched: string[] = []
  for (const uri of new Set(uris.slice(0, MAX_SUBSCRIBED_RESOURCES))) if (await bus.watch(uri)) watched.push(uri)
  const narrowed = { ...notifications, resourceSubscriptions: watched }
  return { body: { ...message, params: { ...params, notifications: narrowed } }, bus }
}

class FileEventBus implements ServerEventBus {
  readonly #listeners = new Set<(event: ServerEvent) => void>()
  readonly #files: FileSubscriptions

  constructor(sight: Sight, ended: () => void) {
    const changed = (uri: string) => this.publish({ kind: 'resource_updated', uri })
    this.#files = new FileSubscriptions({ sight, changed, ended })
  }

  /** Adds a resource. @returns false for one that cannot be watched */
  async watch(uri: unknown): Promise<boolean> {
    if (typeof uri !== 'string') return false
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

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  // The cast: any object has fields.
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
