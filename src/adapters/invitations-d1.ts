import * as z from 'zod'
import { JURISDICTIONS, LOCATIONS, ownId } from '../core/placement.ts'
import { type Database, sql } from '../ports/database.ts'
import type { Invitation, InvitationStore } from '../ports/invitations.ts'
import { KeptInternet, NAMESAKES } from './keys-d1.ts'

/** Invitations in D1, tables of `migrations/0009_invitations.sql`; what they make is in those of tenants, keys and plans. */
export const invitationsD1 = (db: Database): InvitationStore => ({
  async add({ id, hash, name, plan, internet, placement, uses, createdAt, expiresAt }, most) {
    const added = await db.rows(
      sql(
        `INSERT INTO invitations (id, hash, name, plan, internet, jurisdiction, location_hint, uses, created_at, expires_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
         WHERE (?4 IS NULL OR EXISTS (SELECT 1 FROM plans WHERE name = ?4)) AND ?11 > (
           SELECT count(*) FROM invitations WHERE revoked_at IS NULL AND expires_at > ?9
         ) RETURNING id`,
        ...[id, hash, name, plan, internet && JSON.stringify(internet)],
        ...[placement.jurisdiction, placement.locationHint, uses, createdAt, expiresAt, most],
      ),
    )
    if (added.length > 0) return null
    const known = plan === null ? [plan] : await db.rows(sql('SELECT name FROM plans WHERE name = ?', plan))
    return known.length > 0 ? 'too many' : 'no such plan'
  },

  async list({ limit, after }) {
    const found = await db.rows(
      sql(
        `SELECT *, (SELECT json_group_array(tenant) FROM (
           SELECT tenant FROM sign_ups WHERE invitation = invitations.id ORDER BY at, key
         )) AS tenants
         FROM invitations WHERE (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
        after?.createdAt ?? -1,
        after?.id ?? '',
        limit,
      ),
    )
    return found.map(decodeInvitation)
  },

  async revoke(id, at) {
    const query = 'UPDATE invitations SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING id'
    return (await db.rows(sql(query, at, id))).length > 0
  },

  async find(hash, now) {
    const [row] = await db.rows(
      sql(`SELECT *, '[]' AS tenants FROM invitations WHERE hash = ?1 AND ${GOOD}`, hash, now),
    )
    return row === undefined ? null : decodeInvitation(row)
  },

  async use(hash, { tenant, name, at, key }) {
    const taken = 'sign_ups JOIN invitations ON invitations.id = invitation WHERE key = ?1'
    // The first statement takes the use, if it can. The others find its row by the id of the new key, which nobody else has.
    const [uses] = await db.batch([
      sql(
        `INSERT INTO sign_ups (key, invitation, tenant, at) SELECT ?3, id, ?4, ?2 FROM invitations
         WHERE hash = ?1 AND ${GOOD} AND NOT EXISTS (${NAMESAKES('?5')}) RETURNING key`,
        ...[hash, at, key.id, tenant, ownId(tenant)],
      ),
      sql(
        `INSERT INTO tenants (id, name, created_at, internet) SELECT tenant, ?2, at, internet FROM ${taken}`,
        key.id,
        name,
      ),
      sql(
        `INSERT INTO tenant_plans (tenant, plan) SELECT tenant, plan FROM ${taken} AND plan IN (SELECT name FROM plans)`,
        key.id,
      ),
      sql(
        `INSERT INTO keys (id, tenant, name, hash, scopes, created_at, expires_at, addresses)
         SELECT key, tenant, ?2, ?3, ?4, at, NULL, '' FROM sign_ups WHERE key = ?1`,
        ...[key.id, key.name, key.hash.toHex(), key.scopes.join(' ')],
      ),
    ])
    return uses?.length === 1
  },

  async takeBack(key) {
    const tenant = '(SELECT tenant FROM sign_ups WHERE key = ?)'
    await db.batch([
      sql('DELETE FROM keys WHERE id = ?', key),
      sql(`DELETE FROM tenant_plans WHERE tenant = ${tenant}`, key),
      sql(`DELETE FROM tenants WHERE id = ${tenant}`, key),
      sql('DELETE FROM sign_ups WHERE key = ?', key),
    ])
  },
})

/** Condition for an invitation that can be used at time ?2. */
const GOOD = `revoked_at IS NULL AND expires_at > ?2
  AND uses > (SELECT count(*) FROM sign_ups WHERE invitation = invitations.id)`

const InvitationRow = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string().nullable(),
  internet: KeptInternet.nullable(),
  jurisdiction: z.enum(JURISDICTIONS).nullable(),
  location_hint: z.enum(LOCATIONS).nullable(),
  uses: z.number(),
  tenants: z
    .string()
    .transform((json) => JSON.parse(json) as unknown)
    .pipe(z.array(z.string())),
  created_at: z.number(),
  expires_at: z.number(),
  revoked_at: z.number().nullable(),
})

function decodeInvitation(row: unknown): Invitation {
  const { jurisdiction, location_hint, created_at, expires_at, revoked_at, ...more } = InvitationRow.parse(row)
  return {
    ...more,
    placement: { jurisdiction, locationHint: location_hint },
    createdAt: created_at,
    expiresAt: expires_at,
    revokedAt: revoked_at,
  }
}
