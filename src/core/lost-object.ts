/**
 * How an object that another isolate holds was lost while it was asked: `reset` when it was restarted, or the way to it was
 * cut; `overloaded` when it has too much to do, and must not be asked again at once. Null for errors of any other kind.
 * @see https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 */
export function lossOf(thrown: unknown): 'reset' | 'overloaded' | null {
  if (!(thrown instanceof Error)) return null
  const { overloaded, retryable, durableObjectReset } = thrown as Error & Marks
  if (overloaded === true) return 'overloaded'
  return retryable === true || durableObjectReset === true || thrown.message === CONNECTION_LOST ? 'reset' : null
}

interface Marks {
  readonly overloaded?: unknown
  readonly retryable?: unknown
  readonly durableObjectReset?: unknown
}

/** Text of workerd, which marks such an error only where it comes from an object. */
const CONNECTION_LOST = 'Network connection lost.'
