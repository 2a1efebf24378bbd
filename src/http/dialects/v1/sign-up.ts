import type { Hono } from 'hono'
import * as z from 'zod'
import { invitationHash } from '../../../auth/invitation.ts'
import { hashKey, newKey, randomDigits } from '../../../auth/key.ts'
import { fail } from '../../../core/failure.ts'
import { OWN_TENANT_ID, type TenantId, tenantId } from '../../../core/ids.ts'
import { placedId } from '../../../core/placement.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { InvitationStore } from '../../../ports/invitations.ts'
import type { Scope } from '../../../ports/keys.ts'
import type { AuditApi } from '../../../tenant/audit-api.ts'
import type { AppEnv } from '../../dialect.ts'
import { guardedRoute } from '../../operations/route.ts'
import { Label } from '../../tenant-keys/codec.ts'

/** Parts of the server that the sign-up uses. */
export interface SignUpParts {
  readonly invitations: Pick<InvitationStore, 'find' | 'use' | 'takeBack'>
  readonly clock: Clock
  /** Ids of tenants that the server itself needs, which nobody gets. */
  readonly staying: readonly string[]
  /** Audit log of a tenant, for its first key. */
  auditOf(tenant: TenantId): Pick<AuditApi, 'noteKey'>
}

const SignUp = z
  .strictObject({
    invitation: z.string().min(1).max(100).meta({ description: 'Token of the invitation, as it was given to you.' }),
    name: Label.meta({ description: 'Name of the tenant, for people.' }),
    id: z
      .string()
      .regex(OWN_TENANT_ID, '1 to 64 characters of a-z, 0-9 and "-", no "-" at either end')
      .optional()
      .meta({ description: 'Id of the tenant, a random one if not given. It never changes.' }),
  })
  .meta({ id: 'SignUp' })

const SCOPES: readonly Scope[] = ['read', 'execute', 'admin']

const SignedUp = z
  .object({
    tenant: z
      .string()
      .meta({ description: 'Id of the tenant; with its place, where the invitation has one: `acme.eu`.' }),
    name: z.string(),
    plan: z.string().nullable(),
    key: z.string().meta({ description: 'First key of the tenant, shown this once.' }),
    key_id: z.string(),
    scopes: z.array(z.enum(['read', 'execute', 'admin'])),
  })
  .meta({ id: 'SignedUp' })

/**
 * Adds `POST /v1/sign-up`: a tenant of one's own, for whoever has an invitation of the server's owner. No key is asked for. The form of a
 * token has a checksum, so that a random one costs no look-up, as with keys.
 */
export function addSignUp(app: Hono<AppEnv>, { invitations, clock, staying, auditOf }: SignUpParts): void {
  guardedRoute(
    app,
    'post',
    '/v1/sign-up',
    { credentials: [], allow: () => {} },
    {
      id: 'createTenantByInvitation',
      tag: 'tenants',
      summary: 'Make a tenant by an invitation',
      description:
        'The invitation has all that it needs: no key is asked for. The tenant gets the plan of the invitation and one key, which may do everything that a key may. A refused request uses up nothing.',
      body: SignUp,
      answers: {
        201: {
          description: 'The tenant, and its first key, which is shown this once.',
          content: SignedUp,
          headers: { Location: 'Where the key is looked at.' },
        },
      },
      problems: [404],
      example: { body: { invitation: 'inv_none', name: 'Riverside' }, status: 404 },
    },
    async (c, { body: { invitation: token, name, id: own = newTenantId() } }) => {
      const hash = await invitationHash(token)
      const at = clock.now()
      const invitation = hash === null ? null : await invitations.find(hash, at)
      if (hash === null || invitation === null) return noSuchInvitation()
      const tenant = tenantId(placedId(own, invitation.placement))
      const key = newKey()
      const first = { id: key.id, name: 'first key', scopes: SCOPES }
      const made = { tenant, name, at, key: { ...first, hash: await hashKey(key) } }
      if (staying.includes(own) || !(await invitations.use(hash, made))) {
        // The last use may have gone to another request meanwhile.
        if ((await invitations.find(hash, at)) === null) noSuchInvitation()
        fail('conflict', `the id "${own}" is taken; choose another one, or leave "id" out`)
      }
      try {
        const note = { action: 'key.create', ...first, invitation: invitation.id } as const
        await auditOf(tenant).noteKey(note, { key: null, agent: null })
      } catch (thrown) {
        await invitations.takeBack(key.id)
        throw thrown
      }
      c.header('Cache-Control', 'no-store')
      c.header('Location', `/v1/keys/${key.id}`)
      return c.json({ tenant, name, plan: invitation.plan, key: key.text, key_id: key.id, scopes: [...SCOPES] }, 201)
    },
  )
}

/** One sentence for every invitation that cannot be used: it tells a guesser nothing. */
const noSuchInvitation = (): never =>
  fail(
    'not_found',
    'this invitation cannot be used: unknown, expired, revoked or used up; check that it was copied whole, or ask whoever invited you for a new one',
  )

const newTenantId = () => `t${randomDigits(15, 'abcdefghijklmnopqrstuvwxyz0123456789')}`
