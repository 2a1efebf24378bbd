import { expect } from 'vitest'
import { MAX_ANSWER_CHARS } from '../../../src/core/limits/answers.ts'
import { verifierOf } from '../../support/requirements.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import type { ToolyardOptions } from '../../support/toolyard.ts'
import { REQUIREMENTS } from './requirements.ts'

/** A test of behaviours that are listed in requirements.ts. */
export const verifies = verifierOf(REQUIREMENTS)

export interface Envelope {
  readonly success: boolean
  readonly data: Readonly<Record<string, unknown>> | null
  readonly error: string | null
  readonly timestamp: string
  readonly execution_time: number
  readonly task_id: string
  readonly tool_name: string
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** One server for all tests of a file, and what a client does with it. */
export function aToolServer(options: () => Promise<ToolyardOptions> = async () => ({})) {
  const toolyard = runningToolyard(options)
  const url = () => toolyard().url
  return {
    url,
    toolyard,
    ...aClient(url),
    /** A client that sends this key. */
    as: (key: string) => aClient(url, { Authorization: `Bearer ${key}` }),
  }
}

function aClient(url: () => string, credentials: Readonly<Record<string, string>> = {}) {
  const request = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(credentials)) headers.set(name, value)
    return fetch(`${url()}${path}`, { ...init, headers })
  }
  const json = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await request(path, init)
    return { status: response.status, body: response.status === 204 ? {} : await response.json() }
  }
  const execute = (body: unknown) =>
    json('/api/tool/execute', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const create = (query: Record<string, string>) =>
    json(`/api/task/create?${new URLSearchParams(query)}`, { method: 'POST' })

  return {
    request,
    json,
    execute,
    create,
    /** Makes a task of its own for one test. */
    async task(requirements?: string): Promise<Task> {
      const id = newTaskId()
      const { status } = await create({ task_id: id, task_name: 'test', ...(requirements && { requirements }) })
      expect(status).toBe(200)
      return new Task(id, async (tool_name, params) => {
        const answer = await execute({ task_id: id, tool_name, params })
        expect(answer.status).toBe(200)
        return answer.body as Envelope
      })
    },
  }
}

export interface ShellData {
  readonly exit_code: number
  readonly stdout: string
  readonly stderr: string
  readonly truncated?: true
  readonly full_output?: { readonly stdout?: string; readonly stderr?: string }
  readonly notes?: readonly string[]
  readonly conflicts?: readonly string[]
  /** With `restored`: on the first command of a sandbox that replaced another. */
  readonly generation?: number
  readonly restored?: { readonly files: number; readonly packages: readonly string[] }
}

export const newTaskId = () => `t-${crypto.randomUUID()}`

export class Task {
  readonly id: string
  readonly call: (tool: string, params: object) => Promise<Envelope>

  constructor(id: string, call: (tool: string, params: object) => Promise<Envelope>) {
    this.id = id
    this.call = call
  }

  /** The data of a call that must work. */
  async done(tool: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const { success, data, error } = await this.call(tool, params)
    expect({ tool, success, error }).toEqual({ tool, success: true, error: null })
    return data ?? {}
  }

  /** The error of a call that must fail. */
  async failure(tool: string, params: object = {}): Promise<string> {
    const { success, error } = await this.call(tool, params)
    expect({ tool, success }).toEqual({ tool, success: false })
    return error ?? ''
  }

  async write(file_path: string, content: string) {
    await this.done('file_write', { file_path, content })
  }

  async read(file_path: string): Promise<unknown> {
    return (await this.done('file_read', { file_path, max_chars: MAX_ANSWER_CHARS })).content
  }

  /** What a command that could be run answers, whatever its exit code. */
  async shell(command: string, params: object = {}): Promise<ShellData> {
    return (await this.done('execute_shell', { command, ...params })) as unknown as ShellData // as published
  }
}
