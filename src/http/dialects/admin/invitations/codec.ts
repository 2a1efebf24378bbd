import * as z from 'zod'
import {
  DEFAULT_INVITATION_SECONDS,
  MAX_INVITATION_SECONDS,
  MAX_INVITATION_USES,
  MAX_LISTED_INVITATIONS,
  MIN_INVITATION_SECONDS,
} from '../../../../core/limits/invitations.ts'
import { UNRESTRICTED } from '../../../../core/tenant-internet.ts'
import type { Invitation } from '../../../../ports/invitations.ts'
import { encodeTenantInternet } from '../../../internet-policy.ts'
import { numberOr, pageQuery } from '../../../operations/page.ts'
import { encodeTime, KeyCursor, Label } from '../../../tenant-keys/codec.ts'
import { CreateTenant, TenantAnswer } from '../codec.ts'
import { PlanName } from '../invoices/codec.ts'

const { internet, jurisdiction, location_hint } = CreateTenant.shape

export const CreateInvitation = z
  .strictObject({
    name: Label.meta({ description: 'Name for yourself, such as whom you invite. The invited do not see it.' }),
    plan: PlanName.optional().meta({ description: 'Plan that each tenant gets; none if not given.' }),
    expires_in_seconds: numberOr(
      DEFAULT_INVITATION_SECONDS,
      MIN_INVITATION_SECONDS,
      MAX_INVITATION_SECONDS,
      'Time for which it is good: a week if not given, 90 days at most.',
    ),
    uses: numberOr(1, 1, MAX_INVITATION_USES, 'Tenants that it makes at most.'),
    internet,
    jurisdiction,
    location_hint,
  })
  .meta({ id: 'NewInvitation' })

export const InvitationsQuery = z.object({
  ...pageQuery(MAX_LISTED_INVITATIONS),
  cursor: KeyCursor.optional().meta({ description: 'The next_cursor of the page before.' }),
})

const time = z.iso.datetime()
const tenant = TenantAnswer.shape

/** An invitation, without its token. */
export const InvitationAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    plan: z.string().nullable(),
    uses: z.int(),
    uses_left: z.int().meta({ description: 'Tenants that it still makes; 0 when it is revoked or expired.' }),
    tenants: z.array(z.string()).meta({ description: 'Ids of the tenants that it made, oldest first.' }),
    created_at: time,
    expires_at: time,
    revoked_at: time.nullable(),
    internet: tenant.internet,
    jurisdiction: tenant.jurisdiction,
    location_hint: tenant.location_hint,
  })
  .meta({ id: 'Invitation' })

export const NewInvitationAnswer = InvitationAnswer.extend({
  token: z
    .string()
    .meta({ description: 'Token of the invitation, shown this once: `invitation` of `POST /v1/sign-up`.' }),
  link: z.string().meta({
    description:
      'Path of the sign-up with the token as its fragment, which no browser sends, for a page of your own. That of the console is `/console/sign-up` with the same fragment.',
  }),
}).meta({ id: 'CreatedInvitation' })

export function encodeInvitation(invitation: Invitation, now: number): z.output<typeof InvitationAnswer> {
  const { id, name, plan, uses, tenants, createdAt, expiresAt, revokedAt } = invitation
  const isGood = revokedAt === null && now < expiresAt
  return {
    ...{ id, name, plan, uses },
    uses_left: isGood ? uses - tenants.length : 0,
    tenants: [...tenants],
    created_at: encodeTime(createdAt),
    expires_at: encodeTime(expiresAt),
    revoked_at: revokedAt === null ? null : encodeTime(revokedAt),
    internet: encodeTenantInternet(invitation.internet ?? UNRESTRICTED),
    jurisdiction: invitation.placement.jurisdiction,
    location_hint: invitation.placement.locationHint,
  }
}
