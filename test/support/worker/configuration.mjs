import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { home, wrangler } from '../../../scripts/start/settings.mjs'
import { starterPapersDigest } from '../../../scripts/start/starter-papers.mjs'
import { migrationLines } from '../../../scripts/start/tables.mjs'

const moduleOf = (name) => ({ name, esModule: readFileSync(join(import.meta.dirname, name), 'utf8') })

/**
 * The configuration of `npm start` with a second socket, `control`, for tests. Beside the configuration is a directory
 * `tables`, a state in which the database has its tables, and `started`, one of `npm start` with these tables.
 */
export default function withControl(config, directory) {
  makeTables(join(directory, 'tables'))
  makeStarted(join(directory, 'started'), join(directory, 'tables'))
  const [{ worker, ...service }, ...others] = config.services
  const control = {
    modules: [moduleOf('control.mjs')],
    compatibilityDate: worker.compatibilityDate,
    compatibilityFlags: ['unsafe_module'],
    bindings: worker.durableObjectNamespaces.map(({ className }) => ({
      name: className,
      durableObjectNamespace: { className, serviceName: service.name },
    })),
  }
  return {
    ...config,
    sockets: [...config.sockets, { name: 'control', service: { name: 'control' }, http: {} }],
    services: [
      { ...service, worker: { ...worker, modules: [moduleOf('main.mjs'), ...worker.modules] } },
      { name: 'control', worker: control },
      ...others,
    ],
  }
}

function makeTables(state) {
  const args = [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', state]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: home, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`)
}

/** Makes a state as after a first start, with its papers removed by the owner. */
function makeStarted(state, tables) {
  cpSync(tables, join(state, 'worker'), { recursive: true })
  writeFileSync(join(state, 'migrated'), migrationLines(), { mode: 0o600 })
  writeFileSync(join(state, 'starter-papers'), starterPapersDigest(), { mode: 0o600 })
}
