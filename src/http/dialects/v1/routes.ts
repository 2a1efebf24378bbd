import { allowedMethods } from '../../allowed-methods.ts'
import { type Dialect, dialectApp } from '../../dialect.ts'
import { ownVocabulary } from '../../owner-vocabulary.ts'
import { failureResponse, methodResponse } from '../../problem.ts'
import { addApis } from './apis.ts'
import { addAudit } from './audit.ts'
import { addCalls } from './calls.ts'
import { addChains } from './chains.ts'
import { addLimits } from './limits.ts'
import { addMarketplace, type MarketRoutes } from './marketplace.ts'
import { addNewCall } from './new-call.ts'
import { addPapers, type PapersParts } from './papers.ts'
import { addRegistered } from './registered.ts'
import { addSecrets } from './secrets.ts'
import { addSessionTools } from './session-tools.ts'
import { addTools } from './tools.ts'
import { addUsage } from './usage.ts'

/**
 * The v1 dialect, our own: whatever the published ones cannot express. Errors are problem+json (RFC 9457) with `code`,
 * `retryable`, `hint` and `request_id`. One file adds the routes of one resource.
 */
export const v1 = (parts: PapersParts & MarketRoutes): Dialect => ({
  name: 'v1',
  owns: (path) => path === '/v1' || path.startsWith('/v1/'),
  app: routes(parts),
})

function routes(parts: PapersParts & MarketRoutes) {
  const app = dialectApp((c, failure) => failureResponse(failure, c.env.requestId, ownVocabulary(c)))
  app.notFound((c) => {
    const allowed = allowedMethods(app.routes, c.req.path)
    return allowed.length > 0
      ? methodResponse(c.req.method, allowed.join(', '), c.env.requestId)
      : failureResponse({ code: 'not_found', message: '/v1 has no such path' }, c.env.requestId)
  })
  addTools(app)
  addRegistered(app)
  addCalls(app)
  addChains(app)
  addNewCall(app)
  addSessionTools(app)
  addPapers(app, parts)
  addSecrets(app)
  addMarketplace(app, parts)
  addApis(app)
  addLimits(app)
  addAudit(app)
  addUsage(app)
  return app
}
