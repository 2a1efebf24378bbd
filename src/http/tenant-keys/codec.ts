import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_KEY_EXPIRY_DAYS, MAX_LABEL_CHARS } from '../../core/limits/tenants.ts'
import type { KeyInfo, KeyPlace } from '../../ports/keys.ts'
import { integerWithin } from '../../tools/arguments.ts'

const DAY_MS = 24 * 60 * 60_000

export const Label = z.string().trim().min(1).max(MAX_LABEL_CHARS)
const SCOPES = ['read', 'execute', 'admin'] as const

/** Body of a new key. Strict: a misspelt `expires_at` that was ignored would make a key that never expires. */
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

/** Place in a list of keys. */
export const KeyCursor = z
  .string()
  .regex(/^\d{1,15}-[0-9A-Za-z]{1,32}$/, 'not a cursor of this listing')
  .transform((text): KeyPlace => {
    const [createdAt = '', id = ''] = text.split('-')
    return { createdAt: Number(createdAt), id }
  })

const time = z.iso.datetime()

/** A key of the tenant, without its text. */
export const KeyAnswer = z
  .object({
    id: z.string(),
    tenant: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    created_at: time,
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
  })
  .meta({ id: 'Key' })

export const NewKeyAnswer = KeyAnswer.extend({
  key: z.string().meta({ description: 'The key itself, shown this once.' }),
}).meta({ id: 'CreatedKey' })

export const encodeKey = (key: KeyInfo) => ({
  id: key.id,
  tenant: key.tenant,
  name: key.name,
  scopes: key.scopes,
  created_at: encodeTime(key.createdAt),
  expires_at: key.expiresAt === null ? null : encodeTime(key.expiresAt),
  revoked_at: key.revokedAt === null ? null : encodeTime(key.revokedAt),
})

export const keyCursor = ({ createdAt, id }: KeyPlace) => `${createdAt}-${id}`

export const encodeTime = (ms: number) => new Date(ms).toISOString()
