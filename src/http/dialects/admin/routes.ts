import type { Context } from 'hono'
import type { Failure } from '../../../core/failure.ts'
import { type AppEnv, type Dialect, dialectApp } from '../../dialect.ts'
import { addDocument } from '../../operations/document-route.ts'
import { OWNER } from '../../owner-vocabulary.ts'
import { problemResponse, toProblem } from '../../problem.ts'
import { addDeletion } from './deletion.ts'
import { addEncryption } from './encryption.ts'
import { addExport } from './export/route.ts'
import { addInvitations } from './invitations/invitations.ts'
import { addInvoices } from './invoices/invoices.ts'
import { addPlans } from './invoices/plans.ts'
import { addKeys } from './keys.ts'
import { addPaperMove } from './papers.ts'
import type { AdminParts } from './parts.ts'
import { addRecovery } from './recovery.ts'
import { addSessionDefaults } from './session-defaults.ts'
import { addTenants } from './tenants.ts'
import { addTenantUsage } from './usage.ts'

/**
 * The admin dialect, our own: tenants and their API keys, for the owner of the server; a tenant's own keys, for its
 * administrators.
 * @param parts `adminToken` null: the admin API is off
 */
export const admin = ({
  adminToken,
  ...parts
}: Omit<AdminParts, 'adminToken'> & { readonly adminToken: string | null }): Dialect => ({
  name: 'admin',
  owns: (path) => path === '/admin' || path.startsWith('/admin/'),
  app: adminToken === null ? switchedOff() : routes({ ...parts, adminToken }),
})

function switchedOff() {
  const app = dialectApp(problem)
  app.notFound((c) => {
    const off = toProblem({ code: 'not_found', message: 'admin API is off; set ADMIN_TOKEN' }, c.env.requestId)
    return problemResponse({
      ...off,
      hint: 'the owner sets it with "wrangler secret put ADMIN_TOKEN", or in .dev.vars',
    })
  })
  return app
}

function routes(parts: AdminParts) {
  const app = dialectApp(problem)
  app.notFound((c) => problem(c, { code: 'not_found', message: 'the admin API has no such path' }))
  addDocument(app, '/admin/openapi.json', 'openapi-admin.json', parts.readAsset)
  addTenants(app, parts)
  addSessionDefaults(app, parts)
  addDeletion(app, parts)
  addExport(app, parts)
  addRecovery(app, parts)
  addKeys(app, parts)
  addEncryption(app, parts)
  addTenantUsage(app, parts)
  addPlans(app, parts)
  addInvoices(app, parts)
  addInvitations(app, parts)
  addPaperMove(app, parts)
  return app
}

function problem(c: Context<AppEnv>, failure: Failure): Response {
  return problemResponse(toProblem(failure, c.env.requestId, OWNER))
}
