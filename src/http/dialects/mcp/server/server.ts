import { Server } from '@modelcontextprotocol/server'
import type { MakeServer } from '../context.ts'
import { CACHE_HINTS } from './cache-hints.ts'
import { sessionTasks } from './calls/session-tasks.ts'
import { installTasks } from './calls/tasks.ts'
import { answering } from './failures.ts'
import { instructionsFor } from './instructions.ts'
import { CallStates } from './people/call-states.ts'
import { installPrompts } from './prompts/prompts.ts'
import { installResources } from './resources/resources.ts'
import { revisionsOf } from './revisions.ts'
import { callTool, taskForm } from './tools/call-tool.ts'
import { listTools } from './tools/list-tools.ts'
import { callMetaTool } from './tools/meta-calls.ts'
import { isMetaTool } from './tools/meta-tools.ts'
import { resultOf } from './tools/result.ts'

const SERVER_INFO = { name: 'toolyard', title: 'Toolyard', version: '1.0.0' }

/** Makes the server of one request, or of one connection of the older revisions. Nothing of it is shared with others. */
export const makeServer: MakeServer = (context) => {
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {} },
    supportedProtocolVersions: revisionsOf(context),
    instructions: instructionsFor(context.endpoint),
    requestState: { verify: (text, request) => new CallStates(context).read(text, request) },
    cacheHints: CACHE_HINTS,
  })
  server.setRequestHandler('tools/list', ({ params }) => answering(context, () => listTools(context, params?.cursor)))
  server.setRequestHandler('tools/call', ({ params: { name, arguments: given = {} } }, request) =>
    answering(context, () =>
      isMetaTool(name) ? callMetaTool(name, context, given, request) : callTool(context, name, given, request),
    ),
  )
  installResources(server, context)
  installPrompts(server, context)
  installTasks(
    server,
    sessionTasks(context, (outcome, session) => resultOf(outcome, taskForm(context, session))),
  )
  return server
}
