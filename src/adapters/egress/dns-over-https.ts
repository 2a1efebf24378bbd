import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { DNS_MS } from '../../core/limits/web.ts'
import { withTimeLimit } from '../../core/time-limit.ts'

/** Looks up a name's addresses, of both kinds. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>

const Answer = z.object({
  Status: z.number(),
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).default([]),
})

const RECORDS = [
  { type: 'A', number: 1 },
  { type: 'AAAA', number: 28 },
] as const
const NO_SUCH_NAME = 3
const LATER = 'the call itself is right: try again later, or do without it'

/**
 * DNS look-up over HTTPS, in the JSON form of Cloudflare and Google. The function throws FailureError `upstream` when the name
 * does not exist, and when the resolver gives no answer.
 * @see https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
 */
export function dnsOverHttps(resolverUrl: string, send: typeof fetch): Resolve {
  return async (name, signal) => {
    const answers = await Promise.all(RECORDS.map((record) => ask(resolverUrl, send, name, record, signal)))
    const addresses = answers.flat()
    if (addresses.length === 0) fail('upstream', `there is no host named ${name}; check the URL`)
    return addresses
  }
}

async function ask(
  resolverUrl: string,
  send: typeof fetch,
  name: string,
  { type, number }: (typeof RECORDS)[number],
  signal: AbortSignal,
): Promise<string[]> {
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
  return parsed.Answer.filter((record) => record.type === number).map(({ data }) => data)
}
