import { z } from 'zod'
import { e2bSandboxHost } from '../src/adapters/e2b/sandbox.ts'
import type { PythonCall, PythonReply } from '../src/ports/python.ts'
import { Session } from '../src/session/session.ts'
import { defineTool } from '../src/tools/define.ts'
import { Registry } from '../src/tools/registry.ts'
import { SessionWorkspace } from '../src/workspace/workspace.ts'
import { MemoryBlobs } from '../test/support/blobs-memory.ts'
import { ENOUGH_SANDBOXES } from '../test/support/enough-sandboxes.ts'
import { NO_TOOLS } from '../test/support/no-tools.ts'
import { NOTHING_OUTSIDE } from '../test/support/nothing-outside.ts'
import { SANDBOX_HOST_KEY, startSandboxd } from '../test/support/sandboxd.ts'
import { NodeSql } from '../test/support/sql-node.ts'
import { openSessionTables } from '../test/support/tables.ts'

/** A session with a real sandbox and one tool: the `Python` port. */
export async function pythonSession() {
  const sandboxd = await startSandboxd()
  const sql = new NodeSql()
  openSessionTables(sql)
  const clock = { now: Date.now }
  const workspace = new SessionWorkspace({
    sql,
    blobs: new MemoryBlobs().forSession('node'),
    clock,
    callId: () => 'bench',
  })
  const session = new Session({
    sql,
    registry: new Registry([], [pythonCall]),
    workspace: (callId) => workspace.forCall(callId),
    host: e2bSandboxHost({
      apiKey: SANDBOX_HOST_KEY,
      apiUrl: sandboxd.url,
      sandboxUrl: sandboxd.url,
      template: 'base',
    }),
    ...ENOUGH_SANDBOXES,
    outside: NOTHING_OUTSIDE,
    secrets: async () => null,
    name: 'bench',
    node: 'bench',
    createdAt: Date.now(),
    tenant: NO_TOOLS,
    env: {},
    labels: {},
    now: Date.now,
    room: { look: async () => undefined, require: async () => undefined },
    flushSoon: async () => undefined,
    logError: console.error,
    tellOwner: () => undefined,
  })
  return {
    async call(call: PythonCall): Promise<PythonReply> {
      const outcome = await session.call({ tool: 'python_call', args: { call } })
      if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
      return outcome.result.data as unknown as PythonReply
    },
    async stop() {
      await session.end()
      await sandboxd.stop()
    },
  }
}

const pythonCall = defineTool({
  name: 'python_call',
  description: 'The `Python` port.',
  effect: 'run',
  uses: ['python'],
  input: z.object({ call: z.custom<PythonCall>() }),
  run: async ({ call }, { ports: { python } }) => ({ text: '', data: { ...(await python.call(call)) } }),
})
