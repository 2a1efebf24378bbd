import type { Hono } from 'hono'
import { invitationHash, newInvitationToken } from '../../../../auth/invitation.ts'
import { randomDigits } from '../../../../auth/key.ts'
import { fail } from '../../../../core/failure.ts'
import { MAX_LIVE_INVITATIONS } from '../../../../core/limits/invitations.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { Guard } from '../../../operations/operation.ts'
import { encodeOneMore, PageOf } from '../../../operations/page.ts'
import { guardedRoute } from '../../../operations/route.ts'
import { keyCursor } from '../../../tenant-keys/codec.ts'
import { ownerOnly } from '../guard.ts'
import { noSuchPlan } from '../invoices/plans.ts'
import type { AdminParts } from '../parts.ts'
import { keptInternet } from '../tenants.ts'
import * as codec from './codec.ts'

const TAG = 'invitations'
const PATH = '/admin/invitations'

/** Invitations to sign up, for the owner of the server. */
export function addInvitations(app: Hono<AppEnv>, parts: AdminParts): void {
  const { invitations, clock, adminToken, checkJurisdiction } = parts
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }

  guardedRoute(
    app,
    'post',
    PATH,
    owner,
    {
      id: 'createInvitation',
      tag: TAG,
      summary: 'Invite somebody to make a tenant',
      description:
        'Whoever has the token makes a tenant with its first key by `POST /v1/sign-up`, as often as `uses` says.',
      body: codec.CreateInvitation,
      answers: {
        201: { description: 'The invitation, whose token is shown this once.', content: codec.NewInvitationAnswer },
      },
      problems: [404],
      example: { body: { name: 'Riverside', expires_in_seconds: 604_800, uses: 1 }, status: 201 },
    },
    async (c, { body: { name, plan = null, uses, expires_in_seconds, ...body } }) => {
      const { jurisdiction = null, location_hint: locationHint = null } = body
      if (jurisdiction !== null) checkJurisdiction(jurisdiction)
      const internet = body.internet ? keptInternet(body.internet, parts) : null
      const token = newInvitationToken()
      const createdAt = clock.now()
      const expiresAt = createdAt + expires_in_seconds * 1_000
      const placement = { jurisdiction, locationHint }
      const invitation = { id: randomDigits(12), name, plan, uses, internet, placement, createdAt, expiresAt }
      const hash = (await invitationHash(token)) ?? ''
      const refused = await invitations.add({ ...invitation, hash }, MAX_LIVE_INVITATIONS)
      if (refused === 'no such plan') noSuchPlan('invalid_input')
      if (refused === 'too many') {
        fail(
          'limit_exceeded',
          `there are ${MAX_LIVE_INVITATIONS} invitations (MAX_LIVE_INVITATIONS); revoke some first`,
        )
      }
      const made = codec.encodeInvitation({ ...invitation, tenants: [], revokedAt: null }, createdAt)
      c.header('Cache-Control', 'no-store')
      return c.json({ ...made, token, link: `/v1/sign-up#${token}` }, 201)
    },
  )

  guardedRoute(
    app,
    'get',
    PATH,
    owner,
    {
      id: 'listInvitations',
      tag: TAG,
      summary: 'List the invitations, oldest first',
      description: 'Revoked, expired and used-up ones are in it.',
      query: codec.InvitationsQuery,
      answers: {
        200: { description: 'A page of invitations, without their tokens.', content: PageOf(codec.InvitationAnswer) },
      },
      problems: [404],
      example: { query: { limit: '20' }, status: 200 },
    },
    async (c, { query: { limit, cursor } }) => {
      const found = await invitations.list({ limit: limit + 1, ...(cursor && { after: cursor }) })
      return c.json(encodeOneMore(found, limit, (one) => codec.encodeInvitation(one, clock.now()), keyCursor))
    },
  )

  guardedRoute(
    app,
    'delete',
    `${PATH}/:invitation`,
    owner,
    {
      id: 'revokeInvitation',
      tag: TAG,
      summary: 'Revoke an invitation',
      description: 'It makes no tenant from now on. Those that it made stay, with their keys.',
      params: { invitation: 'Id of the invitation.' },
      answers: { 204: { description: 'It is revoked. Its `revoked_at` in the list says since when.' } },
      problems: [404],
      example: { params: { invitation: 'I_OLD' }, status: 204 },
    },
    async (c) => {
      if (await invitations.revoke(c.req.param('invitation'), clock.now())) return c.body(null, 204)
      return fail('not_found', 'there is no invitation of that id; GET /admin/invitations lists them')
    },
  )
}
