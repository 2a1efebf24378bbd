import { join } from 'node:path'
import { health } from './health.ts'
import { freePortError, ownSecret } from './machine.mjs'
import { compileCache, home, state } from './settings.mjs'

const NAME = 'sandbox host'

/** Port of the sandbox host. @returns SANDBOXD_PORT, or 0 for any free one where another process has that */
export async function sandboxHostPort() {
  const wanted = Number(process.env.SANDBOXD_PORT || 49_900)
  return (await freePortError(wanted, '127.0.0.1')) === null ? wanted : 0
}

/**
 * Sandbox host, as a {@link Service} behind that socket, whose value is its isolation.
 * @returns the service, and the Worker's bindings to it
 */
export function sandboxHostService(children, { port, fd }) {
  const key = process.env.SANDBOXD_API_KEY || ownSecret('sandboxd-key')
  const where = ['--port', String(port), '--fd', '3', '--state', join(state, 'sandboxes')]
  const args = [join(home, 'src/sandboxd/main.ts'), ...where]
  const env = { ...process.env, SANDBOXD_API_KEY: key, NODE_COMPILE_CACHE: compileCache }
  const url = `http://127.0.0.1:${port}`
  return {
    name: NAME,
    consequence: 'what ran in sandboxes is lost, files stay',
    ask: (signal) => health(port, signal),
    launch: () => children.startServer(NAME, process.execPath, args, { cwd: home, env, descriptors: [fd] }),
    bindings: async (isolation) => ({
      E2B_API_URL: url,
      E2B_SANDBOX_URL: url,
      E2B_API_KEY: key,
      SANDBOX_ENVIRONMENT: process.env.SANDBOX_ENVIRONMENT || (await environmentOf(url, key)),
      ...sandboxLimits(isolation),
    }),
  }
}

/** Programs and packages that commands in a sandbox of the host have, as JSON; empty where the host does not say. */
async function environmentOf(url, key) {
  try {
    const answer = await fetch(`${url}/environment`, {
      headers: { 'X-API-Key': key },
      signal: AbortSignal.timeout(15_000),
    })
    return answer.ok ? await answer.text() : ''
  } catch {
    return ''
  }
}

/**
 * Limits of the Worker's leases: as many sandboxes as the host takes. Without isolation a pause would end running programs,
 * so it comes later then. An empty variable counts as not set, and the bundle stays the same.
 */
function sandboxLimits(isolation) {
  const { SANDBOXD_MAX_RUNNING, SANDBOXES_MAX, SANDBOXES_PER_TENANT } = process.env
  const { SANDBOX_QUIET_SECONDS, SANDBOX_WAIT_SECONDS, SANDBOX_SPARES } = process.env
  return {
    SANDBOXES_MAX: SANDBOXES_MAX || SANDBOXD_MAX_RUNNING || '',
    SANDBOXES_PER_TENANT: SANDBOXES_PER_TENANT || '',
    SANDBOX_QUIET_SECONDS: SANDBOX_QUIET_SECONDS || (isolation === 'none' ? '600' : ''),
    SANDBOX_WAIT_SECONDS: SANDBOX_WAIT_SECONDS || '',
    SANDBOX_SPARES: SANDBOX_SPARES || '',
  }
}
