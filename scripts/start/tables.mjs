import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { home, state, WRANGLER_ENV, workerState, wrangler } from './settings.mjs'

const MIGRATIONS = join(home, 'migrations')
/** File of the state with a line for each migration that was applied. */
const APPLIED = join(state, 'migrated')

/**
 * Applies `migrations/` to the database. wrangler takes two seconds to find that nothing is to be done, so that is remembered,
 * with a line for each file.
 * @throws when newer code has applied others: nothing is changed then
 */
export async function makeTables(children) {
  const lines = migrationLines()
  if (appliedLines() === lines) return
  checkTables()
  console.log('Toolyard: making the tables for keys …')
  const args = [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', workerState]
  await children.run('making of the tables', process.execPath, args, { cwd: home, env: WRANGLER_ENV })
  writeFileSync(APPLIED, lines, { mode: 0o600 })
}

/** Checks that no newer code has applied other migrations to the database. @throws Error */
export function checkTables() {
  const names = migrations()
  const newer = appliedLines()
    .match(/^\S+\.sql(?= )/gm)
    ?.find((name) => !names.includes(name))
  if (newer !== undefined)
    throw new Error(`${state} was used by a newer version of Toolyard (it has ${newer}): ${WHAT_TO_DO}`)
}

const appliedLines = () => (existsSync(APPLIED) ? readFileSync(APPLIED, 'utf8') : '')

/** Content of the state's file `migrated` once all migrations are applied. */
export const migrationLines = () =>
  migrations()
    .map((name) => `${name} ${sha256(readFileSync(join(MIGRATIONS, name)))}\n`)
    .join('')

const migrations = () => readdirSync(MIGRATIONS).sort()

const WHAT_TO_DO = 'start that version, or choose another directory as TOOLYARD_STATE. Nothing in it was changed'

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
