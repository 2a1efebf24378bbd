import { expect, it } from 'vitest'
import { openTables } from '../../../src/migrations/open-tables.ts'
import { LazyTable } from '../../../src/migrations/session/lazy-table.ts'
import { SESSION_MIGRATIONS } from '../../../src/migrations/session/session.ts'
import { PackageStore } from '../../../src/session/sandbox/package-store.ts'
import { SandboxStateStore } from '../../../src/session/sandbox/sandbox-state.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const tablesOf = (sql: NodeSql) => sql.all<{ name: string }>('SELECT name FROM sqlite_master').map(({ name }) => name)
const tableOf = (sql: NodeSql) => new LazyTable(sql, 'made_tools')
const INSERT = `INSERT INTO made_tools (seq, id, definition) VALUES (?, 'a', '{}')`

it('a session takes no disk for a table before it writes a row there', () => {
  const sql = new NodeSql()
  const table = tableOf(sql)
  expect(table.read('SELECT seq FROM made_tools')).toEqual([])
  expect(table.read('DELETE FROM made_tools RETURNING seq')).toEqual([])
  expect(tablesOf(sql)).toEqual([])
  table.write(INSERT, 7)
  expect(tablesOf(sql)).toContain('made_tools')
  expect(table.read('SELECT seq FROM made_tools')).toEqual([{ seq: 7 }])
})

it('rows of a session whose table was made by an earlier version are there', () => {
  const sql = new NodeSql()
  tableOf(sql).write(INSERT, 1)
  expect(tableOf(sql).read('SELECT seq FROM made_tools')).toEqual([{ seq: 1 }])
})

it('a table that a transaction made goes with it, and is made again', () => {
  const sql = new NodeSql()
  const table = tableOf(sql)
  const cutOff = () =>
    sql.transaction(() => {
      table.write(INSERT, 1)
      throw new Error('cut off')
    })
  expect(cutOff).toThrow('cut off')
  expect(table.read('SELECT seq FROM made_tools')).toEqual([])
  table.write(INSERT, 2)
  expect(table.read('SELECT seq FROM made_tools')).toEqual([{ seq: 2 }])
})

it('a session of an earlier version keeps its sandbox and packages, and gives up the tables that it never used', () => {
  const { object, steps } = SESSION_MIGRATIONS
  const sql = new NodeSql()
  const at = steps.findIndex(({ name }) => name.endsWith('-sandbox-tables'))
  openTables(sql, { object, steps: steps.slice(0, at) }, () => undefined)
  sql.all(`INSERT INTO machine (id, generation, state) VALUES (1, 3, NULL)`)
  sql.all(`INSERT INTO packages (spec, position) VALUES ('tiny', 1)`)
  openSessionTables(sql)
  expect(new SandboxStateStore(sql).generation()).toBe(3)
  const packages = new PackageStore(sql)
  expect(packages.specs()).toEqual(['tiny'])
  expect(tablesOf(sql)).toEqual(expect.not.arrayContaining(['sandbox_files']))
  expect(packages.distributions()).toEqual([])
  packages.recordInstalled([{ pin: 'tiny==1.0', direct: false }])
  expect(new PackageStore(sql).distributions()).toEqual([{ pin: 'tiny==1.0', direct: false }])
})
