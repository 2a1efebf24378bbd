import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { MakeServer } from '../../../../src/http/dialects/mcp/context.ts'
import { installTasks } from '../../../../src/http/dialects/mcp/server/calls/tasks.ts'
import { revisionsOf } from '../../../../src/http/dialects/mcp/server/revisions.ts'
import { DIAGNOSTICS } from './changes.ts'
import { CLIENT_QUESTIONS } from './client-questions.ts'
import type { Fixture } from './fixture.ts'
import { INPUT_REQUIRED, states } from './input-required.ts'
import { installPrompts } from './prompts.ts'
import { installResources } from './resources.ts'
import { RESULTS } from './results.ts'
import { taskStore } from './task-store.ts'
import { TASK_TOOLS } from './tasks.ts'

const FIXTURES: ReadonlyMap<string, Fixture> = new Map(
  [...RESULTS, ...CLIENT_QUESTIONS, ...INPUT_REQUIRED, ...TASK_TOOLS, ...DIAGNOSTICS].map((one) => [
    one.tool.name,
    one,
  ]),
)

/** Schema of a tool's arguments. */
export const inputSchema = (tool: string) => FIXTURES.get(tool)?.tool.inputSchema ?? null

/** Makes the server that the conformance suite describes: its tools, resources, prompts and tasks. */
export const makeServer: MakeServer = ({ era }) => {
  const server = new Server(
    { name: 'toolyard-wire', version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: true }, logging: {} },
      supportedProtocolVersions: revisionsOf({ era }),
      requestState: { verify: states.verify },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: [...FIXTURES.values()].map(({ tool }) => tool) }))
  server.setRequestHandler('tools/call', ({ params: { name, arguments: given = {} } }, request) => {
    const found = FIXTURES.get(name)
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name}`)
    return found.run(given, request)
  })
  installResources(server, era)
  installPrompts(server)
  installTasks(server, taskStore)
  return server
}
