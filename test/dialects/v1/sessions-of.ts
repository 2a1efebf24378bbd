import { expect } from 'vitest'
import type { aToolServer } from '../toolserver/support.ts'

/** What tests of sessions ask a server, below `/v1/sessions`. */
export function sessionsOf(server: Pick<ReturnType<typeof aToolServer>, 'request'>) {
  async function ask(method: string, path: string, body?: unknown) {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await server.request(`/v1/sessions${path}`, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  /** Makes a session. @returns its name */
  async function aSession(settings: object = {}): Promise<string> {
    const { status, body } = await ask('POST', '', settings)
    expect(status, JSON.stringify(body)).toBe(201)
    return body.name
  }
  return { ask, aSession }
}
