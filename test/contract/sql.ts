import { describe, expect, it } from 'vitest'
import type { Sql } from '../../src/ports/sql.ts'
import { blobFromColumn } from '../../src/workspace/bytes.ts'

/** What every {@link Sql} does. `withSql` gives an empty database to `work`. */
export function sqlContract(name: string, withSql: (work: (sql: Sql) => void) => void | Promise<void>): void {
  describe(`a database: ${name}`, () => {
    const withTable = (work: (sql: Sql) => void) =>
      withSql((sql) => {
        sql.all('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT, real REAL, blob BLOB) STRICT')
        work(sql)
      })

    it('gives back text, numbers, null and bytes as they were', () =>
      withTable((sql) => {
        const bytes = Uint8Array.from({ length: 256 }, (_, n) => n)
        sql.all('INSERT INTO t VALUES (?, ?, ?, ?)', 1, 'é文😀\n"\'', 0.5, bytes.subarray(3, 250))
        sql.all('INSERT INTO t VALUES (?, ?, ?, ?)', Number.MAX_SAFE_INTEGER, '', null, bytes.buffer)
        sql.all('INSERT INTO t VALUES (?, ?, ?, ?)', 2, null, -1, new Uint8Array())
        const rows = sql.all('SELECT id, text, real, blob FROM t ORDER BY id')
        expect(rows.map(({ id, text, real }) => [id, text, real])).toEqual([
          [1, 'é文😀\n"\'', 0.5],
          [2, null, -1],
          [Number.MAX_SAFE_INTEGER, '', null],
        ])
        expect(rows.map(({ blob }) => [...blobFromColumn(blob)])).toEqual([[...bytes.subarray(3, 250)], [], [...bytes]])
      }))

    it('takes numbered parameters, lists as JSON, and RETURNING', () =>
      withTable((sql) => {
        expect(sql.all('SELECT ?1 AS a, ?2 AS b, ?1 AS c', 'x', 1)).toEqual([{ a: 'x', b: 1, c: 'x' }])
        const list = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => `${n}`))
        const made = sql.all('INSERT INTO t (text) SELECT value FROM json_each(?) RETURNING id', list)
        expect(made).toHaveLength(5_000)
        expect(sql.all('SELECT count(*) AS n FROM t WHERE text IN (SELECT value FROM json_each(?))', list)).toEqual([
          { n: 5_000 },
        ])
      }))

    it('compares text by code points', () =>
      withTable((sql) => {
        for (const text of ['\u{1f600}', '\uff5e', 'a0', 'a/b', 'a-b', 'a', 'B', 'é'])
          sql.all('INSERT INTO t (text) VALUES (?)', text)
        expect(sql.all('SELECT text FROM t ORDER BY text').map(({ text }) => text)).toEqual([
          'B',
          'a',
          'a-b',
          'a/b',
          'a0',
          'é',
          '\uff5e',
          '\u{1f600}',
        ])
      }))

    it('runs statements without rows, again and again, and throws at one that breaks a constraint', () =>
      withTable((sql) => {
        const insert = 'INSERT INTO t (id, text) VALUES (?, ?)'
        for (const id of [1, 2, 3]) sql.run(insert, id, `row ${id}`)
        expect(() => sql.run(insert, 3, 'again')).toThrow(/UNIQUE/)
        sql.run('UPDATE t SET text = ? WHERE id = ?', 'new', 2)
        sql.run('DELETE FROM t WHERE id = 1')
        sql.run(insert, 4, 'row 4')
        expect(sql.all('SELECT id, text FROM t ORDER BY id')).toEqual([
          { id: 2, text: 'new' },
          { id: 3, text: 'row 3' },
          { id: 4, text: 'row 4' },
        ])
      }))

    it('takes back all of a transaction that throws, and throws that on', () =>
      withTable((sql) => {
        const reason = new RangeError('no')
        const work = () =>
          sql.transaction(() => {
            sql.all('INSERT INTO t (id) VALUES (1)')
            sql.all('CREATE TABLE more (x)')
            throw reason
          })
        expect(work).toThrow(reason)
        expect(sql.all('SELECT * FROM t')).toEqual([])
        expect(() => sql.all('SELECT * FROM more')).toThrow(/no such table/)
        expect(sql.transaction(() => sql.all('INSERT INTO t (id) VALUES (7) RETURNING id'))).toEqual([{ id: 7 }])
        expect(sql.all('SELECT id FROM t')).toEqual([{ id: 7 }])
      }))

    it('throws at a statement that is wrong, and at one that breaks a constraint', () =>
      withTable((sql) => {
        expect(() => sql.all('SELEKT 1')).toThrow(/syntax error/)
        sql.all('INSERT INTO t (id) VALUES (1)')
        expect(() => sql.all('INSERT INTO t (id) VALUES (1)')).toThrow(/UNIQUE/)
        expect(() => sql.all("INSERT INTO t (id) VALUES ('x')")).toThrow(/mismatch/)
        expect(() => sql.all('SELECT 1', ...Array.from({ length: 101 }, () => 1))).toThrow()
      }))
  })
}
