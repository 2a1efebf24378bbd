import { FailureError } from '../../core/failure.ts'
import { MAX_DNS_ADDRESSES, MAX_DNS_NAMES, MAX_DNS_TTL_MS } from '../../core/limits/outgoing.ts'
import { unlessAborted } from '../../core/unless-aborted.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Found, type LookUp, noSuchHost, type Resolve } from './dns-over-https.ts'

interface Known {
  readonly addresses: readonly string[]
  /** Time from which on it is looked up again, in milliseconds since 1970. */
  readonly until: number
}

const NEVER = new AbortController().signal

/**
 * Look-up that remembers answers for as long as their records allow: the resolver itself would give the same ones until then, so
 * that a name is judged by no older address than without it. Callers that ask for one name at the same time share one look-up.
 * What the resolver could not tell is not remembered. For one object: requests of a Worker must not wait for one another.
 */
export function rememberingResolve(lookUp: LookUp, clock: Clock): Resolve {
  /** The name that was looked up last stands last. */
  const known = new Map<string, Known>()
  const underWay = new Map<string, Promise<Known>>()

  function remember(name: string, { addresses, ttlMs }: Found, since: number): Known {
    const answer = { addresses, until: since + Math.min(ttlMs, MAX_DNS_TTL_MS) }
    known.delete(name)
    if (answer.until <= clock.now() || addresses.length > MAX_DNS_ADDRESSES) return answer
    known.set(name, answer)
    const [oldest] = known.keys()
    if (known.size > MAX_DNS_NAMES && oldest !== undefined) known.delete(oldest)
    return answer
  }

  function lookUpOnce(name: string): Promise<Known> {
    const begun = underWay.get(name)
    if (begun) return begun
    const since = clock.now()
    const looking = lookUp(name, NEVER)
      .then((found) => remember(name, found, since))
      .finally(() => underWay.delete(name))
    underWay.set(name, looking)
    // Nobody may be left who hears of a failure.
    looking.catch(() => undefined)
    return looking
  }

  async function shared(name: string, signal: AbortSignal): Promise<Known> {
    try {
      return await unlessAborted(lookUpOnce(name), signal)
    } catch (thrown) {
      throw ownError(thrown)
    }
  }

  return async (name, signal) => {
    signal.throwIfAborted()
    const old = known.get(name)
    const isGood = old !== undefined && clock.now() < old.until
    const { addresses } = isGood ? old : await shared(name, signal)
    return addresses.length > 0 ? addresses : noSuchHost(name)
  }
}

/** Error of work that several callers awaited, for one of them: each adds its own causes. */
const ownError = (thrown: unknown): unknown =>
  thrown instanceof FailureError ? new FailureError(thrown.failure, { cause: thrown }) : thrown
