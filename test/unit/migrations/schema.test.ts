import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { LEASES_MIGRATIONS } from '../../../src/migrations/leases/leases.ts'
import type { Migrations } from '../../../src/migrations/migration.ts'
import { openTables } from '../../../src/migrations/open-tables.ts'
import { LAZY_TABLES } from '../../../src/migrations/session/lazy-tables.ts'
import { SESSION_MIGRATIONS } from '../../../src/migrations/session/session.ts'
import { TENANT_MIGRATIONS } from '../../../src/migrations/tenant/tenant.ts'
import { schemaOf } from '../../support/schema-of.ts'
import { NodeSql } from '../../support/sql-node.ts'

/*
 * The snapshots say which tables each version has. One that differs means that tables changed which are out in the world: add a
 * migration (docs/storage.md), and then a snapshot of the new version by `vitest -u`, while those of the others stay.
 */

const OBJECTS: readonly [string, Migrations][] = [
  ['session', SESSION_MIGRATIONS],
  ['tenant', TENANT_MIGRATIONS],
  ['leases', LEASES_MIGRATIONS],
]

/** Each version that there was, with the migrations up to it, each taken by itself. */
const VERSIONS = OBJECTS.flatMap(([kind, { object, steps }]) =>
  steps.map((_, at) => {
    const upgrades = steps.slice(0, at + 1).map(({ name, upgrade }) => ({ name, upgrade }))
    return [kind, at + 1, { object, steps: upgrades }] as const
  }),
)

const snapshotOf = (kind: string, version: number) => `schemas/${kind}-${String(version).padStart(4, '0')}.snap`
const asText = (schema: readonly string[]) => `${schema.join('\n')}\n`

function opened(migrations: Migrations, sql = new NodeSql()) {
  openTables(sql, migrations, () => undefined)
  return sql
}

it.each(VERSIONS)('no table of a %s in version %i changes without a migration', async (kind, version, migrations) => {
  await expect(asText(schemaOf(opened(migrations)))).toMatchFileSnapshot(snapshotOf(kind, version))
})

// A new one needs no migration, only a renewed snapshot. One that changes fails the test after this one, until a migration changes it.
it('no table that sessions make when they need it changes unseen', async () => {
  const sql = new NodeSql()
  for (const statement of Object.values(LAZY_TABLES).flat()) sql.all(statement)
  await expect(asText(schemaOf(sql))).toMatchFileSnapshot('schemas/session-lazy.snap')
})

it('a session that had made each of them in the first version has them as new ones do', () => {
  const { object, steps } = SESSION_MIGRATIONS
  const sql = opened({ object, steps: steps.slice(0, 1) })
  const first = readFileSync(join(import.meta.dirname, snapshotOf('session-lazy', 1)), 'utf8')
  for (const statement of first.trim().split('\n')) sql.all(statement)
  const fresh = opened(SESSION_MIGRATIONS)
  const upgraded = opened(SESSION_MIGRATIONS, sql)
  // Those that came later are made by what needs them, in either.
  for (const statement of Object.values(LAZY_TABLES).flat()) {
    fresh.all(statement)
    upgraded.all(statement)
  }
  expect(schemaOf(upgraded)).toEqual(schemaOf(fresh))
})

it.each(OBJECTS)('a new %s has the tables of one that took every migration', (kind, migrations) => {
  const [, , stepwise] = VERSIONS.findLast(([of]) => of === kind) ?? expect.unreachable()
  expect(schemaOf(opened(migrations))).toEqual(schemaOf(opened(stepwise)))
})

it.each(OBJECTS)(
  'the migrations of a %s stand in the order of their files, each with its number',
  (kind, { steps }) => {
    const directory = join(import.meta.dirname, '../../../src/migrations', kind)
    const files = readdirSync(directory).filter((name) => /^\d/.test(name))
    expect(steps.map(({ name }) => `${name}.ts`)).toEqual(files.sort())
    expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(steps.map((_, at) => at + 1))
  },
)

it('no table of the database for keys, papers and the marketplace changes without a migration', async () => {
  const directory = join(import.meta.dirname, '../../../migrations')
  const files = readdirSync(directory).sort()
  const database = new DatabaseSync(':memory:')
  for (const [at, file] of files.entries()) {
    database.exec(readFileSync(join(directory, file), 'utf8'))
    const schema = schemaOf({ all: (query) => database.prepare(query).all() as never[] })
    await expect(asText(schema)).toMatchFileSnapshot(snapshotOf('d1', at + 1))
  }
})
