import { Sandbox } from 'e2b'
import { tenantClient } from '../../src/objects.ts'
import type { TenantApi } from '../../src/tenant/api.ts'
import { SANDBOX_HOST_KEY } from './sandboxd.ts'
import type { Toolyard } from './toolyard.ts'

/** The sandbox of a task as the sandbox host sees it: what an operator, a crash or the clock can do to it. */
export class SandboxControl {
  readonly id: string
  readonly #toolyard: Toolyard

  constructor(toolyard: Toolyard, id: string) {
    this.#toolyard = toolyard
    this.id = id
  }

  async end(): Promise<void> {
    await this.#ask('DELETE')
  }

  /** Lets the sandbox's time run out in a second, and waits until it is paused. */
  async runOutOfTime(): Promise<void> {
    await this.#ask('POST', '/timeout', { timeout: 1 })
    while ((await this.state()) !== 'paused') await new Promise((wait) => setTimeout(wait, 20))
  }

  /** Puts a file there without the server's knowledge. @param path absolute */
  async write(path: string, content: string): Promise<void> {
    const { url } = this.#toolyard.sandboxd
    const sandbox = await Sandbox.connect(this.id, {
      apiKey: SANDBOX_HOST_KEY,
      validateApiKey: false,
      apiUrl: url,
      sandboxUrl: url,
    })
    await sandbox.files.write(path, content)
  }

  /** State of the sandbox. @returns null when it is gone */
  async state(): Promise<string | null> {
    const answer = await this.#ask('GET')
    return answer.status === 404 ? null : ((await answer.json()) as { state: string }).state
  }

  #ask(method: string, below = '', body?: object): Promise<Response> {
    return fetch(`${this.#toolyard.sandboxd.url}/sandboxes/${this.id}${below}`, {
      method,
      headers: { 'X-API-Key': SANDBOX_HOST_KEY, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
}

/** Sandbox of a task. @returns null when the task has none */
export async function sandboxOf(toolyard: Toolyard, taskId: string, tenant = 'dev'): Promise<SandboxControl | null> {
  const storage = sessionStorage(toolyard, taskId, tenant)
  // Made with the first sandbox.
  const tables = await storage.exec(`SELECT name FROM sqlite_master WHERE name = 'machine'`)
  if (tables.length === 0) return null
  const [row] = (await storage.exec('SELECT state FROM machine')) as { state: string | null }[]
  if (!row?.state) return null
  return new SandboxControl(toolyard, (JSON.parse(row.state) as { sandboxId: string }).sandboxId)
}

/** The database of a task's Durable Object. */
export const sessionStorage = (toolyard: Toolyard, taskId: string, tenant = 'dev') => ({
  exec: (query: string, ...values: readonly unknown[]) =>
    toolyard.worker.ask('SessionObject', `${tenant}/${taskId}`, { operation: 'exec', query, values }) as Promise<
      Readonly<Record<string, unknown>>[]
    >,
})

/**
 * Takes the task's Durable Object out of memory, as a restart of the Worker does. Only when no call of the task runs: workerd
 * waits for the object to be free, for 30 s at most, and delivers no answer of any server meanwhile.
 */
export const forgetSession = (toolyard: Toolyard, taskId: string, tenant = 'dev') =>
  toolyard.worker.ask('SessionObject', `${tenant}/${taskId}`, { operation: 'evict' })

/** A tenant's own Durable Object, as its callers have it. */
export const tenantObject = (toolyard: Toolyard, tenant = 'dev'): TenantApi =>
  tenantClient(
    () =>
      new Proxy(
        {},
        {
          get:
            (_, method) =>
            (...args: readonly unknown[]) =>
              toolyard.worker.ask('TenantObject', tenant, { operation: 'call', method, args }),
        },
      ),
  )
