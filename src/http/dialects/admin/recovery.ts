import type { Hono } from 'hono'
import { FailureError, fail } from '../../../core/failure.ts'
import { tenantId } from '../../../core/ids.ts'
import { MAX_NAMED_MISSING_FILES } from '../../../core/limits/recovery.ts'
import type { ReattachedPart, SessionRecovery, SetBack } from '../../../session/recovery-api.ts'
import type { AppEnv } from '../../dialect.ts'
import type { Guard } from '../../operations/operation.ts'
import { guardedRoute } from '../../operations/route.ts'
import { noSuchTenant } from '../../tenant-keys/tenant-keys.ts'
import { ownerOnly } from './guard.ts'
import { withOpenTenant } from './open-tenant.ts'
import type { AdminParts } from './parts.ts'
import { encodeRecovered, RecoverSession, SessionRecovered } from './recovery-codec.ts'

/** Recovery of sessions to earlier states, for the owner of the server. */
export function addRecovery(app: Hono<AppEnv>, { keys, openTenant, adminToken, ownedSession }: AdminParts): void {
  const tenants = withOpenTenant(keys, openTenant)
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }

  guardedRoute(
    app,
    'post',
    '/admin/tenants/:tenant/sessions/:session/recovery',
    owner,
    {
      id: 'recoverSession',
      tag: 'tenants',
      summary: 'Recover a session, also a deleted one',
      description:
        "Sets the session's object back to a moment, its files, history and calls together, and refers to its contents in the store again. Its sandbox is ended: files that it changed are in the state before, to which `undo_bookmark` leads back. Its recovery counts as use of it, and takes off a lifetime since its creation that is over. Without a body, a session whose state the owner has put back by other means is made whole. It may be repeated.",
      params: { tenant: 'Id of the tenant.', session: 'Name of the session.' },
      body: RecoverSession,
      answers: { 200: { description: 'The session as it is now.', content: SessionRecovered } },
      problems: [400, 404, 409],
      example: { params: { tenant: 'dev', session: 'docs' }, body: {}, status: 200 },
    },
    async (c, { body: { at, bookmark } }) => {
      const { id: tenant, deletedAt } = (await tenants.tenant(tenantId(c.req.param('tenant')))) ?? noSuchTenant()
      if (deletedAt !== null) fail('conflict', 'the tenant was deleted, and its sessions do not come back')
      const session = ownedSession(tenant, c.req.param('session'))
      const to = bookmark === undefined ? at && { at: Date.parse(at) } : { bookmark }
      const answer = to ? await session.setBack(to) : null
      if (answer && 'failure' in answer) throw new FailureError(answer.failure)
      // The restart breaks the connection to the object that is restarted.
      if (answer) await session.restart().catch(() => undefined)
      const setBack = answer?.setBack ?? null
      return c.json(encodeRecovered(await reattached(session, setBack), setBack))
    },
  )
}

/** Makes a session whole, page by page of its contents. @throws FailureError */
async function reattached(
  session: Pick<SessionRecovery, 'reattach'>,
  setBack: SetBack | null,
): Promise<ReattachedPart> {
  let whole: ReattachedPart | null = null
  for (let after: string | null = ''; after !== null; ) {
    const answer: Awaited<ReturnType<SessionRecovery['reattach']>> = await session.reattach(after)
    if ('failure' in answer) {
      if (answer.failure.code !== 'session_not_found' || !setBack) throw new FailureError(answer.failure)
      fail(
        'not_found',
        `there was no session of that name then; {"bookmark": "${setBack.undoBookmark}"} leads back to the state before`,
      )
    }
    whole = whole ? together(whole, answer.part) : answer.part
    after = answer.part.contents.next
  }
  return whole ?? fail('session_not_found', 'there is no such session')
}

/** Parts of one recovery, as one. */
const together = ({ contents: first }: ReattachedPart, part: ReattachedPart): ReattachedPart => ({
  ...part,
  contents: {
    held: first.held + part.contents.held,
    missing: first.missing + part.contents.missing,
    missingFiles: [...new Set([...first.missingFiles, ...part.contents.missingFiles])]
      .sort()
      .slice(0, MAX_NAMED_MISSING_FILES),
    next: part.contents.next,
  },
})
