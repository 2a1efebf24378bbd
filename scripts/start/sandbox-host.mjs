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
  const { isolation } = ready
  const bindings = { E2B_API_URL: url, E2B_SANDBOX_URL: url, E2B_API_KEY: key, ...sandboxLimits(isolation) }
  return { isolation, bindings }
}

/**
 * How many sandboxes the Worker leases: as many as the host takes. Without isolation a pause would end what runs in one, so it
 * comes later then. Empty is as not set, and the bundle stays the same.
 */
function sandboxLimits(isolation) {
  const { SANDBOXD_MAX_RUNNING, SANDBOXES_MAX, SANDBOXES_PER_TENANT, SANDBOX_QUIET_SECONDS, SANDBOX_WAIT_SECONDS } =
    process.env
  return {
    SANDBOXES_MAX: SANDBOXES_MAX || SANDBOXD_MAX_RUNNING || '',
    SANDBOXES_PER_TENANT: SANDBOXES_PER_TENANT || '',
    SANDBOX_QUIET_SECONDS: SANDBOX_QUIET_SECONDS || (isolation === 'none' ? '600' : ''),
    SANDBOX_WAIT_SECONDS: SANDBOX_WAIT_SECONDS || '',
  }
}
