import * as z from 'zod'
import { fail } from '../../../core/failure.ts'
import { tenantId } from '../../../core/ids.ts'
import { MAX_ADMIN_PAGE, MAX_KEY_EXPIRY_DAYS, MAX_LABEL_CHARS } from '../../../core/limits/tenants.ts'
import type { KeyInfo, KeyPlace, Tenant } from '../../../ports/keys.ts'
import { integerWithin } from '../../../tools/arguments.ts'
import { encodePage, pageQuery } from '../../operations/page.ts'

const DAY_MS = 24 * 60 * 60_000

const Label = z.string().trim().min(1).max(MAX_LABEL_CHARS)
const SCOPES = ['read', 'execute', 'admin'] as const

// Strict: a misspelt `expires_at` that was ignored would make a key that never expires.
export const CreateTenant = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, '1 to 64 characters of a-z, 0-9 and "-", no "-" at either end')
      .transform(tenantId)
      .optional()
      .meta({ description: 'A random one if not given. It is never free again.' }),
    name: Label,
  })
  .meta({ id: 'NewTenant' })

export const ChangeTenant = z
  .strictObject({ name: Label.optional(), disabled: z.boolean().optional() })
  .refine(({ name, disabled }) => name !== undefined || disabled !== undefined, 'give "name", "disabled" or both')
  .meta({ id: 'TenantChange' })

export const CreateKey = z
  .strictObject({
    name: Label,
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .transform((scopes) => [...new Set(scopes)])
      .default(['read', 'execute']),
    expires_at: z.iso
      .datetime({ offset: true })
      .transform((text) => Date.parse(text))
      .nullish(),
    expires_in_days: integerWithin(1, MAX_KEY_EXPIRY_DAYS).nullish(),
  })
  .refine(
    (key) => key.expires_at == null || key.expires_in_days == null,
    'give expires_at or expires_in_days, not both',
  )
  .meta({ id: 'NewKey' })

/** Expiry of a new key. @throws FailureError `invalid_input` for a time that is over, or further off than MAX_KEY_EXPIRY_DAYS */
export function expiryOf(key: z.output<typeof CreateKey>, now: number): number | null {
  if (key.expires_in_days != null) return now + key.expires_in_days * DAY_MS
  if (key.expires_at == null) return null
  if (key.expires_at <= now) fail('invalid_input', 'expires_at is in the past; give a time to come')
  if (key.expires_at > now + MAX_KEY_EXPIRY_DAYS * DAY_MS) {
    fail(
      'invalid_input',
      `expires_at is more than ${MAX_KEY_EXPIRY_DAYS} days ahead; leave it out for a key that stays`,
    )
  }
  return key.expires_at
}

const { limit } = pageQuery(MAX_ADMIN_PAGE)
const CURSOR = 'The next_cursor of the page before.'

export const TenantsQuery = z.object({ limit, cursor: z.string().max(64).optional().meta({ description: CURSOR }) })

export const KeysQuery = z.object({
  limit,
  cursor: z
    .string()
    .regex(/^\d{1,15}-[0-9A-Za-z]{1,32}$/, 'not a cursor of this listing')
    .transform((text): KeyPlace => {
      const [createdAt = '', id = ''] = text.split('-')
      return { createdAt: Number(createdAt), id }
    })
    .optional()
    .meta({ description: CURSOR }),
})

const time = z.iso.datetime()

export const TenantAnswer = z
  .object({ id: z.string(), name: z.string(), created_at: time, disabled: z.boolean() })
  .meta({ id: 'Tenant' })

const keyFields = {
  id: z.string(),
  tenant: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: time,
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
}
export const KeyAnswer = z.object(keyFields).meta({ id: 'Key' })
export const NewKeyAnswer = z
  .object({ key: z.string().meta({ description: 'The key itself, shown this once.' }), ...keyFields })
  .meta({ id: 'CreatedKey' })

export const encodeTenant = ({ id, name, createdAt, disabledAt }: Tenant) => ({
  id,
  name,
  created_at: encodeTime(createdAt),
  disabled: disabledAt !== null,
})

export const encodeKey = (key: KeyInfo) => ({
  id: key.id,
  tenant: key.tenant,
  name: key.name,
  scopes: key.scopes,
  created_at: encodeTime(key.createdAt),
  expires_at: key.expiresAt === null ? null : encodeTime(key.expiresAt),
  revoked_at: key.revokedAt === null ? null : encodeTime(key.revokedAt),
})

/**
 * A page of items.
 * @param items one more than the page holds, when there is more
 */
export function encodeOneMore<Item, Encoded>(
  items: readonly Item[],
  most: number,
  encode: (item: Item) => Encoded,
  cursor: (item: Item) => string,
) {
  const shown = items.slice(0, most)
  const last = shown.at(-1)
  return encodePage(shown.map(encode), items.length > most && last !== undefined ? cursor(last) : null)
}

export const keyCursor = ({ createdAt, id }: KeyPlace) => `${createdAt}-${id}`

const encodeTime = (ms: number) => new Date(ms).toISOString()
