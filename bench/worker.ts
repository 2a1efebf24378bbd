import { DurableObject } from 'cloudflare:workers'
import { Sandbox } from '@e2b/code-interpreter'
import { Hono } from 'hono'
import toolyard from '../src/index.ts'
import { RowCounter } from './row-counter.ts'

// biome-ignore lint/performance/noBarrelFile: a Worker's entry exports its Durable Objects
export { ConnectionObject } from '../src/connections/connection-object.ts'
export { LeasesObject } from '../src/leases/leases-object.ts'
export { SessionObject } from '../src/session/session-object.ts'
export { TenantObject } from '../src/tenant/tenant-object.ts'

const rows = new RowCounter()

interface FloorEnv extends Env {
  readonly FLOOR: DurableObjectNamespace<FloorObject>
  readonly E2B_API_KEY?: string
  readonly E2B_API_URL?: string
  readonly E2B_SANDBOX_URL?: string
}

/** The least that a tool call can be on this platform: one object call and one insert. And the least sandbox command. */
export class FloorObject extends DurableObject<FloorEnv> {
  #sandbox: Sandbox | null = null

  constructor(ctx: DurableObjectState, env: FloorEnv) {
    super(ctx, env)
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS calls (id INTEGER PRIMARY KEY, text TEXT)')
  }

  countRows(): void {
    rows.start(this.ctx.storage.sql)
  }

  insert(text: string): number {
    this.ctx.storage.sql.exec('INSERT INTO calls (text) VALUES (?)', text)
    return text.length
  }

  /** Runs a command. @returns milliseconds of making the sandbox (0 when it was there) and of the command in it. */
  async run(command: string): Promise<{ readonly exitCode: number }> {
    const { E2B_API_URL: apiUrl = '', E2B_SANDBOX_URL: sandboxUrl = '', E2B_API_KEY: apiKey = '' } = this.env
    this.#sandbox ??= await Sandbox.create('base', { apiKey, apiUrl, sandboxUrl, validateApiKey: false })
    const { exitCode } = await this.#sandbox.commands.run(command)
    return { exitCode }
  }

  async end(): Promise<void> {
    await this.#sandbox?.kill()
    this.#sandbox = null
  }
}

const floor = new Hono<{ Bindings: FloorEnv }>()
floor.post('/floor/insert', async (c) => {
  const { text } = await c.req.json<{ text: string }>()
  return c.json({ length: await c.env.FLOOR.getByName('floor').insert(text) })
})
floor.post('/floor/fetch', async (c) => {
  const { url } = await c.req.json<{ url: string }>()
  return c.json(await (await fetch(url, { method: 'POST', body: '{}' })).json())
})
/** Counts the rows of all objects, from one request to the other: they share this isolate. */
floor.post('/floor/rows/start', async (c) => {
  await c.env.FLOOR.getByName('floor').countRows()
  return c.json({})
})
floor.post('/floor/rows/stop', (c) => c.json(rows.stop()))
/** The least that a large file can cost on its way into the store and out of it. */
floor.put('/floor/blobs/:key', async (c) => {
  await c.env.BLOBS.put(c.req.param('key'), c.req.raw.body)
  return c.json({})
})
floor.get('/floor/blobs/:key', async (c) => new Response((await c.env.BLOBS.get(c.req.param('key')))?.body))
/** The least that a call of a service can be which is kept. */
floor.post('/floor/fetch-and-insert', async (c) => {
  const { url } = await c.req.json<{ url: string }>()
  const text = await (await fetch(url, { method: 'POST', body: '{}' })).text()
  await c.env.FLOOR.getByName('floor').insert(text)
  return c.json(JSON.parse(text))
})
floor.post('/floor/run/:name', async (c) => {
  const { command } = await c.req.json<{ command: string }>()
  return c.json(await c.env.FLOOR.getByName(c.req.param('name')).run(command))
})
floor.delete('/floor/run/:name', async (c) => {
  await c.env.FLOOR.getByName(c.req.param('name')).end()
  return c.json({})
})

export default {
  fetch(request, env, context) {
    return new URL(request.url).pathname.startsWith('/floor/')
      ? floor.fetch(request, env, context)
      : toolyard.fetch(request, env, context)
  },
} satisfies ExportedHandler<FloorEnv>
