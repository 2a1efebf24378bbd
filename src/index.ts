import { DurableObject } from 'cloudflare:workers'
import { createServer, type Server } from './server.ts'

export class SessionObject extends DurableObject<Env> {}
export class TenantObject extends DurableObject<Env> {}

/** Of this isolate; holds nothing of a tenant but rows of keys, for at most KEY_CACHE_MS. */
let server: Server | undefined

export default {
  fetch(request, env) {
    server ??= createServer(env)
    return server.fetch(request)
  },
} satisfies ExportedHandler<Env>
