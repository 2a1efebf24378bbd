import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { objectClient } from '../src/adapters/object-client.ts'
import type { TenantId } from '../src/core/ids.ts'
import { ToolDefinition } from '../src/registry/definition.ts'
import type { TenantApi } from '../src/tenant/api.ts'
import { startDirectWorker } from './direct-worker.ts'
import { compare, type Work } from './measure.ts'

/** A service that answers at once, and one that works as long as services do: not always equally long. */
const SERVICES = [
  { id: 'service.fast', name: 'at once', ms: [0] },
  { id: 'service.usual', name: 'after 25 to 75 ms', ms: Array.from({ length: 51 }, (_, at) => 25 + ((at * 37) % 51)) },
] as const

export interface ToolCallTimes {
  readonly service: string
  readonly callers: number
  /** p50 in milliseconds of the service asked directly. */
  readonly direct: number
  /** Time by a Worker that only calls the service. */
  readonly fetched: number
  /** Time by a Worker that keeps a row of the call besides: the least that a counted call can be. */
  readonly kept: number
  /** Time by a registered tool. */
  readonly tool: number
}

/**
 * Measures calls of a registered HTTP tool by Toolcore's API, each caller an agent of its own, with a service on loopback
 * in a process of its own. The Worker runs in workerd and is called at its own socket: no development server lies between.
 */
export async function toolCalls(quick: boolean, progress: (what: string) => (done: number) => void) {
  const times: ToolCallTimes[] = []
  const services = await Promise.all(SERVICES.map(startService))
  const agent = new Agent({ keepAlive: true })
  const worker = await startWorker(services)
  try {
    for (const service of services) {
      await worker.register(service)
      const post = (port: number, path: string, body: object) => send({ agent, port, path, body })
      const works = {
        direct: () => post(service.port, '/tool', { args: {}, context: {} }),
        fetched: () => post(worker.port, '/floor/fetch', { url: service.url }),
        kept: () => post(worker.port, '/floor/fetch-and-insert', { url: service.url }),
        tool: (caller) =>
          post(worker.port, '/internal/tools/call', {
            tool_id: service.id,
            agent_id: `agent-${caller}`,
            microdao_id: 'bench',
          }),
      } satisfies Record<string, Work>
      for (const callers of [1, 32]) {
        // Calls per round, so many that each delay of the service comes equally often in every one.
        const perRound = callers === 1 ? 51 : 51 * 13
        const size = { rounds: quick ? 3 : 8, perRound, concurrent: callers }
        const what = `tool calls, ${service.name}, ${callers}`
        times.push({ service: service.name, callers, ...(await compare(works, size, progress(what))) })
      }
    }
    return times
  } finally {
    agent.destroy()
    await worker.stop()
    for (const service of services) service.stop()
  }
}

interface Service {
  readonly id: string
  readonly name: string
  readonly port: number
  readonly url: string
  stop(): void
}

/** Program of the service, which waits the given delays, one after the other. */
const SERVICE = `
  const waits = JSON.parse(process.argv[1])
  let asked = 0
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => {
      const answer = () => {
        response.setHeader('content-type', 'application/json')
        response.end('{"projects":[]}')
      }
      const ms = waits[asked++ % waits.length]
      if (ms === 0) answer()
      else setTimeout(answer, ms)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

async function startService({ id, name, ms }: (typeof SERVICES)[number]): Promise<Service> {
  const child = spawn(process.execPath, ['-e', SERVICE, JSON.stringify(ms)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const port = Number(line)
  return { id, name, port, url: `http://127.0.0.1:${port}/tool`, stop: () => child.kill() }
}

async function startWorker(services: readonly Service[]) {
  const hosts = services.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const worker = await startDirectWorker({ DANGEROUSLY_ALLOW_HOSTS: hosts })
  return {
    port: Number(worker.url.port),
    async register({ id, url }: Service) {
      const { TENANTS } = await worker.bindings()
      const tenant = tenantTools(() => TENANTS.getByName('dev' as TenantId))
      const definition = ToolDefinition.parse({
        id,
        name: id,
        description: 'Measured.',
        input_schema: {},
        executor: { kind: 'http', target: url },
      })
      await tenant.tools.change([{ op: 'put', definition }], { key: null, agent: null })
    },
    stop: () => worker.stop(),
  }
}

/** A tenant's object, as the bench asks it: `objects.ts` loads the tools, and with them files that plain Node cannot import. */
const tenantTools = objectClient<{ readonly tools: Pick<TenantApi['tools'], 'change'> }>({ tools: { change: 'once' } })

interface Sent {
  readonly agent: Agent
  readonly port: number
  readonly path: string
  readonly body: object
}

/** Sends a request by Node's plain client, whose own cost is small beside the measured one. */
function send({ agent, port, path, body }: Sent): Promise<void> {
  const text = JSON.stringify(body)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-internal-secret': 'dev-secret-token',
  }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${path} is answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject).end(text)
  })
}
