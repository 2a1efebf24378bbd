import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startConsoleBrowser } from './console-browser.ts'
import { freePort } from './free-port.ts'
import { endServers, startedState, startServer } from './npm-start.ts'

/** Calls of one request. */
const BATCH = 50

interface As {
  /** A key, where the server needs one. */
  readonly key?: string | undefined
}

/** The console as `npm start` serves it, and a browser to look at it. Ended by `end`. */
export type ConsoleBench = Awaited<ReturnType<typeof startConsole>>

/**
 * Starts a server with the console, and a browser.
 * @param settings its environment; `OPEN_TENANT: ''` for one where each request needs a key
 */
export async function startConsole(settings: Readonly<Record<string, string>> = {}) {
  const state = await startedState()
  const PORT = String(await freePort())
  const start = () => startServer('node', { TOOLYARD_STATE: state, PORT, ...settings })
  let server = await start()
  const browser = await startConsoleBrowser()
  const url = `http://localhost:${PORT}`

  /** Asks by the API. @returns the answer's JSON, which is one of success */
  async function ask<T = Record<string, unknown>>(method: string, path: string, body?: object, { key }: As = {}) {
    const headers = { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) }
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true)
    return (text === '' ? null : JSON.parse(text)) as T
  }

  return {
    url,
    state,
    ask,
    newPage: browser.newPage,
    /** Everything that the server has printed. */
    output: () => server.output(),
    /** Calls a tool. @returns the call's id */
    async call(session: string, tool: string, args: object, as?: As) {
      const path = `/v1/sessions/${session}/calls`
      return (await ask<{ call_id: string }>('POST', path, { tool, arguments: args }, as)).call_id
    },
    /** Makes a session with many calls of `file_read`, of `absent-1` and so on, with few requests. */
    async newSessionOfCalls(name: string, count: number) {
      await ask('POST', '/v1/sessions', { name })
      for (let at = 0; at < count; at += BATCH) {
        const calls = Array.from({ length: Math.min(BATCH, count - at) }, (_, place) => ({
          tool: 'file_read',
          arguments: { file_path: `absent-${at + place + 1}` },
        }))
        await ask('POST', `/v1/sessions/${name}/calls:batch`, { calls })
      }
    },
    /** Makes a tenant with a key that may all. */
    async newTenant(name: string) {
      const owner = { key: (await readFile(join(state, 'admin-token'), 'utf8')).trim() }
      const { id } = await ask<{ id: string }>('POST', '/admin/tenants', { name }, owner)
      const wanted = { name: `key of ${name}`, scopes: ['read', 'execute', 'admin'] }
      const made = await ask<{ id: string; key: string }>('POST', `/admin/tenants/${id}/keys`, wanted, owner)
      return { tenant: id, key: made.key, keyId: made.id }
    },
    /** Signs a browser in, and waits until it is. */
    async signIn(page: Page, key: string) {
      await page.goto(`${url}/console/sign-in`)
      await page.getByLabel('Key', { exact: true }).fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${url}/console/sessions`)
      await page.getByRole('button', { name: 'Sign out' }).first().waitFor()
    },
    /** Stops the server alone, and what is done meanwhile happens to its state. */
    async stopServer() {
      await server.end('SIGTERM')
    },
    /** Starts it again, at the same address. */
    async startServer() {
      server = await start()
    },
    async end() {
      await browser.close()
      await endServers()
      await rm(state, { recursive: true, force: true })
    },
  }
}
