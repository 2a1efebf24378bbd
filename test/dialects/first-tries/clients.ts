import { expect } from 'vitest'
import { modernWire } from '../mcp/wire.ts'
import { call as toolcoreCall } from '../toolcore/support.ts'
import { Client } from '../xagent/support.ts'
import { LAYOUT } from './layout.ts'
import type { Call } from './task.ts'

/** Answer of a call, as a model reads it. */
export interface Heard {
  readonly fails: boolean
  /** Error of a call that fails; null for one that works. */
  readonly error: string | null
  /** Texts of the answer: strings anywhere in it. */
  readonly texts: readonly string[]
  /** Fields of the answer; null where it is text alone. */
  readonly data: unknown
}

/** A client of one dialect with a session of its own. */
export interface Caller {
  call(call: Call, session?: string): Promise<Heard>
}

/** Clients by dialect, each with the tasks' files in its session. */
export const CALLERS = { toolserver, v1, mcp, lagent, xagent, toolcore } as const

async function post(url: string, body: unknown) {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
}

/** A client whose session has the files. */
async function withFiles(caller: Caller, [tool, args]: Call): Promise<Caller> {
  expect(await caller.call([tool, { command: LAYOUT, ...(args as object) }])).toMatchObject({ fails: false })
  return caller
}

/** Makes the session whose name callers mistype. */
export const makeMistyped = (url: string): Promise<void> => makeTask(url, 'first-tries')

async function toolserver(url: string): Promise<Caller> {
  const call: Caller['call'] = async ([tool_name, params], task_id = 'first-tries') => {
    const { body } = await post(`${url}/api/tool/execute`, { task_id, tool_name, params })
    const { success, error, data } = body
    return heard(success === true ? null : String(error), data)
  }
  return withFiles({ call }, ['execute_shell', { workdir: '.' }])
}

async function v1(url: string): Promise<Caller> {
  await makeTask(url, 'tries-of-v1')
  const call: Caller['call'] = async ([tool, args], session = 'tries-of-v1') => {
    const { status, body } = await post(`${url}/v1/sessions/${session}/calls`, { tool, args })
    if (status !== 200) return heard(String(body.detail), null)
    const { error, data } = body as { error?: { message: string; data?: unknown }; data?: unknown }
    return error ? heard(error.message, error.data) : heard(null, data)
  }
  return withFiles({ call }, ['execute_shell', { workdir: '.' }])
}

async function mcp(url: string): Promise<Caller> {
  const ask = modernWire(url)
  const call: Caller['call'] = async ([name, args], session) => {
    const own = session === undefined
    const given = own ? args : { ...(args as object), session }
    const path = own ? '/mcp/s/tries-of-mcp' : '/mcp'
    const { result, error } = await ask('tools/call', { name, arguments: given }, { path })
    const texts = ((result.content ?? []) as { text?: string }[]).flatMap(({ text }) => text ?? [])
    return { ...heard(error.message ?? (result.isError === true ? texts.join('\n') : null), null), texts }
  }
  return withFiles({ call }, ['execute_shell', { workdir: '.' }])
}

async function lagent(url: string): Promise<Caller> {
  const call: Caller['call'] = async ([name, inputs]) => {
    const { body } = await post(`${url}/lagent/execute`, { session: 'tries-of-lagent', name, inputs })
    return { ...heard(body.errmsg === null ? null : String(body.errmsg), body.result), data: null }
  }
  return withFiles({ call }, ['execute_shell', { workdir: '.' }])
}

async function xagent(url: string): Promise<Caller> {
  const node = await Client.connect(url)
  const call: Caller['call'] = async ([tool, args]) => {
    const { status, body } = await node.execute(tool, args as object)
    if (status === 200) return heard(null, body)
    const { detail } = body as { detail: unknown }
    return heard(typeof detail === 'string' ? detail : JSON.stringify(detail), null)
  }
  return withFiles({ call }, ['shell_command_executor', {}])
}

async function toolcore(url: string): Promise<Caller> {
  const call: Caller['call'] = async ([tool, args]) => {
    const { status, body } = await toolcoreCall(url, tool, { args })
    if (status !== 200) return heard(body.detail, null)
    return heard(body.error, body.result)
  }
  return withFiles({ call }, ['shell.run', {}])
}

async function makeTask(url: string, task_id: string): Promise<void> {
  const query = new URLSearchParams({ task_id, task_name: task_id })
  expect((await post(`${url}/api/task/create?${query}`, {})).status).toBe(200)
}

const heard = (error: string | null, data: unknown): Heard => ({
  fails: error !== null,
  error,
  texts: textsIn(data),
  data: data ?? null,
})

/** Strings anywhere in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
