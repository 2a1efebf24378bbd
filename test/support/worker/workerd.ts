import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { inject } from 'vitest'
import { SETTINGS } from './settings.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Directory of the built Worker: `config.bin`, and `tables` and `started`, states whose databases have their tables. */
    readonly worker: string
  }
}

/** Worker in a process of its own: workerd, as `npm start` runs it. */
export interface Workerd {
  /** URL without a slash at its end. */
  readonly url: string
  /** Output so far. */
  logs(): string
  /** Asks one Durable Object, past the Worker. @throws Error with what the object throws */
  ask(className: string, name: string, operation: object): Promise<unknown>
  /** Kills the process, as by `kill -9`; fulfils when it is gone. */
  kill(): Promise<void>
}

/** Settings of wrangler.toml that a server has unless it is given others. */
const DEFAULTS = { ENVIRONMENT: 'local', OPEN_TENANT: 'dev', SANDBOX_TEMPLATE: 'base', SANDBOXES_MAX: '32' } as const
const STORAGE = ['do', 'r2', 'd1', 'reserve']

/**
 * Starts the Worker in workerd.
 * @param state directory: the next start with the same one continues there
 * @param vars bindings that replace those of wrangler.toml
 * @param certificate accepted besides those of the usual authorities, as PEM
 */
export async function startWorkerd(
  state: string,
  vars: Readonly<Record<string, string>>,
  certificate: string | null = null,
): Promise<Workerd> {
  const unknown = Object.keys(vars).filter((name) => !SETTINGS.includes(name))
  if (unknown.length > 0) throw new Error(`test/support/worker/settings.ts lacks ${unknown}`)
  const built = inject('worker')
  if (!existsSync(join(state, 'v3'))) cpSync(join(built, 'tables'), state, { recursive: true })
  const storage = STORAGE.map((name) => [name, join(state, 'v3', name)] as const)
  for (const [, directory] of storage) mkdirSync(directory, { recursive: true })

  const trusted = join(state, 'certificate.pem')
  if (certificate !== null) writeFileSync(trusted, certificate)

  const notSet = Object.fromEntries(SETTINGS.map((name) => [name, '']))
  const child: ChildProcess = spawn(
    workerdProgram(),
    [
      ...['serve', '--binary', '--experimental', join(built, 'config.bin'), '--control-fd=3'],
      ...['api', 'control'].map((socket) => `--socket-addr=${socket}=127.0.0.1:0`),
      ...storage.map(([name, directory]) => `--directory-path=${name}:storage=${directory}`),
    ],
    {
      env: { TZ: 'UTC', ...(certificate !== null && { SSL_CERT_FILE: trusted }), ...notSet, ...DEFAULTS, ...vars },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  )
  const logs = outputOf(child)
  const withUs = () => child.kill('SIGKILL')
  process.once('exit', withUs)
  const kill = async () => {
    process.off('exit', withUs)
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  try {
    const { api, control } = await portsOf(child)
    return {
      url: `http://127.0.0.1:${api}`,
      logs,
      kill,
      async ask(className, name, ask) {
        const body = JSON.stringify({ className, name, ask })
        const answer = await fetch(`http://127.0.0.1:${control}`, { method: 'POST', body })
        const { answer: answered, thrown } = JSON.parse(await answer.text(), withBytes)
        if (!answer.ok) throw new Error(thrown)
        return answered
      },
    }
  } catch (thrown) {
    await kill()
    throw new Error(`workerd did not start: ${logs()}`, { cause: thrown })
  }
}

/** Ports by the names of the sockets, once all listen. */
async function portsOf(child: ChildProcess): Promise<{ readonly api: number; readonly control: number }> {
  const ports: { api?: number; control?: number } = {}
  // A descriptor requested as a pipe is a readable one.
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, socket, port } = JSON.parse(line) as { event: string; socket: 'api' | 'control'; port: number }
    if (event === 'listen') ports[socket] = port
    const { api, control } = ports
    if (api !== undefined && control !== undefined) return { api, control }
  }
  throw new Error('it ended')
}

function outputOf(child: ChildProcess): () => string {
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  return () => printed
}

const withBytes = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && 'base64' in value && typeof value.base64 === 'string'
    ? new Uint8Array(Buffer.from(value.base64, 'base64')).buffer
    : value

/** workerd's program, of the version that Miniflare was made for. */
export function workerdProgram(): string {
  const miniflare = createRequire(import.meta.url).resolve('miniflare')
  return createRequire(miniflare)('workerd').default
}
