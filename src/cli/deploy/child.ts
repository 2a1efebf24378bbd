import { spawn } from 'node:child_process'
import { CliError } from '../failure.ts'

/** Characters of a program's output that are kept: its end, where programs say what was wrong. */
const KEPT_CHARS = 20_000

/** A program to run to its end. */
export interface ChildSpec {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Text for its stdin. Secrets come this way or by `env`: arguments can be read by every user of the machine. */
  readonly input?: string
  /** Gets each piece of its output. */
  readonly onOutput?: (text: string) => void
  /** Ends it. */
  readonly signal: AbortSignal
}

/** End of a program. */
export interface ChildEnd {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  /** stdout and stderr as they came. */
  readonly output: string
}

/** Runs a program. @throws CliError where it cannot be started */
export function runChild({ program, args, cwd, env, input = '', onOutput, signal }: ChildSpec): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env: env as NodeJS.ProcessEnv, stdio: 'pipe' })
    let stdout = ''
    let output = ''
    const take = (text: string) => {
      output = (output + text).slice(-KEPT_CHARS)
      onOutput?.(text)
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-KEPT_CHARS)
      take(text)
    })
    child.stderr.setEncoding('utf8').on('data', take)
    const end = () => child.kill('SIGTERM')
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    child.once('error', (error) => reject(new CliError(`${program} could not be started: ${error.message}`, '')))
    child.once('close', (code) => {
      signal.removeEventListener('abort', end)
      resolve({ code, stdout, output })
    })
    // A program that ends before it has read all of it says why in its output.
    child.stdin.on('error', () => {}).end(input)
  })
}
