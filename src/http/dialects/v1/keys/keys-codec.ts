import * as z from 'zod'
import { MAX_CHILD_KEY_PAGE } from '../../../../core/limits/child-keys.ts'
import { MAX_ADMIN_PAGE } from '../../../../core/limits/tenants.ts'
import type { ChildKeyInfo } from '../../../../tenant/child-keys-api.ts'
import { TenantInternetAnswer } from '../../../internet-policy.ts'
import { pageQuery } from '../../../operations/page.ts'
import { encodeTime, KeyCursor } from '../../../tenant-keys/codec.ts'

const scopes = z.array(z.enum(['read', 'execute', 'admin']))
const time = z.iso.datetime()
const amount = z.int().nullable()

export const KeysQuery = z.object({
  ...pageQuery(MAX_ADMIN_PAGE),
  cursor: KeyCursor.optional().meta({ description: 'The next_cursor of the page before.' }),
})
export const ChildrenQuery = z.object(pageQuery(MAX_CHILD_KEY_PAGE))

const Sessions = z.object({ names: z.array(z.string()), prefixes: z.array(z.string()) })
const Budget = z.object({ calls: amount, cost: amount })
const Used = z.object({ calls: z.int(), cost: z.int() })

/** Restrictions of one child key, below those of the key above it; null for none. */
const may = {
  scopes: scopes.nullable(),
  sessions: Sessions.nullable(),
  tools: z.array(z.string()).nullable(),
  calls_per_minute: amount,
  budget: Budget.nullable(),
}

export const ChildKey = z
  .object({
    id: z.string().meta({ description: 'The ids of its chain, from the key of the tenant down.' }),
    parent: z.string().meta({ description: 'The id of the key that minted it.' }),
    name: z.string(),
    ...may,
    used: Used.meta({ description: 'Ended calls, and their cost in millionths, with those of all keys below it.' }),
    created_at: time,
    expires_at: time,
    revoked_at: time.nullable(),
  })
  .meta({ id: 'ChildKey' })

export const MintedKey = ChildKey.extend({
  key: z.string().meta({ description: 'The key itself. It is shown this once.' }),
}).meta({ id: 'MintedKey' })

/** Key of the request, with its tenant and all that limits it. */
export const CurrentKey = z
  .object({
    tenant: z.string(),
    id: z.string().nullable().meta({ description: 'Null on a server that lets requests in without a key.' }),
    name: z.string().nullable(),
    scopes,
    parents: z
      .array(z.string())
      .meta({ description: 'The ids of the keys above it, from the key of the tenant down.' }),
    restrictions: z
      .array(z.object({ id: z.string(), ...may, used: Used.nullable(), expires_at: time }))
      .meta({ description: 'What each link of its chain takes away, from the eldest; all of them hold together.' }),
    limits: z
      .array(z.record(z.string(), z.union([z.string(), z.int()])))
      .meta({ description: "The tenant's limits that count its calls, those of the key and of the tenant." }),
    internet: TenantInternetAnswer.meta({ description: "Internet policies of the tenant's sessions." }),
    expires_at: time.nullable(),
  })
  .meta({ id: 'CurrentKey' })

export const encodeMay = ({ scopes, sessions, tools, calls_per_minute, budget }: ChildKeyInfo['may']) => ({
  scopes: scopes ?? null,
  sessions: sessions ?? null,
  tools: tools ?? null,
  calls_per_minute: calls_per_minute ?? null,
  budget: budget ? { calls: budget.calls ?? null, cost: budget.cost ?? null } : null,
})

export const encodeChild = ({ id, name, may, used, createdAt, expiresAt, revokedAt }: ChildKeyInfo) => ({
  id,
  parent: id.slice(0, id.lastIndexOf('.')),
  name,
  ...encodeMay(may),
  used,
  created_at: encodeTime(createdAt),
  expires_at: encodeTime(expiresAt),
  revoked_at: revokedAt === null ? null : encodeTime(revokedAt),
})
