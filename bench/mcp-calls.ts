import type { Caller } from './caller.ts'
import type { DirectWorker } from './direct-worker.ts'
import { compareCosts, type Work } from './measure.ts'

const FILE = 'notes/read.txt'
const SESSION = 'bench-mcp'
const REVISION = '2026-07-28'
const ACCEPT = 'application/json, text/event-stream'

/**
 * Costs of one and the same call by `/v1` and by MCP, and of the list of all tools beside the least that a request with an object
 * can be. MCP is written as its clients do, without one of their libraries; what is measured is the server.
 */
export async function mcpCosts(worker: DirectWorker, call: Caller, quick: boolean, progress: (done: number) => void) {
  const works = await worksOf(call)
  const size = { rounds: quick ? 5 : 16, perRound: 50, concurrent: 1 }
  return compareCosts(works, size, worker.processorMs, progress)
}

async function worksOf(call: Caller) {
  await call.create(SESSION)
  const args = { file_path: FILE }
  await call.tool(SESSION, 'file_write', { ...args, content: 'x'.repeat(100) })
  const older = { read: await connection(call, `/mcp/s/${SESSION}`), list: await connection(call, '/mcp?tools=all') }
  const read = { name: 'file_read', arguments: args }
  return {
    floor: () => call.post('/floor/insert', { text: 'x'.repeat(100) }),
    v1: () => call.post(`/v1/sessions/${SESSION}/calls`, { tool: 'file_read', args }),
    modern: () => modern(call, `/mcp/s/${SESSION}`, 'tools/call', read),
    legacy: () => older.read('tools/call', read),
    modernList: () => modern(call, '/mcp?tools=all', 'tools/list'),
    legacyList: () => older.list('tools/list'),
  } satisfies Record<string, Work>
}

async function modern(call: Caller, path: string, method: string, params: { readonly name?: string } = {}) {
  const prefix = 'io.modelcontextprotocol'
  const _meta = { [`${prefix}/protocolVersion`]: REVISION, [`${prefix}/clientCapabilities`]: {} }
  await send(
    call,
    path,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    {
      'MCP-Protocol-Version': REVISION,
      'Mcp-Method': method,
      ...(params.name !== undefined && { 'Mcp-Name': params.name }),
    },
  )
}

/** Begins a connection of 2025-11-25. @returns requests by it */
async function connection(call: Caller, path: string) {
  const initialize = {
    ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  }
  const begun = await call.answer(path, posted(initialize))
  await begun.text()
  const id = { 'Mcp-Session-Id': begun.headers.get('Mcp-Session-Id') ?? '' }
  await send(call, path, { jsonrpc: '2.0', method: 'notifications/initialized' }, id, '')
  let next = 1
  return (method: string, params: object = {}) => send(call, path, { jsonrpc: '2.0', id: next++, method, params }, id)
}

/** Sends a message and reads the whole answer. @throws when it lacks `wanted` */
async function send(
  call: Caller,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
  wanted = '"result"',
) {
  const answer = await (await call.answer(path, posted(body, headers))).text()
  if (!answer.includes(wanted) || answer.includes('"isError":true')) throw new Error(`${path}: ${answer.slice(0, 500)}`)
}

const posted = (body: object, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: ACCEPT, ...headers },
  body: JSON.stringify(body),
})
