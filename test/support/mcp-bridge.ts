import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import { jsonAnswer, type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from './stand-in.ts'

const require = createRequire(import.meta.url)

/** Programs of the servers of npm. */
const PROGRAMS = {
  everything: require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
  memory: require.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
}

export interface BridgedServer extends StandIn {
  /** Ends all its sessions. */
  forget(): void
}

/** MCP server of npm that speaks over stdio alone, behind HTTP: one process for each session, as an older server keeps them. */
export async function bridgedServer(
  name: keyof typeof PROGRAMS,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<BridgedServer> {
  const sessions = new Map<string, Piped>()
  const standIn = await startStandIn((request) =>
    answered(request, sessions, () => new Piped(PROGRAMS[name], args, env)),
  )
  const forget = () => {
    for (const session of sessions.values()) session.stop()
    sessions.clear()
  }
  onTestFinished(async () => {
    forget()
    await standIn.stop()
  })
  return { ...standIn, forget }
}

function answered(
  { method, headers, body }: StandInRequest,
  sessions: Map<string, Piped>,
  start: () => Piped,
): StandInAnswer {
  if (method !== 'POST') return { status: 405 }
  const message = JSON.parse(body) as { id?: number; method: string }
  const known = headers['mcp-session-id']
  if (message.method === 'initialize') {
    const id = crypto.randomUUID()
    const session = start()
    sessions.set(id, session)
    return (response) => {
      void session.ask(message).then((answer) => {
        response
          .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': id })
          .end(JSON.stringify(answer))
      })
    }
  }
  const session = typeof known === 'string' ? sessions.get(known) : undefined
  if (!session)
    return jsonAnswer(
      { jsonrpc: '2.0', id: message.id ?? null, error: { code: -32000, message: 'no session' } },
      known === undefined ? 400 : 404,
    )
  if (message.id === undefined) {
    session.tell(message)
    return { status: 202 }
  }
  return (response) => {
    void session.ask(message).then((answer) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  }
}

/** A process whose lines are messages. */
class Piped {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, (answer: unknown) => void>()

  constructor(program: string, args: readonly string[], env: Record<string, string>) {
    this.#process = spawn(process.execPath, [program, ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    })
    if (!this.#process.stdout) throw new Error('a pipe was asked for')
    createInterface({ input: this.#process.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as { id?: number; method?: string }
      if (answer.id === undefined || answer.method !== undefined) return
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    })
  }

  tell(message: unknown): void {
    this.#process.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  ask(message: { readonly id?: number }): Promise<unknown> {
    const answer = new Promise((resolve) => this.#waiting.set(message.id ?? -1, resolve))
    this.tell(message)
    return answer
  }

  stop(): void {
    this.#process.kill()
  }
}

/** The server of npm with everything in it, which speaks streamable HTTP itself, in an older revision. @returns its address */
export async function everythingServer(): Promise<{ readonly url: string; readonly host: string }> {
  const port = await freePort()
  const server = spawn(process.execPath, [PROGRAMS.everything, 'streamableHttp'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PORT: String(port) },
  })
  onTestFinished(() => {
    server.kill()
  })
  for await (const line of createInterface({ input: server.stderr })) if (line.includes('listening on port')) break
  return { url: `http://127.0.0.1:${port}/mcp`, host: `127.0.0.1:${port}` }
}
