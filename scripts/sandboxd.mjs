/**
 * Runs what `npx wrangler dev` needs beside it on this machine: the sandbox host and the reader of documents, with their
 * state in `.toolyard/` as `npm start` has it. The Worker is told of them by .dev.vars, and its tables are made. Stops on
 * Ctrl-C or SIGTERM.
 *
 * SANDBOXD_PORT (49900), READER_PORT (49901), TOOLYARD_STATE (.toolyard), ISOLATION and SANDBOXD_* (docs/sandboxd.md).
 */

import { writeDevVars } from './start/dev-vars.mjs'
import { ownSecret } from './start/machine.mjs'
import { MainProcess } from './start/main-process.mjs'
import { home, WRANGLER_ENV, wrangler } from './start/settings.mjs'

const ports = [Number(process.env.SANDBOXD_PORT || 49_900), Number(process.env.READER_PORT || 49_901)]
const main = new MainProcess('sandboxd')

await main.run(async () => {
  await main.holdState()
  const tables = [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local']
  await main.children.run('making of the tables', process.execPath, tables, { cwd: home, env: WRANGLER_ENV })
  const services = await main.services()
  const { isolation, bindings } = await services.startBeside(ports, ownSecret('reader-token'))
  // Empty is as not set.
  writeDevVars(Object.fromEntries(Object.entries(bindings).filter(([, value]) => value !== '')))
  console.log(`
Sandboxes and the reader of documents run, and .dev.vars tells the Worker of them.
  sandboxes  ${isolation === 'none' ? 'NOT ISOLATED (ISOLATION=none)' : 'isolated by bubblewrap'}

Now, in another terminal (again, where it ran before):
  npx wrangler dev

Ctrl-C stops this.`)
})
