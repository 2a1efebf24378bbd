import { expect } from 'vitest'
import { verifierOf } from '../../support/requirements.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import type { ToolyardOptions } from '../../support/toolyard.ts'
import { REQUIREMENTS } from './requirements.ts'

/** A test of behaviours that are listed in requirements.ts. */
export const verifies = verifierOf(REQUIREMENTS)

export interface Returned {
  readonly args: unknown
  readonly url: string | null
  readonly type: string | null
  readonly result: readonly { readonly type: string; readonly content: string }[] | null
  readonly errmsg: unknown
  readonly state: number
  readonly thought: string | null
  readonly valid: number
}

/** One server for all tests of a file, and what a client does with it. */
export function aServer(options: () => Promise<ToolyardOptions> = async () => ({})) {
  const toolyard = runningToolyard(options)
  const ask = async (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${toolyard().url}${path}`, {
      headers,
      ...(body !== undefined && { method: 'POST', body: sent }),
    })
    return { status: response.status, type: response.headers.get('Content-Type'), body: await response.json() }
  }
  /** An ActionReturn, which comes with status 200 whatever it says. */
  const execute = async (call: object, headers?: Readonly<Record<string, string>>): Promise<Returned> => {
    const { status, body } = await ask('/lagent/execute', call, headers)
    expect({ status, body }).toEqual({ status: 200, body: expect.anything() })
    return body as Returned
  }
  return { toolyard, ask, execute }
}

/** A session's name that no other test has. */
export const fresh = () => `lagent-${crypto.randomUUID()}`
