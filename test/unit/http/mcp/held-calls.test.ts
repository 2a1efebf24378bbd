import { Server } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { tenantId } from '../../../../src/core/ids.ts'
import { RequestScheduler } from '../../../../src/http/admission/scheduler.ts'
import { createApp } from '../../../../src/http/app.ts'
import type { Services } from '../../../../src/http/dialect.ts'
import { mcp } from '../../../../src/http/dialects/mcp/routes.ts'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

it('a call counts among the requests of its tenant until it has answered, though its stream begins at once', async () => {
  const work = Promise.withResolvers<void>()
  const scheduler = new RequestScheduler({ clock: { now: Date.now }, slots: 2 })
  const dialect = mcp({
    isLocal: true,
    stateKey: null,
    connections: { getByName: () => expect.unreachable() },
    makeServer: () => {
      const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } })
      server.setRequestHandler('tools/call', async () => {
        await work.promise
        return { content: [] }
      })
      return server
    },
  })
  const { fetch } = createApp({
    isLocal: true,
    scheduler,
    dialects: [dialect],
    authenticate: async () => ({ principal: { tenant: tenantId('acme'), scopes: ['execute'], keyId: 'k1' } }),
    services: () => ({ tools: [], toolkits: [] }) as unknown as Services,
  })
  const answer = await fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'wait',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'wait', arguments: {}, _meta: META },
      }),
    }),
  )
  expect(answer.status).toBe(200)
  expect(scheduler.tenants).toBe(1)
  work.resolve()
  expect(await answer.text()).toContain('"resultType":"complete"')
  expect(scheduler.tenants).toBe(0)
})
