import type { Hono } from 'hono'
import { openRoot } from '../../../../auth/authenticate.ts'
import { fail } from '../../../../core/failure.ts'
import { tenantId } from '../../../../core/ids.ts'
import { streamOfPieces } from '../../../../core/stream-of-pieces.ts'
import { attachment } from '../../../attachment.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { Guard } from '../../../operations/operation.ts'
import { guardedRoute } from '../../../operations/route.ts'
import { noSuchTenant } from '../../../tenant-keys/tenant-keys.ts'
import { ownerOnly } from '../guard.ts'
import { withOpenTenant } from '../open-tenant.ts'
import type { AdminParts } from '../parts.ts'
import { tenantArchive } from './archive.ts'

const TAR = 'application/x-tar'

/** Export of tenants, for the owner of the server. */
export function addExport(app: Hono<AppEnv>, parts: AdminParts): void {
  const { keys, openTenant, clock, adminToken, ownedTenant, listsOf, ownedSession } = parts
  const tenants = withOpenTenant(keys, openTenant)
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }

  guardedRoute(
    app,
    'get',
    '/admin/tenants/:tenant/export',
    owner,
    {
      id: 'exportTenant',
      tag: 'tenants',
      summary: 'Export a tenant',
      description:
        'A tar, made while it is read, with the settings, files, history and calls of its sessions, its registered tools, keys without their secrets, names of secrets, use and audit log; without sessions that are made after it has begun. Its last entry is `manifest.json`: an archive without it broke off. A disabled tenant can be exported; its audit log notes it.',
      params: { tenant: 'Id of the tenant.' },
      answers: { 200: { description: 'The archive.', content: { raw: TAR } } },
      problems: [400, 404],
      example: { params: { tenant: 'dev' }, status: 200 },
    },
    async (c) => {
      const id = tenantId(c.req.param('tenant'))
      const tenant = (await tenants.tenant(id)) ?? noSuchTenant()
      if (tenant.deletedAt !== null) gone()
      const name = `${id}.tar`
      if (c.req.raw.method === 'HEAD') return attachment({ name, body: null }, TAR)
      const owned = ownedTenant(id)
      if (!(await owned.beginExport())) gone()
      const roots = id === openTenant ? [openRoot(id).id] : []
      const source = { tenant, roots, keys, owned, api: listsOf(id), now: () => clock.now() }
      const archive = tenantArchive({ ...source, session: (session) => ownedSession(id, session) })
      // A failure of the first piece is an answer, and not a stream that breaks off.
      const first = await archive.next()
      const answer = attachment({ name, body: streamOfPieces(resumed(first, archive)) }, TAR)
      answer.headers.set('Cache-Control', 'no-store')
      return answer
    },
  )
}

async function* resumed(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  if (!first.done) yield first.value
  yield* rest
}

const gone = (): never =>
  fail('not_found', 'the tenant was deleted, and there is nothing to export; GET …/deletion has what became of it')
