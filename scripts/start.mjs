/**
 * Runs the whole of Toolyard on this machine: the sandbox host, the reader of documents and the Worker (in workerd),
 * with their state in `.toolyard/`. Stops them on Ctrl-C or SIGTERM. However it ends itself, nothing stays behind: see
 * `MainProcess`. One of them that ends or hangs is started again: see `Service`.
 *
 * PORT (8001), TOOLYARD_STATE (.toolyard), OPEN_TENANT ("dev"; empty: every request needs a key), PIP_INDEX_URL (a mirror
 * for pip in sandboxes), ISOLATION and SANDBOXD_* (docs/sandboxd.md), SANDBOXES_* and SANDBOX_* (docs/sandboxes.md).
 * Further bindings for the Worker: .dev.vars.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkPort, ownSecret } from './start/machine.mjs'
import { MainProcess } from './start/main-process.mjs'
import { openTenant, port, state, temporary } from './start/settings.mjs'
import { putStarterPapers } from './start/starter-papers.mjs'
import { makeTables } from './start/tables.mjs'

const main = new MainProcess('start', () => rmSync(temporary, { recursive: true, force: true }))

await main.run(async () => {
  await main.holdState()
  await checkPort()
  const adminToken = ownSecret('admin-token')
  await makeTables(main.children)
  console.log('Toolyard: starting the sandbox host and the worker …')
  const services = await main.services()
  const isolation = await services.start(adminToken)
  if (!main.stopping) await putStarterPapers(adminToken)
  if (!main.stopping) announce(isolation)
})

function announce(isolation) {
  const header = openTenant ? '' : ` -H "Authorization: Bearer $KEY"`
  console.log(`
Toolyard is running.
  console    http://toolyard.localhost:${port}/console/ (or http://localhost:${port}/console/)
  API        http://localhost:${port}
  sandboxes  ${isolation === 'none' ? 'NOT ISOLATED (ISOLATION=none)' : 'isolated by bubblewrap'}
  key        ${openTenant ? `none needed here: requests without one belong to the tenant "${openTenant}"` : 'needed; the admin API makes them'}
  admin      the token for /admin is in ${join(state, 'admin-token')}
  state      ${state} (kept when this stops)

Try it:
  curl -X POST${header} "http://localhost:${port}/api/task/create?task_id=my_task&task_name=My_Task"

Ctrl-C stops it.`)
}
