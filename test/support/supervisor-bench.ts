import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { SANDBOX_HOME } from '../../src/core/workspace-path.ts'
import { SUPERVISOR } from '../../src/session/supervisor/program.ts'

/** Reply of the supervisor about a command that ran. */
export interface SupervisorReply {
  readonly id: string
  readonly unable?: string
  readonly failed?: string
  readonly code: number
  readonly out: { readonly head: string; readonly tail: string; readonly bytes: number }
  readonly err: { readonly head: string; readonly tail: string; readonly bytes: number }
  readonly background: boolean
  readonly watched: string | null
  readonly late: boolean
  readonly flooded: boolean
}

/** Message of the supervisor about what a followed command prints. */
export interface LiveMessage {
  readonly of: string
  readonly n: number
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
  readonly skipped: number
}

/**
 * Supervisor as a process of this machine, with a directory of its own as home.
 * @param change edits the program, such as to a smaller limit
 * @param mostFileBytes greatest size of its files, held by the kernel; null for no limit
 */
export async function supervisorBench(
  change: (program: string) => string = (program) => program,
  mostFileBytes: number | null = null,
) {
  const home = mkdtempSync(join(tmpdir(), 'toolyard-supervisor-'))
  await mkdir(join(home, 'workspace'))
  await mkdir(join(home, '.toolyard'))
  const limited = mostFileBytes === null ? [] : ['prlimit', `--fsize=${mostFileBytes}`]
  const python = ['python3', '-I', '-u', '-c', change(SUPERVISOR.replaceAll(SANDBOX_HOME, home))]
  const [program = '', ...args] = [...limited, ...python]
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const waiting = new Map<string, (reply: SupervisorReply) => void>()
  const live: LiveMessage[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = JSON.parse(line) as SupervisorReply | LiveMessage
    if ('of' in reply) {
      live.push(reply)
      return
    }
    waiting.get(reply.id)?.(reply)
  })
  onTestFinished(async () => {
    child.stdin.end()
    await ended
    rmSync(home, { recursive: true, force: true })
  })
  let sent = 0
  const ask = (request: { readonly do: string; readonly id?: string; readonly [field: string]: unknown }) => {
    const id = request.id ?? `c${sent++}`
    const { promise, resolve } = Promise.withResolvers<SupervisorReply>()
    waiting.set(id, resolve)
    child.stdin.write(`${JSON.stringify({ ...request, id })}\n`)
    return promise
  }
  return {
    home,
    pid: child.pid ?? 0,
    ended,
    ask,
    /** Output of followed commands so far. */
    live,
    /** Runs bash. */
    run: (script: string, more: Readonly<Record<string, unknown>> = {}) =>
      ask({
        do: 'run',
        mark: 1_000_000 + sent,
        script,
        cwd: '',
        env: {},
        seconds: 60,
        watch: null,
        logs: null,
        sweep: [],
        before: null,
        ...more,
      }),
    /** Sends a request that is not answered. */
    tell: (request: object) => child.stdin.write(`${JSON.stringify(request)}\n`),
  }
}
