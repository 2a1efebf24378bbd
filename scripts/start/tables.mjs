import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { home, state, WRANGLER_ENV, workerState, wrangler } from './settings.mjs'

/** Applies `migrations/` to the database. wrangler takes two seconds to find that nothing is to be done, so that is remembered. */
export async function makeTables(children) {
  const directory = join(home, 'migrations')
  const hash = createHash('sha256')
  for (const name of readdirSync(directory).sort()) hash.update(name).update(readFileSync(join(directory, name)))
  const done = join(state, 'migrated')
  const digest = hash.digest('hex')
  if (existsSync(done) && readFileSync(done, 'utf8') === digest) return
  console.log('Toolyard: making the tables for keys …')
  const args = [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', workerState]
  await children.run('making of the tables', process.execPath, args, { cwd: home, env: WRANGLER_ENV })
  writeFileSync(done, digest, { mode: 0o600 })
}
