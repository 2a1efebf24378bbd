import { createServer, type Server } from './server.ts'

// biome-ignore lint/performance/noBarrelFile: a Worker's entry exports its Durable Objects
export { ConnectionObject } from './connections/connection-object.ts'
export { LeasesObject } from './leases/leases-object.ts'
export { SessionObject } from './session/session-object.ts'
export { TenantObject } from './tenant/tenant-object.ts'

/** Server of this isolate; holds nothing of a tenant but rows of keys, for at most KEY_CACHE_MS. */
let server: Server | undefined

export default {
  fetch(request, env, context) {
    if (!server) {
      server = createServer(env)
      context.waitUntil(server.begin())
    }
    return server.fetch(request, (work) => context.waitUntil(work))
  },
} satisfies ExportedHandler<Env>
