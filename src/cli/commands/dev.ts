import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { command } from '../command.ts'
import type { ExitCode } from '../exit-codes.ts'
import { checkout, nodeOf } from '../package-root.ts'

/** Scripts of `npm start`, one after the other. */
const SCRIPTS = ['scripts/setup.mjs', 'scripts/start.mjs']

/** `toolyard dev`. */
export const dev = command({
  summary: 'Run a server on this machine',
  details: `What npm start does in the checkout of the server: looks for the programs that it needs, and runs the
API, a sandbox host and the reader until Ctrl-C. Its settings are variables: PORT (8001), TOOLYARD_STATE,
OPEN_TENANT, ISOLATION, and what the README names.`,
  arguments: [],
  options: {},
  examples: [{ args: 'dev', does: 'http://localhost:8001, with its console below /console/' }],
  async run({ cwd, env, signal }) {
    const root = checkout(cwd)
    let code: ExitCode = 0
    for (const script of SCRIPTS) {
      signal.throwIfAborted()
      code = await ranScript(root, script, env, signal)
      if (code !== 0) break
    }
    return code
  },
})

/** Runs a script in the terminal of this process. A signal that this one gets reaches it, too. @returns its exit code */
async function ranScript(
  root: string,
  script: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<ExitCode> {
  const child = spawn(nodeOf(root), [join(root, script)], {
    cwd: root,
    env: {
      ...env,
      PATH: [join(root, 'node_modules/.bin'), env.PATH ?? ''].join(delimiter),
      // By this it watches the process that started it, and ends when that is killed.
      npm_lifecycle_event: 'start',
    } as unknown as NodeJS.ProcessEnv,
    stdio: 'inherit',
  })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, stop)
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    signal.removeEventListener('abort', stop)
    for (const name of ['SIGTERM', 'SIGHUP'] as const) process.off(name, stop)
  }
}
