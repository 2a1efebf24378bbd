import { createAuthenticate } from '../../../src/auth/authenticate.ts'
import { ConnectionObject } from '../../../src/connections/connection-object.ts'
import { tenantId } from '../../../src/core/ids.ts'
import { LOCAL_REQUEST_SLOTS } from '../../../src/core/limits/admission.ts'
import { RequestScheduler } from '../../../src/http/admission/scheduler.ts'
import { createApp } from '../../../src/http/app.ts'
import type { MakeServer } from '../../../src/http/dialects/mcp/context.ts'
import { mcp } from '../../../src/http/dialects/mcp/routes.ts'
import { createServices } from './no-core.ts'
import { listen } from './server/changes.ts'
import { inputSchema, makeServer } from './server/server.ts'

/** A connection as the product keeps it, with the suite's server on it. */
export class WireConnectionObject extends ConnectionObject {
  protected override async makeServer(): Promise<MakeServer> {
    return makeServer
  }
}

let app: ReturnType<typeof createApp> | undefined

/** The product's app with the dialect of MCP alone, over the suite's server in place of the product's. */
function newApp(connections: Env['CONNECTIONS']) {
  const clock = { now: () => Date.now() }
  return createApp({
    dialects: [mcp({ isLocal: true, connections, stateKey: null, makeServer, listen, inputSchema })],
    isLocal: true,
    authenticate: createAuthenticate({ keys: { find: async () => null }, clock, openTenant: tenantId('dev') }),
    scheduler: new RequestScheduler({ clock, slots: LOCAL_REQUEST_SLOTS }),
    services: createServices(),
  })
}

export default {
  fetch(request, { CONNECTIONS }, context) {
    app ??= newApp(CONNECTIONS)
    return app.fetch(request, (work) => context.waitUntil(work))
  },
} satisfies ExportedHandler<Env>
