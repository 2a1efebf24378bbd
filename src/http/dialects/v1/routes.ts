import { allowedMethods } from '../../allowed-methods.ts'
import { type Dialect, dialectApp } from '../../dialect.ts'
import { addDocument } from '../../operations/document-route.ts'
import type { ReadAsset } from '../../operations/served-copy.ts'
import { ownVocabulary } from '../../owner-vocabulary.ts'
import { failureResponse, methodResponse } from '../../problem.ts'
import { addBatch } from './calls/batch.ts'
import { addCalls } from './calls/calls.ts'
import { addNewCall } from './calls/new-call.ts'
import { addArchive } from './files/archive.ts'
import { addFileTools } from './files/file-tools.ts'
import { addFiles } from './files/files.ts'
import type { LinkParts } from './files/link-parts.ts'
import { addLinks } from './files/links.ts'
import { addOpenedLinks } from './files/opened-links.ts'

import { addDiff } from './history/diff.ts'
import { addFork } from './history/fork.ts'
import { addHistory } from './history/history.ts'
import { addRestore } from './history/restore.ts'
import { addSnapshots } from './history/snapshots.ts'

import { addWatch } from './history/watch.ts'

import { addConsoleSessions, type ConsoleSessionsParts } from './keys/console-sessions.ts'
import { addKeys } from './keys/keys.ts'
import type { KeysParts } from './keys/keys-parts.ts'
import { addMarketplace, type MarketRoutes } from './marketplace/marketplace.ts'
import { addMcpServers } from './mcp-servers/mcp-servers.ts'
import { addPapers, type PapersParts } from './papers/papers.ts'
import { addQuestions } from './questions/questions.ts'
import { withSessionHint } from './sessions/missing-session.ts'
import { addSessions } from './sessions/sessions.ts'
import { addSignUp, type SignUpParts } from './sign-up.ts'
import { addAudit } from './tenant/audit.ts'
import { addLimits } from './tenant/limits.ts'
import { addSecrets } from './tenant/secrets.ts'
import { addUsage } from './tenant/usage.ts'
import { addUsageExport } from './tenant/usage-export.ts'
import { addToolkits } from './toolkits/toolkits.ts'
import { addApis } from './tools/apis.ts'
import { addChains } from './tools/chains.ts'
import { addRegistered } from './tools/registered.ts'
import { addSessionTools } from './tools/session-tools.ts'
import { addTool, addTools } from './tools/tools.ts'
import { addDeliveries } from './webhooks/deliveries.ts'
import { addWebhooks } from './webhooks/webhooks.ts'

/** Parts of the server that /v1 needs besides what it may use for a caller. */
export interface V1Parts extends PapersParts, MarketRoutes, KeysParts, ConsoleSessionsParts, LinkParts, SignUpParts {
  readonly readAsset: ReadAsset
}

/**
 * The v1 dialect, our own: whatever the published ones cannot express. Errors are problem+json (RFC 9457) with `code`,
 * `retryable`, `hint` and `request_id`. One file adds the routes of one resource.
 */
export const v1 = (parts: V1Parts): Dialect => ({
  name: 'v1',
  owns: (path) => path === '/v1' || path.startsWith('/v1/'),
  keepsKey: (path) => (CALLS.test(path) ? 'with calls' : READS.test(path) ? 'not' : undefined),
  app: routes(parts),
})

/** Paths by which calls of a session are made. */
const CALLS = /^\/v1\/sessions\/[^/]+\/calls(?::batch)?$/
/** Paths that only read, by POST. */
const READS = /^\/v1\/(?:chains\/dry-run|sessions\/[^/]+\/files:(?:search|glob))$/

function routes(parts: V1Parts) {
  const app = dialectApp(async (c, failure) =>
    failureResponse(await withSessionHint(c, failure), c.env.requestId, ownVocabulary(c)),
  )
  app.notFound((c) => {
    const allowed = allowedMethods(app.routes, c.req.path)
    return allowed.length > 0
      ? methodResponse(c.req.method, allowed.join(', '), c.env.requestId)
      : failureResponse({ code: 'not_found', message: '/v1 has no such path' }, c.env.requestId)
  })
  addDocument(app, '/v1/openapi.json', 'openapi-v1.json', parts.readAsset)
  addTools(app)
  addSessions(app)
  addQuestions(app)
  addRegistered(app)
  addTool(app)
  addToolkits(app)
  addCalls(app)
  addChains(app)
  addNewCall(app)
  addFiles(app)
  addFileTools(app)
  addBatch(app)
  addWatch(app)
  addArchive(app)
  addHistory(app)
  addDiff(app)
  addRestore(app)
  addLinks(app, parts)
  addOpenedLinks(app, parts)
  addSnapshots(app)
  addFork(app)
  addSessionTools(app)
  addPapers(app, parts)
  addSecrets(app)
  addMarketplace(app, parts)
  addApis(app)
  addMcpServers(app)
  addLimits(app)
  addAudit(app)
  addUsage(app)
  addUsageExport(app)
  addKeys(app, parts)
  addConsoleSessions(app, parts)
  addSignUp(app, parts)
  addWebhooks(app)
  addDeliveries(app)
  return app
}
