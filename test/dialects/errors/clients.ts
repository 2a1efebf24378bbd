import { expect } from 'vitest'
import { z } from 'zod'
import { type Loose, modernWire, type Wired } from '../mcp/wire.ts'
import { Client } from '../xagent/support.ts'
import type { Asking } from './provoked.ts'

/** Clients of each dialect at one server. Each has the shape of an error of its dialect, and nothing else for one. */
export const CLIENTS = { xagent, toolcore, lagent, toolserver, v1, mcp } as const

interface Answer {
  readonly status: number
  readonly body: unknown
}

async function send(url: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const sent = { 'Content-Type': 'application/json', ...headers }
  const response = await fetch(url, text === undefined ? { headers } : { method: 'POST', body: text, headers: sent })
  return { status: response.status, body: await response.json() }
}

async function xagent(url: string): Promise<Asking> {
  const node = await Client.connect(url)
  const detail = ({ status, body }: Answer): string => {
    expect({ status, body }).toEqual({ status: expect.toSatisfy(isBad), body: { detail: expect.anything() } })
    const problem = (body as { detail: unknown }).detail
    return typeof problem === 'string' ? problem : JSON.stringify(problem)
  }
  return {
    call: async (tool, args = {}) => detail(await node.execute(tool, args as object)),
    async prepare(tool, args = {}) {
      const { status, body } = await node.execute(tool, args as object)
      expect({ tool, status, body }).toEqual({ tool, status: 200, body: expect.anything() })
    },
    request: async (path, body) => detail(await node.post(path, body)),
    async sent(path, body) {
      expect((await node.post(path, body)).status).toBe(200)
    },
  }
}

async function toolcore(url: string): Promise<Asking> {
  const headers = { 'X-Internal-Secret': 'dev-secret-token' }
  const who = { agent_id: 'agent:sofia', microdao_id: 'microdao:7' }
  const request = async (path: string, body?: unknown) => {
    const answer = await send(`${url}${path}`, body, headers)
    expect(answer).toEqual({ status: expect.toSatisfy(isBad), body: { detail: expect.anything() } })
    const problem = (answer.body as { detail: unknown }).detail
    return typeof problem === 'string' ? problem : JSON.stringify(problem)
  }
  return {
    async call(tool_id, args = {}) {
      const { status, body } = await send(`${url}/internal/tools/call`, { ...who, tool_id, args }, headers)
      if (status !== 200) {
        expect({ status, body }).toEqual({ status: expect.toSatisfy(isBad), body: { detail: expect.any(String) } })
        return (body as { detail: string }).detail
      }
      const shape = { ok: false, result: null, error: expect.any(String), tool_id, latency_ms: expect.any(Number) }
      expect(body).toEqual(shape)
      return (body as { error: string }).error
    },
    ...NOTHING_BEFORE,
    request,
  }
}

async function lagent(url: string): Promise<Asking> {
  const session = `errors-${crypto.randomUUID()}`
  const execute = (name: string, inputs: unknown) => send(`${url}/lagent/execute`, { session, name, inputs })
  return {
    async call(name, inputs = {}) {
      const { status, body } = await execute(name, inputs)
      expect(status).toBe(200)
      const { errmsg, state, result } = body as { errmsg: string | null; state: number; result: { content: string }[] }
      // The browser's answers are results that say what went wrong, as Lagent's own.
      if (errmsg === null) return z.object({ error: z.string() }).parse(JSON.parse(result[0]?.content ?? '')).error
      expect({ state, result }).toEqual({ state: expect.toSatisfy(isNegative), result: null })
      return errmsg
    },
    async prepare(name, inputs = {}) {
      expect(await execute(name, inputs)).toMatchObject({ status: 200, body: { errmsg: null, state: 0 } })
    },
    sent: NOTHING_BEFORE.sent,
    request: async (path, body) => problemOf(await send(`${url}${path}`, body)),
  }
}

async function toolserver(url: string): Promise<Asking> {
  const task_id = `errors-${crypto.randomUUID()}`
  await made(url, task_id)
  const execute = (tool_name: string, params: unknown) =>
    send(`${url}/api/tool/execute`, { task_id, tool_name, params })
  return {
    async call(tool, args = {}) {
      const { status, body } = await execute(tool, args)
      expect({ status, body }).toMatchObject({ status: 200, body: { success: false, error: expect.any(String) } })
      return (body as { error: string }).error
    },
    async prepare(tool, args = {}) {
      expect(await execute(tool, args)).toMatchObject({ status: 200, body: { success: true, error: null } })
    },
    sent: NOTHING_BEFORE.sent,
    async request(path, body) {
      const answer = await send(`${url}${path}`, body)
      expect(answer.status).toSatisfy(isBad)
      const { detail, error, details } = answer.body as Readonly<Record<string, unknown>>
      return typeof detail === 'string' ? detail : JSON.stringify({ error, details })
    },
  }
}

async function v1(url: string): Promise<Asking> {
  const name = `errors-${crypto.randomUUID()}`
  await made(url, name)
  const execute = (tool: string, args: unknown) => send(`${url}/v1/sessions/${name}/calls`, { tool, args })
  return {
    async call(tool, args = {}) {
      const answer = await execute(tool, args)
      if (answer.status !== 200) return problemOf(answer)
      expect(answer.body).toMatchObject({ state: 'failed', error: { code: expect.any(String) } })
      const { error } = answer.body as { error: { message: string } }
      expect(Object.keys(error).filter((key) => !['code', 'message', 'data'].includes(key))).toEqual([])
      return error.message
    },
    async prepare(tool, args = {}) {
      expect(await execute(tool, args)).toMatchObject({ status: 200, body: { state: 'done' } })
    },
    sent: NOTHING_BEFORE.sent,
    request: async (path, body) => problemOf(await send(`${url}${path}`, body)),
  }
}

/** Revision 2026-07-28, whose client reads a result with `isError`, or the error of the message. */
async function mcp(url: string): Promise<Asking> {
  const ask = modernWire(url)
  const path = `/mcp/s/errors-${crypto.randomUUID()}`
  const execute = (name: string, args: unknown) => ask('tools/call', { name, arguments: args }, { path })
  const problem = ({ error }: Wired) => {
    expect(error).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
    return String(error.message)
  }
  return {
    async call(tool, args = {}) {
      const answer = await execute(tool, args)
      if (answer.error.message !== undefined) return problem(answer)
      expect(answer.result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
      return textIn(answer)
    },
    async prepare(tool, args = {}) {
      const { status, result } = await execute(tool, args)
      expect({ tool, status, result }).toEqual({
        tool,
        status: 200,
        result: expect.not.objectContaining({ isError: true }),
      })
    },
    sent: NOTHING_BEFORE.sent,
    // A request is a method of MCP and its parameters.
    request: async (method, params) => problem(await ask(method, params as Loose, { path })),
  }
}

const textIn = ({ result }: Wired) =>
  (result.content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('\n')

const unused = async () => expect.unreachable('nothing of this table needs it')
const NOTHING_BEFORE = { prepare: unused, sent: unused }

async function made(url: string, task_id: string): Promise<void> {
  const query = new URLSearchParams({ task_id, task_name: task_id })
  expect((await send(`${url}/api/task/create?${query}`, {})).status).toBe(200)
}

function problemOf({ status, body }: Answer): string {
  expect({ status, body }).toMatchObject({
    status: expect.toSatisfy(isBad),
    body: { status, title: expect.any(String), detail: expect.any(String), hint: expect.any(String) },
  })
  return (body as { detail: string }).detail
}

const isNegative = (state: number) => state < 0
const isBad = (status: number) => status >= 400
