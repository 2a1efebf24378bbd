import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from '../../failure.ts'
import { type Bucket, type Database, DEPLOY_FILE, givenId } from '../configuration.ts'
import type { Deployment } from '../deployment.ts'
import type { Step } from '../step.ts'
import { wranglerCommand } from '../wrangler.ts'

/** Makes a bucket of R2. */
export function bucketStep({ parts: { account, wrangler } }: Deployment, bucket: Bucket): Step {
  const { bucket_name: name, jurisdiction } = bucket
  const args = ['r2', 'bucket', 'create', name, ...(jurisdiction ? ['--jurisdiction', jurisdiction] : [])]
  return {
    name: `bucket ${name}`,
    describe: () => `makes the bucket of R2 for contents of files${jurisdiction ? ` in ${jurisdiction}` : ''}`,
    commands: () => [wranglerCommand(args)],
    async isDone() {
      const isDone = await account.hasBucket(name, jurisdiction)
      return { isDone, found: isDone ? 'in the account' : 'not in the account' }
    },
    async run() {
      await wrangler.run(args)
      return 'made'
    },
  }
}

/** Makes a database of D1, unless the configuration names one by its id; and finds out the id. */
export function databaseStep(
  { parts: { account, wrangler, configuration }, databaseIds }: Deployment,
  database: Database,
): Step {
  const { database_name: name } = database
  const given = givenId(database)
  const args = ['d1', 'create', name]
  const find = async () => {
    const id = await account.databaseId(name)
    if (id !== null) databaseIds.set(name, id)
    return id
  }
  return {
    name: `database ${name}`,
    describe: () => 'makes the database of D1',
    commands: () => [wranglerCommand(args)],
    async isDone() {
      if (given !== null) {
        const isDone = await account.hasDatabase(given)
        return { isDone, found: isDone ? `in the account (${given})` : `${given} is not in the account` }
      }
      const id = await find()
      return { isDone: id !== null, found: id === null ? 'not in the account' : `in the account (${id})` }
    },
    async blocker() {
      if (given === null) return null
      return `${configuration.file} names ${given}, which account ${account.id} has not: put zeros there, or choose the account by account_id there or by CLOUDFLARE_ACCOUNT_ID`
    },
    async run() {
      await wrangler.run(args)
      const id = await find()
      if (id === null) throw new CliError('wrangler made it, and the account does not list it', 'wait a moment')
      return `made (${id})`
    },
  }
}

/** Writes the configuration with the account's ids to a file of its own, which git does not keep. */
export function configurationStep(deployment: Deployment): Step {
  const { root, configuration } = deployment.parts
  const path = join(root, DEPLOY_FILE)
  return {
    name: 'configuration',
    describe: () => `writes ${DEPLOY_FILE}: ${configuration.file} with the ids of the databases`,
    commands: () => [],
    async isDone() {
      const wanted = deployment.deployFile
      const isDone = wanted !== null && existsSync(path) && readFileSync(path, 'utf8') === wanted
      return { isDone, found: isDone ? 'up to date' : 'not there as it should be' }
    },
    async run() {
      const text = deployment.deployFile
      if (text === null) throw new CliError('the id of a database is not known', '')
      // Whole or not at all, however this ends.
      const written = `${path}.${process.pid}`
      writeFileSync(written, text)
      renameSync(written, path)
      return `written to ${DEPLOY_FILE}`
    },
  }
}

/** Applies `migrations` to a database. */
export function migrationsStep(deployment: Deployment, database: Database): Step {
  const { root, account, wrangler } = deployment.parts
  const { binding, database_name, migrations_dir = 'migrations', migrations_table = 'd1_migrations' } = database
  const args = ['d1', 'migrations', 'apply', binding, '--remote', ...deployment.wranglerOptions]
  const all = () => readdirSync(join(root, migrations_dir)).filter((file) => file.endsWith('.sql'))
  return {
    name: `tables of ${database_name}`,
    describe: () => 'applies the migrations that the database does not have',
    commands: () => [wranglerCommand(args)],
    async isDone() {
      const id = givenId(database) ?? deployment.databaseIds.get(database_name)
      if (id === undefined) return { isDone: false, found: `all ${all().length} migrations are to be applied` }
      const applied = new Set(await account.appliedMigrations(id, migrations_table))
      const missing = all().filter((file) => !applied.has(file))
      const found =
        missing.length === 0 ? `all ${applied.size} migrations applied` : `to be applied: ${missing.join(', ')}`
      return { isDone: missing.length === 0, found }
    },
    async run() {
      await wrangler.run(args)
      return 'applied'
    },
  }
}
