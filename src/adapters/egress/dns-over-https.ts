import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { NO_NAME_TTL_MS } from '../../core/limits/outgoing.ts'
import { DNS_MS } from '../../core/limits/web.ts'
import { noLimit, type Slots } from '../../core/slots.ts'
import { withTimeLimit } from '../../core/time-limit.ts'

/** Looks up a name's addresses, of both kinds; at least one. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** Looks up a name; a name that does not exist has no addresses. */
export type LookUp = (name: string, signal: AbortSignal) => Promise<Found>

export interface Found {
  readonly addresses: readonly string[]
  /** Time for which all of the answer may be remembered. */
  readonly ttlMs: number
}

/** Seconds; a record without them is not to be remembered. */
const TTL = z.number().min(0).catch(0)
const Answer = z.object({
  Status: z.number(),
  Answer: z.array(z.object({ type: z.number(), data: z.string(), TTL })).default([]),
  /** Says of an answer without records how long it is good. */
  Authority: z.array(z.object({ TTL })).catch([]),
})

const RECORDS = [
  { type: 'A', number: 1 },
  { type: 'AAAA', number: 28 },
] as const
const NO_SUCH_NAME = 3
const LATER = 'the call itself is right: try again later, or do without it'

/**
 * DNS look-up over HTTPS, in the JSON form of Cloudflare and Google. The function throws FailureError `upstream` when the
 * resolver gives no answer.
 * @param slot places for the requests; waiting for one is not counted as time of the look-up
 * @see https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
 */
export function dnsOverHttps(resolverUrl: string, send: typeof fetch, slot: Slots = noLimit): LookUp {
  return async (name, signal) => {
    const answers = await Promise.all(
      RECORDS.map((record) => slot(() => ask(resolverUrl, send, name, record, signal), signal)),
    )
    const addresses = answers.flatMap((answer) => answer.addresses)
    // The lack of one kind of address is remembered no longer than the resolver does: one that is private may come.
    const ttlMs = Math.min(...answers.map((answer) => answer.ttlMs))
    return { addresses, ttlMs: addresses.length > 0 ? ttlMs : Math.min(ttlMs, NO_NAME_TTL_MS) }
  }
}

/** Look-up that remembers nothing. The function throws FailureError `upstream` also for a name that does not exist. */
export const resolveBy =
  (lookUp: LookUp): Resolve =>
  async (name, signal) => {
    const { addresses } = await lookUp(name, signal)
    return addresses.length > 0 ? addresses : noSuchHost(name)
  }

export const noSuchHost = (name: string): never => fail('upstream', `there is no host named ${name}; check the URL`)

async function ask(
  resolverUrl: string,
  send: typeof fetch,
  name: string,
  { type, number }: (typeof RECORDS)[number],
  signal: AbortSignal,
): Promise<Found> {
  const url = new URL(resolverUrl)
  url.searchParams.set('name', name)
  url.searchParams.set('type', type)
  let parsed: z.output<typeof Answer>
  try {
    parsed = await withTimeLimit(DNS_MS, signal, async (limited) => {
      const headers = { Accept: 'application/dns-json' }
      const response = await send(url, { headers, redirect: 'manual', signal: limited })
      if (response.status !== 200) throw new Error(`status ${response.status}`)
      return Answer.parse(await response.json())
    })
  } catch (cause) {
    signal.throwIfAborted()
    const message = `cannot find out where ${name} leads: the DNS resolver gives no answer; ${LATER}`
    fail('upstream', message, { cause })
  }
  if (parsed.Status !== 0 && parsed.Status !== NO_SUCH_NAME) {
    fail('upstream', `cannot find out where ${name} leads: its DNS servers give no answer; ${LATER}`)
  }
  const addresses = parsed.Answer.filter((record) => record.type === number).map(({ data }) => data)
  // Names that lead to other names have a time each.
  const times = [...parsed.Answer, ...parsed.Authority].map((record) => record.TTL * 1_000)
  return { addresses, ttlMs: times.length > 0 ? Math.min(...times) : NO_NAME_TTL_MS }
}
