import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import type { TenantId } from '../src/core/ids.ts'
import { ToolDefinition } from '../src/registry/definition.ts'
import type { TenantApi } from '../src/tenant/api.ts'
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
  /** By a Worker that does nothing but ask it. */
  readonly fetched: number
  /** By one that keeps a row of it besides: the least that a counted call can be. */
  readonly kept: number
  /** By a registered tool. */
  readonly tool: number
}

/**
 * Calls of a registered HTTP tool by Toolcore's API, each caller an agent of its own, with a service on loopback in a
 * process of its own. The Worker runs in workerd, whose socket is asked: no development server lies between.
 */
export async function toolCalls(quick: boolean, progress: (what: string) => (done: number) => void) {
  const times: ToolCallTimes[] = []
  const directory = await mkdtemp(join(tmpdir(), 'toolyard-bench-'))
  const services = await Promise.all(SERVICES.map(startService))
  const agent = new Agent({ keepAlive: true })
  const worker = await startWorker(directory, services)
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
        // So many that each wait of the service comes equally often in every round.
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
    await rm(directory, { recursive: true, force: true })
  }
}

interface Service {
  readonly id: string
  readonly name: string
  readonly port: number
  readonly url: string
  stop(): void
}

/** It waits the times that it is given, one after the other. */
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

async function startWorker(directory: string, services: readonly Service[]) {
  await promisify(execBundle)(directory)
  const names = (await readdir(directory)).filter((name) => !/\.(js|map|md)$/.test(name))
  const object = (className: string) => ({ className, useSQLite: true })
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      modulesRoot: directory,
      modules: [
        { type: 'ESModule', path: join(directory, 'worker.js') },
        ...names.map((name) => ({ type: 'Data' as const, path: join(directory, name) })),
      ],
      compatibilityDate: '2026-10-01',
      compatibilityFlags: ['nodejs_compat'],
      durableObjects: {
        SESSIONS: object('SessionObject'),
        TENANTS: object('TenantObject'),
        LEASES: object('LeasesObject'),
        FLOOR: object('FloorObject'),
      },
      r2Buckets: ['BLOBS'],
      d1Databases: ['DB'],
      serviceBindings: { ASSETS: { disk: { path: 'src/assets', writable: false } } },
      bindings: {
        OPEN_TENANT: 'dev',
        DANGEROUSLY_ALLOW_HOSTS: services.map(({ port }) => `127.0.0.1:${port}`).join(','),
      },
    }),
  )
  await miniflare.ready
  const { port } = await miniflare.unsafeGetDirectURL()
  return {
    port: Number(port),
    async register({ id, url }: Service) {
      const { TENANTS } = await miniflare.getBindings<Env>()
      const tenant: TenantApi = TENANTS.getByName('dev' as TenantId)
      const definition = ToolDefinition.parse({
        id,
        name: id,
        description: 'Measured.',
        input_schema: {},
        executor: { kind: 'http', target: url },
      })
      const answer = await tenant.changeTools([{ op: 'put', definition }], { key: null, agent: null })
      if ('failure' in answer) throw new Error(answer.failure.message)
    },
    stop: () => miniflare.dispose(),
  }
}

function execBundle(directory: string, done: (error: Error | null) => void): void {
  const wrangler = ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--dry-run', '-c', 'bench/wrangler.toml']
  const child = spawn(process.execPath, [...wrangler, '--outdir', directory], { stdio: 'ignore' })
  child.on('exit', (code) => done(code === 0 ? null : new Error('the Worker could not be bundled')))
}

interface Sent {
  readonly agent: Agent
  readonly port: number
  readonly path: string
  readonly body: object
}

/** By Node's plain client, whose own cost is small beside what is measured. */
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
