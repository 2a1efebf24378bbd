import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'

/** Server as `npm start` runs it, with a state of its own. */
export interface OwnServer {
  readonly pid: number
  /** URL without a slash at its end. */
  readonly url: string
  readonly state: string
  /** Sends a request. @throws when the answer is no success */
  send(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void>
  /** Stops it; its state stays. */
  end(): Promise<void>
  remove(): Promise<void>
}

export async function startOwnServer(settings: Readonly<Record<string, string>>): Promise<OwnServer> {
  const state = await mkdtemp(join(tmpdir(), 'toolyard-bench-'))
  const port = await freePort()
  const server = spawn(process.execPath, ['scripts/start.mjs'], {
    env: { ...process.env, PORT: `${port}`, SANDBOXD_PORT: '0', TOOLYARD_STATE: state, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  const remove = async () => {
    await end()
    await rm(state, { recursive: true })
  }
  try {
    await banner(server)
  } catch (thrown) {
    await remove()
    throw thrown
  }
  const url = `http://127.0.0.1:${port}`
  return {
    pid: server.pid ?? 0,
    url,
    state,
    async send(method, path, body) {
      const headers = { 'Content-Type': 'application/json' }
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const answer = await fetch(`${url}${path}`, init)
      const { success, error } = (await answer.json()) as { readonly success: boolean; readonly error?: string }
      if (!success) throw new Error(`${path}: ${error}`)
    },
    end,
    remove,
  }
}

async function banner(server: ChildProcess): Promise<void> {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    server.stdout?.on('data', (chunk) => {
      output += chunk
      if (output.includes('Ctrl-C stops it')) resolve()
    })
    server.once('exit', () => reject(new Error(`the server did not start:\n${output}`)))
  })
}
