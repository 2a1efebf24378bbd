/**
 * Runs what `npx wrangler dev` needs beside it on this machine: the sandbox host and the reader of documents, with their
 * state in `.toolyard/` as `npm start` has it. The Worker is told of them by .dev.vars, and its tables are made. Stops on
 * Ctrl-C or SIGTERM.
 *
 * SANDBOXD_PORT (49900), READER_PORT (49901), TOOLYARD_STATE (.toolyard), ISOLATION and SANDBOXD_* (docs/sandboxd.md).
 */
import module from 'node:module'
import { Children } from './start/children.mjs'
import { writeDevVars } from './start/dev-vars.mjs'
import { checkMachine, lockState, ownSecret, prepareState } from './start/machine.mjs'
import { followNpm } from './start/npm-parent.mjs'
import { compileCache, home, WRANGLER_ENV, wrangler } from './start/settings.mjs'

const ports = [Number(process.env.SANDBOXD_PORT || 49_900), Number(process.env.READER_PORT || 49_901)]
let stopping = false
/** Null until the machine is known to be able to run them. */
let services = null

const children = new Children((name, cause) => {
  if (services?.ended(name, cause)) return
  void stop(1, `the ${name} ended (${cause}); stopping`)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))
followNpm('sandboxd', () => stop(1, 'npm is gone; stopping'))

try {
  checkMachine()
  prepareState()
  const lock = await lockState()
  if (lock !== null) children.hold(lock)
  const tables = [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local']
  await children.run('making of the tables', process.execPath, tables, { cwd: home, env: WRANGLER_ENV })
  module.enableCompileCache(compileCache)
  // What it imports is TypeScript, which an older Node would not even read.
  const { Services } = await import('./start/services.mjs')
  services = new Services(children, (error) => stop(1, error.message))
  const { isolation, bindings } = await services.startBeside(ports, ownSecret('reader-token'))
  // Empty is as not set.
  writeDevVars(Object.fromEntries(Object.entries(bindings).filter(([, value]) => value !== '')))
  console.log(`
Sandboxes and the reader of documents run, and .dev.vars tells the Worker of them.
  sandboxes  ${isolation === 'none' ? 'NOT ISOLATED (ISOLATION=none)' : 'isolated by bubblewrap'}

Now, in another terminal (again, where it ran before):
  npx wrangler dev

Ctrl-C stops this.`)
} catch (error) {
  await stop(1, error.message)
}

async function stop(code, message) {
  if (stopping) return
  stopping = true
  if (message) console.error(`Toolyard: ${message}`)
  services?.stop()
  await children.endAll()
  process.exit(code)
}
