import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import type { SecretInfo } from '../../../../tenant/api.ts'
import { type AppEnv, servicesFor } from '../../../dialect.ts'
import { readInput } from '../../../input.ts'

const Secret = z.object({ value: z.string() })

/**
 * The tenant's secrets: `PUT /v1/secrets/{name}` with `{value}` stores one, `GET /v1/secrets` lists their names, `DELETE
 * /v1/secrets/{name}` removes one. No route reads a secret back. They are the owner's, so all routes need the scope `admin`.
 */
export function addSecrets(app: Hono<AppEnv>): void {
  app.get('/v1/secrets', async (c) => {
    const secrets = await servicesFor(c, 'admin').tenant.secrets.list()
    return c.json({ secrets: secrets.map(encodeSecret) })
  })

  app.put('/v1/secrets/:name', async (c) => {
    const { tenant, key } = servicesFor(c, 'admin')
    const { value } = await readInput(c.req.raw, Secret)
    return c.json(encodeSecret(await tenant.secrets.put(c.req.param('name'), value, { key, agent: null })))
  })

  app.delete('/v1/secrets/:name', async (c) => {
    const name = c.req.param('name')
    const { tenant, key } = servicesFor(c, 'admin')
    const removed = await tenant.secrets.remove(name, { key, agent: null })
    if (!removed) fail('not_found', `there is no secret ${name.slice(0, 64)}; GET /v1/secrets lists those there are`)
    return c.json({ name, removed: true })
  })
}

const encodeSecret = ({ name, changedAt }: SecretInfo) => ({ name, changed_at: new Date(changedAt).toISOString() })
