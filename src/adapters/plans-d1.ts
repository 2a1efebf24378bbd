import * as z from 'zod'
import { type Database, sql } from '../ports/database.ts'
import { METERS, type Plan, type PlanStore } from '../ports/plans.ts'

const Definition = z.object({
  currency: z.string(),
  month: z.string(),
  meters: z.array(z.object({ meter: z.enum(METERS), included: z.number(), price: z.string(), per: z.number() })),
})

type PlanRow = { readonly name: string; readonly definition: string }

/** Plans in D1, tables of `migrations/0008_plans.sql`. */
export const plansD1 = (db: Database): PlanStore => ({
  async list({ limit, after } = { limit: -1, after: '' }) {
    const query = 'SELECT name, definition FROM plans WHERE name > ? ORDER BY name LIMIT ?'
    const found = await db.rows<PlanRow>(sql(query, after, limit))
    return found.map(({ name, definition }): Plan => ({ name, ...Definition.parse(JSON.parse(definition)) }))
  },

  async put({ name, ...definition }, at, most) {
    const put = await db.rows(
      sql(
        `INSERT INTO plans (name, definition, changed_at)
         SELECT ?1, ?2, ?3 WHERE (SELECT count(*) FROM plans WHERE name <> ?1) < ?4
         ON CONFLICT (name) DO UPDATE SET definition = excluded.definition, changed_at = excluded.changed_at
         RETURNING name`,
        name,
        JSON.stringify(definition),
        at,
        most,
      ),
    )
    return put.length > 0
  },

  async remove(name, at) {
    const [removed, left] = await db.batch([
      sql(
        `DELETE FROM plans WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM tenant_plans WHERE plan = ?1) AND NOT EXISTS (
           SELECT 1 FROM invitations WHERE plan = ?1 AND revoked_at IS NULL AND expires_at > ?2
         ) RETURNING name`,
        name,
        at,
      ),
      sql('SELECT name FROM plans WHERE name = ?', name),
    ])
    if (removed?.length === 1) return null
    return left?.length === 1 ? 'in use' : 'no such plan'
  },

  async ofTenants(tenants) {
    const found = await db.rows<{ tenant: string; plan: string }>(
      sql(
        'SELECT tenant, plan FROM tenant_plans WHERE tenant IN (SELECT value FROM json_each(?))',
        JSON.stringify(tenants),
      ),
    )
    return new Map(found.map(({ tenant, plan }) => [tenant, plan]))
  },

  async assign(tenant, plan) {
    if (plan === null) {
      await db.rows(sql('DELETE FROM tenant_plans WHERE tenant = ?', tenant))
      return true
    }
    const assigned = await db.rows(
      sql(
        `INSERT INTO tenant_plans (tenant, plan) SELECT ?1, name FROM plans WHERE name = ?2
         ON CONFLICT (tenant) DO UPDATE SET plan = excluded.plan RETURNING tenant`,
        tenant,
        plan,
      ),
    )
    return assigned.length > 0
  },
})
