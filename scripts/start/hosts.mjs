import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { freePortError, ownSecret } from './machine.mjs'
import { home, state } from './settings.mjs'

/**
 * Starts the sandbox host.
 * @returns how it isolates, and what the Worker is told of it
 */
export async function startSandboxHost(children) {
  const key = process.env.SANDBOXD_API_KEY || ownSecret('sandboxd-key')
  const wanted = Number(process.env.SANDBOXD_PORT || 49_900)
  const port = (await freePortError(wanted, '127.0.0.1')) === null ? wanted : 0
  const ready = await children.startServer(
    'sandbox host',
    process.execPath,
    [join(home, 'src/sandboxd/main.ts'), ...['--port', String(port), '--state', join(state, 'sandboxes')]],
    { cwd: home, env: { ...process.env, SANDBOXD_API_KEY: key } },
  )
  const url = `http://127.0.0.1:${ready.port}`
  return { isolation: ready.isolation, bindings: { E2B_API_URL: url, E2B_SANDBOX_URL: url, E2B_API_KEY: key } }
}

/**
 * Starts the reader of documents and pages. It has no other secret than its own in its environment, since what it reads
 * is of strangers.
 * @returns what the Worker is told of it
 */
export async function startReader(children) {
  const token = randomBytes(24).toString('base64url')
  const { port } = await children.startServer('reader', process.execPath, [join(home, 'src/readerd/main.ts')], {
    cwd: home,
    env: { PATH: process.env.PATH, READER_TOKEN: token },
  })
  return { READER_URL: `http://127.0.0.1:${port}`, READER_TOKEN: token }
}
