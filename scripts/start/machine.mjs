import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { port, state, temporary, workerState } from './settings.mjs'

const LOCK_MS = 5_000

/** Checks the machine. @throws Error when Node is too old, or PORT is no port */
export function checkMachine() {
  // Node reads TypeScript as it is from 22.18 on.
  if (!process.features.typescript) {
    throw new Error(
      `this needs Node 22.18 or newer and runs in ${process.version}; "npm start" has its own Node, after "npm ci"`,
    )
  }
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT is a number from 1 to 65535, not "${process.env.PORT}"`)
  }
}

/** Makes the state's directories, for this user alone: secrets are in there. Run by root, sandboxes have users of their own, which pass through. */
export function prepareState() {
  mkdirSync(state, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  mkdirSync(workerState, { recursive: true, mode: 0o700 })
  // File of a server of an earlier version, with secrets in it.
  rmSync(join(state, 'worker.env'), { force: true })
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary, { mode: 0o700 })
}

/**
 * Locks the state by a name in the kernel's abstract socket space, which is free again as soon as no process holds its
 * descriptor, however its holders ended.
 * @returns the descriptor; null where there is no such space
 * @throws Error when another process holds the lock
 */
export async function lockState() {
  if (process.platform !== 'linux') return null
  const name = `\0toolyard-${createHash('sha256').update(state).digest('hex')}`
  const deadline = Date.now() + LOCK_MS
  for (let waited = false; ; waited = true) {
    const server = createServer((socket) => socket.destroy()).unref()
    // Node passes descriptors to children but names a server's only here.
    if ((await listenError(server, name)) === null) return server._handle.fd
    if (!waited) console.error(`Toolyard: another one uses ${state}; waiting a moment for it to end`)
    if (Date.now() > deadline) {
      throw new Error(
        `another one runs with the state in ${state}; stop it, or give this one its own: TOOLYARD_STATE=… PORT=… npm start`,
      )
    }
    await new Promise((wait) => setTimeout(wait, 100))
  }
}

/** Looks at both loopback addresses: with another server on ::1, "localhost" would reach that one. @throws Error */
export async function checkPort() {
  for (const host of ['127.0.0.1', '::1']) {
    const code = await freePortError(port, host)
    if (code === 'EADDRINUSE') {
      throw new Error(`port ${port} is in use; end what uses it, or choose another: PORT=${port + 1} npm start`)
    }
    if (code === 'EACCES')
      throw new Error(`this user may not listen on port ${port}; choose another: PORT=8001 npm start`)
  }
}

/** Error of listening on a port. @returns its code, e.g. EADDRINUSE; null when the port is free */
export async function freePortError(wanted, host) {
  const server = createServer()
  const code = await listenError(server, { port: wanted, host })
  if (code === null) await new Promise((closed) => server.close(closed))
  return code
}

function listenError(server, where) {
  return new Promise((answer) => {
    server.once('error', (error) => answer(error.code))
    server.listen(where, () => answer(null))
  })
}

/** A secret of this installation, in a file of that name. Made at the first start. */
export function ownSecret(name) {
  const file = join(state, name)
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
