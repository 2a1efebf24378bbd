import { DurableObject } from 'cloudflare:workers'
import { Hono } from 'hono'
import { ConnectionObject as Connection } from '../../src/connections/connection-object.ts'
import toolyard from '../../src/index.ts'
import { LeasesObject as Leases } from '../../src/leases/leases-object.ts'
import { SessionObject as Session } from '../../src/session/session-object.ts'
import { TenantObject as Tenant } from '../../src/tenant/tenant-object.ts'
import { countedEnv } from './counted-env.ts'
import { counter } from './counter.ts'
import { inUse } from './in-use.ts'

type ObjectClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>

/** A class of objects whose requests, rows, bindings and seconds in use are counted, and whose alarm can be had at once. */
function counted<Class extends ObjectClass>(kind: string, objects: Class): Class {
  const Base: ObjectClass = objects
  class Counted extends Base {
    readonly inUse = inUse.object(kind)

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, countedEnv(env))
      counter.watch(ctx.storage)
    }

    async alarmNow(): Promise<void> {
      await this.alarm?.()
    }
  }
  for (const name of methodsOf(Base.prototype)) {
    const method = Reflect.get(Base.prototype, name) as (...args: unknown[]) => unknown
    Object.defineProperty(Counted.prototype, name, {
      value(this: Counted, ...args: unknown[]) {
        counter.add('objectRequests')
        return inUse.run(this.inUse, () => Reflect.apply(method, this, args) as unknown)
      },
    })
  }
  return Counted as unknown as Class
}

const methodsOf = (prototype: object) =>
  Object.getOwnPropertyNames(prototype).filter(
    (name) => name !== 'constructor' && typeof Object.getOwnPropertyDescriptor(prototype, name)?.value === 'function',
  )

export const SessionObject = counted('session', Session)
export const TenantObject = counted('tenant', Tenant)
export const LeasesObject = counted('leases', Leases)
export const ConnectionObject = counted('connection', Connection)
/** Nothing is compared here; the bench's Worker has an object of this name. */
export class FloorObject extends DurableObject {}

type Waking = { readonly alarmNow: () => Promise<void> }

const control = new Hono<{ Bindings: Env }>()
control.post('/cost/start', (c) => {
  counter.start()
  return c.json({})
})
control.post('/cost/stop', (c) => c.json(counter.stop()))
control.post('/cost/in-use/start', (c) => {
  inUse.start()
  return c.json({})
})
control.post('/cost/in-use/stop', (c) => c.json(inUse.stop()))
control.post('/cost/pass/:ms', (c) => {
  counter.pass(Number(c.req.param('ms')))
  return c.json({})
})
control.post('/cost/alarm/:kind/:name{.+}', async (c) => {
  const { kind, name } = c.req.param()
  const objects = kind === 'tenant' ? c.env.TENANTS : c.env.SESSIONS
  await (objects.getByName(name) as unknown as Waking).alarmNow()
  return c.json({})
})

export default {
  fetch(request, env, context) {
    if (new URL(request.url).pathname.startsWith('/cost/')) return control.fetch(request, env, context)
    counter.add('workerRequests')
    return toolyard.fetch(request, countedEnv(env), context)
  },
} satisfies ExportedHandler<Env>
