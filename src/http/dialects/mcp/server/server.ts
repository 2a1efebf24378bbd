import { Server } from '@modelcontextprotocol/server'
import type { MakeServer } from '../context.ts'

/** Server without tools. */
export const makeServer: MakeServer = () => {
  const server = new Server({ name: 'toolyard', version: '0.1.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', async () => ({ tools: [] }))
  return server
}
