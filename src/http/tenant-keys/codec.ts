import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import {
  MAX_KEY_ADDRESS_CHARS,
  MAX_KEY_ADDRESSES,
  MAX_KEY_EXPIRY_DAYS,
  MAX_KEY_OVERLAP_SECONDS,
  MAX_LABEL_CHARS,
} from '../../core/limits/tenants.ts'
import { canonicalNetwork } from '../../core/networks.ts'
import type { KeyInfo, KeyPlace } from '../../ports/keys.ts'
import { integerWithin } from '../../tools/arguments.ts'

const DAY_MS = 24 * 60 * 60_000

export const Label = z.string().trim().min(1).max(MAX_LABEL_CHARS)
const SCOPES = ['read', 'execute', 'admin'] as const

/** Addresses and networks from which a key is good, in their canonical form and each once. */
const Addresses = z
  .array(
    z
      .string()
      .max(MAX_KEY_ADDRESS_CHARS)
      .transform((text, { addIssue }) => {
        const network = canonicalNetwork(text)
        if (network !== null) return network
        addIssue(`"${text}" is no address and no network; write 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32`)
        return z.NEVER
      }),
  )
  .max(MAX_KEY_ADDRESSES)
  .transform((networks) => [...new Set(networks)])
  .meta({
    description:
      'IP addresses and networks (CIDR) from which the key is good, with its child keys and links; none for everywhere.',
  })

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
    allowed_addresses: Addresses.optional(),
  })
  .refine(
    (key) => key.expires_at == null || key.expires_in_days == null,
    'give expires_at or expires_in_days, not both',
  )
  .meta({ id: 'NewKey' })

/** Body of a change of a key. */
export const ChangeKey = z
  .strictObject({ name: Label.optional(), allowed_addresses: Addresses.optional() })
  .refine(
    ({ name, allowed_addresses }) => name !== undefined || allowed_addresses !== undefined,
    'give "name", "allowed_addresses" or both',
  )
  .meta({ id: 'KeyChange' })

/** Body of a rotation. */
export const RotateKey = z
  .strictObject({
    overlap_seconds: integerWithin(0, MAX_KEY_OVERLAP_SECONDS).optional().meta({
      description: 'Time for which the present secret stays good, a day if not given; 0 ends it at once.',
    }),
  })
  .meta({ id: 'KeyRotation' })

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
    rotated_at: time.nullable().meta({ description: 'Time since when it has its present secret; null for the first.' }),
    old_secret_until: time
      .nullable()
      .meta({ description: 'Time until which the secret before the present one is good too; null when none is.' }),
    last_used_at: time.nullable().meta({
      description: 'Last request with it or with a child key of it, some ten minutes behind; null for none yet.',
    }),
    allowed_addresses: z
      .array(z.string())
      .meta({ description: 'Addresses and networks from which it is good; none for everywhere.' }),
  })
  .meta({ id: 'Key' })

export const NewKeyAnswer = KeyAnswer.extend({
  key: z.string().meta({ description: 'The key itself, shown this once.' }),
}).meta({ id: 'CreatedKey' })

/** A key as answers have it. @param now Wall-clock milliseconds, since an old secret is shown until its end */
export const encodeKey = (key: KeyInfo, now: number) => ({
  id: key.id,
  tenant: key.tenant,
  name: key.name,
  scopes: key.scopes,
  created_at: encodeTime(key.createdAt),
  expires_at: timeOrNull(key.expiresAt),
  revoked_at: timeOrNull(key.revokedAt),
  rotated_at: timeOrNull(key.rotatedAt),
  old_secret_until: key.oldUntil === null || key.oldUntil <= now ? null : encodeTime(key.oldUntil),
  last_used_at: timeOrNull(key.usedAt),
  allowed_addresses: key.addresses,
})

export const keyCursor = ({ createdAt, id }: KeyPlace) => `${createdAt}-${id}`

const timeOrNull = (ms: number | null) => (ms === null ? null : encodeTime(ms))

export const encodeTime = (ms: number) => new Date(ms).toISOString()
