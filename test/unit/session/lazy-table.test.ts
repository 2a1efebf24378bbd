import { expect, it } from 'vitest'
import { LazyTable } from '../../../src/session/lazy-table.ts'
import { NodeSql } from '../../support/sql-node.ts'

const tablesOf = (sql: NodeSql) => sql.all<{ name: string }>('SELECT name FROM sqlite_master').map(({ name }) => name)
const tableOf = (sql: NodeSql) => new LazyTable(sql, 'things', 'id INTEGER PRIMARY KEY')

it('a session takes no disk for a table before it writes a row there', () => {
  const sql = new NodeSql()
  const table = tableOf(sql)
  expect(table.read('SELECT id FROM things')).toEqual([])
  expect(table.read('DELETE FROM things RETURNING id')).toEqual([])
  expect(tablesOf(sql)).toEqual([])
  table.write('INSERT INTO things (id) VALUES (?)', 7)
  expect(tablesOf(sql)).toEqual(['things'])
  expect(table.read('SELECT id FROM things')).toEqual([{ id: 7 }])
})

it('rows of a session whose table was made by an earlier version are there', () => {
  const sql = new NodeSql()
  tableOf(sql).write('INSERT INTO things (id) VALUES (1)')
  expect(tableOf(sql).read('SELECT id FROM things')).toEqual([{ id: 1 }])
})

it('a table that a transaction made goes with it, and is made again', () => {
  const sql = new NodeSql()
  const table = tableOf(sql)
  const cutOff = () =>
    sql.transaction(() => {
      table.write('INSERT INTO things (id) VALUES (1)')
      throw new Error('cut off')
    })
  expect(cutOff).toThrow('cut off')
  expect(table.read('SELECT id FROM things')).toEqual([])
  table.write('INSERT INTO things (id) VALUES (2)')
  expect(table.read('SELECT id FROM things')).toEqual([{ id: 2 }])
})
