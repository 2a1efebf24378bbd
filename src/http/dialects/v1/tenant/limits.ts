import type { Hono } from 'hono'
import { LimitSettings } from '../../../../registry/limit-settings.ts'
import { type AppEnv, servicesFor } from '../../../dialect.ts'
import { readInput } from '../../../input.ts'

/** Body of a PUT. `rules` is required: left out by mistake they would end every limit. */
const PutLimits = LimitSettings.extend({ rules: LimitSettings.shape.rules.unwrap() })

/**
 * Limits on the use of a tenant's tools: `GET /v1/limits`, and `PUT /v1/limits` with all of them. They are the owner's, so both
 * need the scope `admin`.
 */
export function addLimits(app: Hono<AppEnv>): void {
  app.get('/v1/limits', async (c) => c.json(await servicesFor(c, 'admin').tenant.limits.read()))

  app.put('/v1/limits', async (c) => {
    const { tenant, key } = servicesFor(c, 'admin')
    const settings = await readInput(c.req.raw, PutLimits)
    await tenant.limits.put(settings, { key, agent: null })
    return c.json(settings)
  })
}
