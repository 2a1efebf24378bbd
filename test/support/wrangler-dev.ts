import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from './free-port.ts'
import { descendantsOf, isAlive } from './processes.ts'

/** The Worker as `wrangler dev` runs it. */
export interface WranglerDev {
  /** URL without a slash at its end. */
  readonly url: string
  /** Kills all processes, as by `kill -9`. */
  kill(): Promise<void>
}

/**
 * Starts `wrangler dev`.
 * @param state directory: the next start with the same one continues there
 * @param vars bindings that replace those of wrangler.toml
 */
export async function startWranglerDev(state: string, vars: Readonly<Record<string, string>>): Promise<WranglerDev> {
  const port = await freePort()
  const file = join(state, 'worker.env')
  const lines = Object.entries(vars).map(([name, value]) => `${name}='${value}'\n`)
  await writeFile(file, lines.join(''))
  // A killed process removes nothing: its temporary files go with the test's directory.
  const temporary = join(state, 'worker-temporary')
  await mkdir(temporary, { recursive: true })
  const child = spawn(
    process.execPath,
    [
      ...['--', 'node_modules/wrangler/bin/wrangler.js', 'dev', '--port', `${port}`, '--inspector-port', '0'],
      ...['--show-interactive-dev-session=false', '--persist-to', join(state, 'worker'), '--env-file', file],
    ],
    {
      env: { ...process.env, TMPDIR: temporary, CI: 'true', WRANGLER_SEND_METRICS: 'false' },
      stdio: 'ignore',
    },
  )
  const url = `http://127.0.0.1:${port}`
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const family = [child.pid ?? 0, ...descendantsOf(child.pid ?? 0)]
    for (const pid of family) process.kill(pid, 'SIGKILL')
    await vi.waitUntil(() => !family.some(isAlive), { timeout: 100_000 })
  }
  const isUp = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  try {
    await vi.waitUntil(isUp, { timeout: 100_000, interval: 100 })
  } catch (thrown) {
    await kill()
    throw thrown
  }
  return { url, kill }
}
