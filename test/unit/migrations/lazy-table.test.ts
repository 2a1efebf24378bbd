import { expect, it } from 'vitest'
import { LazyTable } from '../../../src/migrations/session/lazy-table.ts'
import { NodeSql } from '../../support/sql-node.ts'

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
