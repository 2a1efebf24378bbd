import type { Context, Hono } from 'hono'
import { fail } from '../../../core/failure.ts'
import type { AppEnv } from '../../dialect.ts'
import type { Guard } from '../../operations/operation.ts'
import { guardedRoute } from '../../operations/route.ts'
import { existingTenant } from '../../tenant-keys/tenant-keys.ts'
import { encodeDeletion, TenantDeletion } from './deletion-codec.ts'
import { ownerOnly } from './guard.ts'
import type { AdminParts } from './parts.ts'

const TENANT = { tenant: 'Id of the tenant.' }

/** Deletion of tenants, for the owner of the server. */
export function addDeletion(app: Hono<AppEnv>, parts: AdminParts): void {
  const { keys, adminToken, ownedTenant, closed, staying, spares } = parts
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }
  const existing = (c: Context<AppEnv>) => existingTenant(keys, c.req.param('tenant'))

  guardedRoute(
    app,
    'delete',
    '/admin/tenants/:tenant',
    owner,
    {
      id: 'deleteTenant',
      tag: 'tenants',
      summary: 'Delete a tenant',
      description:
        'Its keys, links and connections are refused from now on; all it has is removed in the background, which GET …/deletion follows. There is no way back, and the id is never given again. Repeated, it changes nothing.',
      params: TENANT,
      answers: {
        200: { description: 'Nothing is left of the tenant: the receipt.', content: TenantDeletion },
        202: { description: 'The deletion is under way.', content: TenantDeletion },
      },
      problems: [400, 404],
      example: { params: { tenant: 'acme' }, status: 202 },
    },
    async (c) => {
      const id = await existing(c)
      if (staying.includes(id)) {
        fail(
          'conflict',
          `the server itself needs the tenant "${id}"; a server without OPEN_TENANT needs no tenant of that id`,
        )
      }
      const deletion = await ownedTenant(id).beginDeletion()
      closed.close(id)
      // The deletion does it, too; done here, no other isolate waits for its alarm.
      await keys.closeTenant(id, deletion.requestedAt)
      await spares.poolsChanged()
      return c.json(encodeDeletion(id, deletion), deletion.step === 'deleted' ? 200 : 202)
    },
  )

  guardedRoute(
    app,
    'get',
    '/admin/tenants/:tenant/deletion',
    owner,
    {
      id: 'getTenantDeletion',
      tag: 'tenants',
      summary: "Get the progress of a tenant's deletion, or its receipt",
      params: TENANT,
      answers: {
        200: { description: 'How far it is. `ended_at` is null until nothing is left.', content: TenantDeletion },
      },
      problems: [400, 404],
      example: { params: { tenant: 'acme' }, status: 200 },
    },
    async (c) => {
      const id = await existing(c)
      const deletion = await ownedTenant(id).deletion()
      if (!deletion) fail('not_found', 'the tenant is not being deleted; DELETE /admin/tenants/{id} begins that')
      return c.json(encodeDeletion(id, deletion))
    },
  )
}
