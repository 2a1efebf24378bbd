import * as z from 'zod'
import { tenantId } from '../../../core/ids.ts'
import { MAX_ADMIN_PAGE } from '../../../core/limits/tenants.ts'
import type { Tenant } from '../../../ports/keys.ts'
import { Count, KeyCursor, Label } from '../../tenant-keys/codec.ts'

const DEFAULT_PAGE = 50

// Strict: a misspelt `expires_at` that was ignored would make a key that never expires.
export const CreateTenant = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, '1 to 64 characters of a-z, 0-9 and "-", no "-" at either end')
    .transform(tenantId)
    .optional(),
  name: Label,
})

export const ChangeTenant = z
  .strictObject({ name: Label.optional(), disabled: z.boolean().optional() })
  .refine(({ name, disabled }) => name !== undefined || disabled !== undefined, 'give "name", "disabled" or both')

export const TenantsQuery = z.object({
  limit: Count(MAX_ADMIN_PAGE).default(DEFAULT_PAGE),
  cursor: z.string().max(64).optional(),
})

export const KeysQuery = z.object({ limit: Count(MAX_ADMIN_PAGE).default(DEFAULT_PAGE), cursor: KeyCursor.optional() })

export const encodeTenant = ({ id, name, createdAt, disabledAt }: Tenant) => ({
  id,
  name,
  created_at: encodeTime(createdAt),
  disabled: disabledAt !== null,
})

/**
 * A page of items.
 * @param items one more than the page holds, when there is more
 */
export function encodePage<Item, Name extends string>(
  name: Name,
  items: readonly Item[],
  limit: number,
  { encode, cursor }: { encode(item: Item): unknown; cursor(item: Item): string },
) {
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  const next = items.length > limit && last !== undefined ? cursor(last) : null
  return { [name]: shown.map(encode), next_cursor: next }
}

const encodeTime = (ms: number) => new Date(ms).toISOString()
