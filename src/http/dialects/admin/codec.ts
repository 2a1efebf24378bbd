import * as z from 'zod'
import { OWN_TENANT_ID } from '../../../core/ids.ts'
import { MAX_WARM_SANDBOXES } from '../../../core/limits/spares.ts'
import { MAX_ADMIN_PAGE } from '../../../core/limits/tenants.ts'
import { JURISDICTIONS, LOCATIONS, placementOf } from '../../../core/placement.ts'
import type { Tenant } from '../../../ports/keys.ts'
import { encodeTenantInternet, TenantInternetAnswer, TenantInternetInput } from '../../internet-policy.ts'
import { pageQuery } from '../../operations/page.ts'
import { encodeTime, KeyCursor, Label } from '../../tenant-keys/codec.ts'

// Strict: a misspelt `expires_at` that was ignored would make a key that never expires.
export const CreateTenant = z
  .strictObject({
    id: z
      .string()
      .regex(OWN_TENANT_ID, '1 to 64 characters of a-z, 0-9 and "-", no "-" at either end')
      .optional()
      .meta({
        description:
          'A random one if not given. It is never free again, not even when the tenant is deleted. The id of a tenant with a place ends with that: `acme.eu`, `acme.eu.weur`.',
      }),
    name: Label,
    internet: TenantInternetInput.optional(),
    jurisdiction: z.enum(JURISDICTIONS).optional().meta({
      description:
        'Where objects and files of the tenant stay, as the platform guarantees it. Never changed; needs a bucket there.',
    }),
    location_hint: z.enum(LOCATIONS).optional().meta({
      description: 'Region near which objects of the tenant are made, if the platform can. Never changed.',
    }),
  })
  .meta({ id: 'NewTenant' })

const PLACE_FIELDS = ['jurisdiction', 'location_hint']

export const ChangeTenant = z
  .strictObject(
    {
      name: Label.optional(),
      disabled: z.boolean().optional(),
      internet: TenantInternetInput.optional(),
      warm_sandboxes: z.int().min(0).max(MAX_WARM_SANDBOXES).optional().meta({
        description:
          'Sandboxes kept booted for first commands of its sessions, where the account has room. Their time is counted for the tenant.',
      }),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys' && issue.keys.some((key) => PLACE_FIELDS.includes(key))
          ? 'the place of a tenant is given when it is made and never changes; make another tenant there'
          : undefined,
    },
  )
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'give "name", "disabled", "internet" or "warm_sandboxes"',
  )
  .meta({ id: 'TenantChange' })

const { limit } = pageQuery(MAX_ADMIN_PAGE)
/** Enough for the longest id of a tenant with a place. */
export const MAX_TENANT_ID_CHARS = 80
const CURSOR = 'The next_cursor of the page before.'

export const TenantsQuery = z.object({
  limit,
  cursor: z.string().max(MAX_TENANT_ID_CHARS).optional().meta({ description: CURSOR }),
})

export const KeysQuery = z.object({ limit, cursor: KeyCursor.optional().meta({ description: CURSOR }) })

const time = z.iso.datetime()

export const TenantAnswer = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: 'Empty when nothing but the id is left of a deleted tenant.' }),
    jurisdiction: z
      .enum(JURISDICTIONS)
      .nullable()
      .meta({ description: 'Where its objects and files stay; null for no such bound.' }),
    location_hint: z
      .enum(LOCATIONS)
      .nullable()
      .meta({ description: 'Region near which its objects are made; null for where the first request comes from.' }),
    created_at: time,
    disabled: z.boolean().meta({ description: 'True for a deleted tenant, too.' }),
    deleted_at: time.nullable().meta({ description: 'When its deletion began.' }),
    purged_at: time.nullable().meta({ description: 'When its deletion ended.' }),
    internet: TenantInternetAnswer,
    warm_sandboxes: z.int().meta({ description: 'Sandboxes kept booted for its sessions; 0 for none.' }),
  })
  .meta({ id: 'Tenant' })

export const encodeTenant = ({
  id,
  name,
  createdAt,
  disabledAt,
  deletedAt,
  purgedAt,
  internet,
  warmSandboxes,
}: Tenant) => ({
  id,
  name,
  jurisdiction: placementOf(id).jurisdiction,
  location_hint: placementOf(id).locationHint,
  created_at: encodeTime(createdAt),
  disabled: disabledAt !== null,
  deleted_at: deletedAt === null ? null : encodeTime(deletedAt),
  purged_at: purgedAt === null ? null : encodeTime(purgedAt),
  internet: encodeTenantInternet(internet),
  warm_sandboxes: warmSandboxes,
})
