import * as z from 'zod'
import { tenantId } from '../../../core/ids.ts'
import { MAX_ADMIN_PAGE } from '../../../core/limits/tenants.ts'
import type { Tenant } from '../../../ports/keys.ts'
import { pageQuery } from '../../operations/page.ts'
import { encodeTime, KeyCursor, Label } from '../../tenant-keys/codec.ts'

// Strict: a misspelt `expires_at` that was ignored would make a key that never expires.
export const CreateTenant = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, '1 to 64 characters of a-z, 0-9 and "-", no "-" at either end')
      .transform(tenantId)
      .optional()
      .meta({ description: 'A random one if not given. It is never free again, not even when the tenant is deleted.' }),
    name: Label,
  })
  .meta({ id: 'NewTenant' })

export const ChangeTenant = z
  .strictObject({ name: Label.optional(), disabled: z.boolean().optional() })
  .refine(({ name, disabled }) => name !== undefined || disabled !== undefined, 'give "name", "disabled" or both')
  .meta({ id: 'TenantChange' })

const { limit } = pageQuery(MAX_ADMIN_PAGE)
const CURSOR = 'The next_cursor of the page before.'

export const TenantsQuery = z.object({ limit, cursor: z.string().max(64).optional().meta({ description: CURSOR }) })

export const KeysQuery = z.object({ limit, cursor: KeyCursor.optional().meta({ description: CURSOR }) })

const time = z.iso.datetime()

export const TenantAnswer = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: 'Empty when nothing but the id is left of a deleted tenant.' }),
    created_at: time,
    disabled: z.boolean().meta({ description: 'True for a deleted tenant, too.' }),
    deleted_at: time.nullable().meta({ description: 'When its deletion began.' }),
    purged_at: time.nullable().meta({ description: 'When its deletion ended.' }),
  })
  .meta({ id: 'Tenant' })

export const encodeTenant = ({ id, name, createdAt, disabledAt, deletedAt, purgedAt }: Tenant) => ({
  id,
  name,
  created_at: encodeTime(createdAt),
  disabled: disabledAt !== null,
  deleted_at: deletedAt === null ? null : encodeTime(deletedAt),
  purged_at: purgedAt === null ? null : encodeTime(purgedAt),
})
