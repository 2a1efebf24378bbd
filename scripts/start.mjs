/**
 * Runs the whole of Toolyard on this machine: the sandbox host, the reader of documents and the Worker (in workerd),
 * with their state in `.toolyard/`. Stops them on Ctrl-C or SIGTERM. However it ends itself, nothing stays behind: see
 * `Children` and `followNpm`. One of them that ends or hangs is started again: see `Service`.
 *
 * PORT (8001), TOOLYARD_STATE (.toolyard), OPEN_TENANT ("dev"; empty: every request needs a key), PIP_INDEX_URL (a mirror
 * for pip in sandboxes), ISOLATION and SANDBOXD_* (docs/sandboxd.md), SANDBOXES_* and SANDBOX_* (docs/sandboxes.md).
 * Further bindings for the Worker: .dev.vars.
 */
import { rmSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { Children } from './start/children.mjs'
import { checkMachine, checkPort, lockState, ownSecret, prepareState } from './start/machine.mjs'
import { followNpm } from './start/npm-parent.mjs'
import { compileCache, openTenant, port, state, temporary } from './start/settings.mjs'
import { putStarterPapers } from './start/starter-papers.mjs'
import { makeTables } from './start/tables.mjs'

let stopping = false
/** Null until the machine is known to be able to run them. */
let services = null

const children = new Children((name, cause) => {
  if (services?.ended(name, cause)) return
  void stop(1, `the ${name} ended (${cause}); stopping`)
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))
// Who read our output may have gone (`npm start | head`); the server goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
followNpm('start', () => stop(1, 'npm is gone; stopping'))

try {
  checkMachine()
  prepareState()
  const lock = await lockState()
  if (lock !== null) children.hold(lock)
  await checkPort()
  const adminToken = ownSecret('admin-token')
  await makeTables(children)
  console.log('Toolyard: starting the sandbox host and the worker …')
  module.enableCompileCache(compileCache)
  // What it imports is TypeScript, which an older Node would not even read.
  const { Services } = await import('./start/services.mjs')
  services = new Services(children, (error) => stop(1, error.message))
  const isolation = await services.start(adminToken)
  if (!stopping) await putStarterPapers(adminToken)
  if (!stopping) announce(isolation)
} catch (error) {
  await stop(1, error.message)
}

function announce(isolation) {
  const header = openTenant ? '' : ` -H "Authorization: Bearer $KEY"`
  console.log(`
Toolyard is running.
  API        http://localhost:${port}
  sandboxes  ${isolation === 'none' ? 'NOT ISOLATED (ISOLATION=none)' : 'isolated by bubblewrap'}
  key        ${openTenant ? `none needed here: requests without one belong to the tenant "${openTenant}"` : 'needed; the admin API makes them'}
  admin      the token for /admin is in ${join(state, 'admin-token')}
  state      ${state} (kept when this stops)

Try it:
  curl -X POST${header} "http://localhost:${port}/api/task/create?task_id=my_task&task_name=My_Task"

Ctrl-C stops it.`)
}

/** The worker first, so that no call loses its sandbox while it is being answered. */
async function stop(code, message) {
  if (stopping) return
  stopping = true
  if (message) console.error(`Toolyard: ${message}`)
  services?.stop()
  await children.endAll()
  rmSync(temporary, { recursive: true, force: true })
  process.exit(code)
}
