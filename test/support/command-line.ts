import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { runCommandLine } from '../../src/cli/run.ts'

/** Output of a command line of a test, and its exit code. */
export interface CommandLineResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CommandLineSettings {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Standard input, which is no terminal; empty unless given. */
  readonly stdin?: string | Uint8Array
  /** Columns of the terminal that shows stdout and stderr; no terminal unless given. */
  readonly columns?: number
  readonly signal?: AbortSignal
  /** Called with each piece of stdout. */
  readonly onStdout?: (all: string) => void
}

/** Runs the command line in this process. The environment is the given one alone. */
export async function commandLine(
  args: readonly string[],
  { env = {}, cwd = tmpdir(), stdin = '', columns, signal, onStdout }: CommandLineSettings = {},
): Promise<CommandLineResult> {
  const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  const sink = (name: 'stdout' | 'stderr') => ({
    isTTY: columns !== undefined,
    columns,
    write(chunk: string | Uint8Array, done?: () => void) {
      printed[name].push(Buffer.from(chunk as string))
      if (name === 'stdout') onStdout?.(text(name))
      done?.()
    },
  })
  const text = (name: 'stdout' | 'stderr') => Buffer.concat(printed[name]).toString()
  const code = await runCommandLine({
    args,
    env,
    cwd,
    stdin: Readable.from(stdin.length > 0 ? [Buffer.from(stdin as string)] : []),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    signal: signal ?? new AbortController().signal,
  })
  return { code, stdout: text('stdout'), stderr: text('stderr') }
}

/** Directory of one file of tests, which is removed behind them. @returns a function that gives its path, once tests run */
export function scratchOfTests(): () => string {
  let path = ''
  beforeAll(async () => {
    path = await mkdtemp(join(tmpdir(), 'toolyard-cli-'))
  })
  afterAll(() => rm(path, { recursive: true, force: true }))
  return () => path
}

/** Builds the command line below a directory, as a package has it. @returns the directory that has `toolyard`, for a PATH */
export async function builtCommandLine(directory: string): Promise<string> {
  await promisify(execFile)(process.execPath, ['scripts/build-cli.mjs', join(directory, 'dist/cli')])
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')
  const program = join(directory, 'toolyard')
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${join(directory, 'dist/cli/main.js')}" "$@"\n`)
  await chmod(program, 0o755)
  return directory
}
