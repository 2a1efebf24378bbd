import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SandboxPlan } from '../../src/core/limits/sandbox-plans.ts'

/** A request to the account, and its answer's status. */
interface AccountRequest {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly status: number
}

export interface E2bAccount {
  /** URL for the SDK's `apiUrl`. */
  readonly url: string
  /** Requests so far, in order. */
  readonly requests: AccountRequest[]
  stop(): Promise<void>
}

/**
 * E2B's API on loopback, for one account: a sandbox host behind the limits of a plan, which refuses longer times as E2B does. Only
 * requests about sandboxes go by it; those into sandboxes go to the host itself.
 */
export async function startAccount(host: string, { longestRunMs }: SandboxPlan): Promise<E2bAccount> {
  const requests: AccountRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    const { method = 'GET', url: path = '/', headers } = incoming
    const answered = (status: number, contentType: string, answer: string) => {
      requests.push({ method, path, body, status })
      response.writeHead(status, { 'content-type': contentType })
      response.end(answer)
    }
    if (Number(body.timeout ?? 0) * 1_000 > longestRunMs) {
      const message = `Timeout cannot be greater than ${longestRunMs / 3_600_000} hours`
      return answered(400, 'application/json', JSON.stringify({ code: 400, message }))
    }
    const key = { 'X-API-Key': String(headers['x-api-key']), 'Content-Type': 'application/json' }
    const answer = await fetch(`${host}${path}`, { method, headers: key, ...(text !== '' && { body: text }) })
    answered(answer.status, answer.headers.get('content-type') ?? 'text/plain', await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
