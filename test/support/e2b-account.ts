import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SandboxPlan } from '../../src/core/limits/sandbox-plans.ts'
import { SANDBOX_HOST_KEY } from './sandboxd.ts'

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
 * E2B's API on loopback, for one account: a sandbox host behind the limits of a plan, which refuses longer times, more sandboxes at once
 * and more creations in a second as E2B does. Only requests about sandboxes go by it; those into sandboxes go to the host itself.
 */
export async function startAccount(host: string, plan: SandboxPlan): Promise<E2bAccount> {
  const requests: AccountRequest[] = []
  const limits = new Limits(host, plan)
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
    const refused = (code: number, message: string) =>
      answered(code, 'application/json', JSON.stringify({ code, message }))
    if (Number(body.timeout ?? 0) * 1_000 > plan.longestRunMs) {
      return refused(400, `Timeout cannot be greater than ${plan.longestRunMs / 3_600_000} hours`)
    }
    const start = startOf(method, path)
    const refusal = start && (await limits.begin(start))
    if (refusal) return refused(429, refusal)
    const key = { 'X-API-Key': String(headers['x-api-key']), 'Content-Type': 'application/json' }
    const answer = await fetch(`${host}${path}`, { method, headers: key, ...(text !== '' && { body: text }) })
    const answerText = await answer.text()
    if (start) limits.end(start, answer.ok ? answerText : null)
    answered(answer.status, answer.headers.get('content-type') ?? 'text/plain', answerText)
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

/** Start of a sandbox: a new one, or a paused one that wakes. */
interface Start {
  /** Id of the sandbox that wakes; null for a new one. */
  readonly id: string | null
}

function startOf(method: string, path: string): Start | null {
  const [isStart, id = null] = /^(?:\/v\d)?\/sandboxes(?:\/([^/?]+)\/(?:connect|resume))?$/.exec(path) ?? []
  return method === 'POST' && isStart !== undefined ? { id } : null
}

/** Count of what runs and of what was made, as the account keeps it. */
class Limits {
  readonly #host: string
  readonly #plan: SandboxPlan
  /** Sandboxes that were made. */
  readonly #made = new Set<string>()
  /** Starts that the host has not answered. */
  readonly #beginning = new Set<Start>()
  /** Creations that are allowed now, and the time for which that was counted. */
  #creations: number
  #countedAt = performance.now()
  /** Starts are judged one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(host: string, plan: SandboxPlan) {
    this.#host = host
    this.#plan = plan
    this.#creations = this.#mostCreations
  }

  /** Two more than in a second: creations that were held up on their way come sooner before the next one. */
  get #mostCreations(): number {
    return this.#plan.creationsPerSecond + 2
  }

  /** Counts a start. @returns the refusal of one that is too much; null where it may go on, until {@link end} */
  begin(start: Start): Promise<string | null> {
    const judged = this.#last.then(() => this.#judge(start))
    this.#last = judged.catch(() => null)
    return judged
  }

  /** @param answer what the host answered; null where it started none */
  end(start: Start, answer: string | null): void {
    this.#beginning.delete(start)
    if (answer !== null) this.#made.add((JSON.parse(answer) as { sandboxID: string }).sandboxID)
  }

  async #judge(start: Start): Promise<string | null> {
    const { running } = this.#plan
    const atHost = await this.#runningAtHost()
    // One that begins may be at the host already.
    const waking = [...this.#beginning].flatMap(({ id }) => id ?? [])
    const begun = new Set([...atHost.filter((id) => this.#made.has(id)), ...waking])
    const making = this.#beginning.size - waking.length
    if ((start.id === null || !begun.has(start.id)) && begun.size + making >= running) {
      return `you have reached the maximum number of concurrent E2B sandboxes (${running})`
    }
    if (start.id === null && !this.#takeCreation()) return 'Rate limit exceeded, please try again later'
    this.#beginning.add(start)
    return null
  }

  #takeCreation(): boolean {
    const now = performance.now()
    const earned = ((now - this.#countedAt) / 1_000) * this.#plan.creationsPerSecond
    this.#creations = Math.min(this.#mostCreations, this.#creations + earned)
    this.#countedAt = now
    if (this.#creations < 1) return false
    this.#creations -= 1
    return true
  }

  /** Ids of the sandboxes that run at the host. */
  async #runningAtHost(): Promise<readonly string[]> {
    const answer = await fetch(`${this.#host}/v2/sandboxes?state=running`, {
      headers: { 'X-API-Key': SANDBOX_HOST_KEY },
    })
    return ((await answer.json()) as { sandboxID: string }[]).map(({ sandboxID }) => sandboxID)
  }
}
