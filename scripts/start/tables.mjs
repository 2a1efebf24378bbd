import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { home, state, WRANGLER_ENV, workerState, wrangler } from './settings.mjs'

const MIGRATIONS = join(home, 'migrations')
/** Bindings of databases. Each has all tables, and uses its own. */
const DATABASES = ['DB', 'PAPERS']

/**
 * Applies `migrations/` to the databases. wrangler takes two seconds to find that nothing is to be done, so that is remembered,
 * with a line for each file and database.
 * @throws when newer code has applied others: nothing is changed then
 */
export async function makeTables(children) {
  const names = migrations()
  const lines = migrationLines()
  const done = join(state, 'migrated')
  const before = existsSync(done) ? readFileSync(done, 'utf8') : ''
  if (before === lines) return
  const newer = before.match(/^\S+\.sql(?= )/gm)?.find((name) => !names.includes(name))
  if (newer !== undefined)
    throw new Error(`${state} was used by a newer version of Toolyard (it has ${newer}): ${WHAT_TO_DO}`)
  console.log('Toolyard: making the tables for keys …')
  for (const args of migrationCommands('--persist-to', workerState)) {
    await children.run('making of the tables', process.execPath, args, { cwd: home, env: WRANGLER_ENV })
  }
  writeFileSync(done, lines, { mode: 0o600 })
}

/** Arguments of Node that apply all migrations on this machine, for one database after the other. */
export const migrationCommands = (...options) =>
  DATABASES.map((database) => [wrangler, 'd1', 'migrations', 'apply', database, '--local', ...options])

/** Content of the state's file `migrated` once all migrations are applied. Lines of the first database have no name before them. */
export const migrationLines = () =>
  DATABASES.flatMap((database) => migrations().map((name) => (database === 'DB' ? name : `${database} ${name}`)))
    .map((line) => `${line} ${sha256(readFileSync(join(MIGRATIONS, line.split(' ').at(-1))))}\n`)
    .join('')

const migrations = () => readdirSync(MIGRATIONS).sort()

const WHAT_TO_DO = 'start that version, or choose another directory as TOOLYARD_STATE. Nothing in it was changed'

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
