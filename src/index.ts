import { DurableObject } from 'cloudflare:workers'

export class SessionObject extends DurableObject<Env> {}
export class TenantObject extends DurableObject<Env> {}
export default { fetch: () => new Response('not yet') }
