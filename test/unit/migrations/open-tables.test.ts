import { expect, it } from 'vitest'
import type { Migration } from '../../../src/migrations/migration.ts'
import { openExisting, openTables } from '../../../src/migrations/open-tables.ts'
import { failureOf } from '../../support/failure-of.ts'
import { rowsOf, schemaOf } from '../../support/schema-of.ts'
import { NodeSql } from '../../support/sql-node.ts'

const one: Migration = {
  name: '0001-one',
  upgrade: (sql) => void sql.all('CREATE TABLE IF NOT EXISTS words (word TEXT)'),
}
const two: Migration = {
  name: '0002-two',
  upgrade: (sql) => void sql.all('ALTER TABLE words ADD COLUMN length INTEGER'),
}
const three: Migration = {
  name: '0003-three',
  upgrade(sql) {
    sql.all('UPDATE words SET length = length(word) WHERE length IS NULL')
    sql.all('CREATE TABLE more (x)')
  },
}
const at = (...steps: Migration[]) => ({ object: 'box', steps })

const tried = async (work: () => void) => work()

function aDatabase() {
  const sql = new NodeSql()
  const advice: string[] = []
  const open = (...steps: Migration[]) => openTables(sql, at(...steps), (line) => advice.push(line))
  const versions = () =>
    sql.all<{ number: number; name: string }>('SELECT number, name FROM migrations ORDER BY number')
  return { sql, advice, open, versions }
}

it('an object of earlier code gets each later migration once, in their order, with its rows', () => {
  const { sql, open, versions } = aDatabase()
  open(one)
  sql.all(`INSERT INTO words VALUES ('bee')`)
  open(one, two, three)
  open(one, two, three)
  expect(sql.all('SELECT * FROM words')).toEqual([{ word: 'bee', length: 3 }])
  expect(versions()).toMatchObject([
    { number: 1, name: '0001-one' },
    { number: 2, name: '0002-two' },
    { number: 3, name: '0003-three' },
  ])
})

it('an object from before versions were counted is brought to the first one', () => {
  const { sql, open, versions } = aDatabase()
  sql.all('CREATE TABLE words (word TEXT)')
  sql.all(`INSERT INTO words VALUES ('bee')`)
  open(one, two)
  expect(sql.all('SELECT * FROM words')).toEqual([{ word: 'bee', length: null }])
  expect(versions()).toHaveLength(2)
})

it('a new object is made whole by the newest migration that can, and takes the steps after it', () => {
  const { sql, open, versions } = aDatabase()
  const whole = { ...two, create: () => void sql.all('CREATE TABLE words (word TEXT, length INTEGER)') }
  open({ ...one, upgrade: () => expect.unreachable() }, { ...whole, upgrade: () => expect.unreachable() }, three)
  expect(versions().map(({ number }) => number)).toEqual([2, 3])
  expect(schemaOf(sql).join()).toContain('CREATE TABLE more (x)')
})

it('a migration that fails leaves the object as it was, and is tried again the next time', () => {
  const { sql, open } = aDatabase()
  open(one)
  sql.all(`INSERT INTO words VALUES ('bee')`)
  const before = [schemaOf(sql), rowsOf(sql)]
  const broken = { ...three, upgrade: () => sql.all('SELECT 1 FROM nowhere') && undefined }
  expect(() => open(one, two, broken)).toThrow('nowhere')
  expect([schemaOf(sql), rowsOf(sql)]).toEqual(before)
  open(one, two, three)
  expect(sql.all('SELECT * FROM words')).toEqual([{ word: 'bee', length: 3 }])
})

it('an object that newer code made is refused and stays as it is, and the owner is told once what to do', async () => {
  const { sql, advice, open } = aDatabase()
  open(one, two, three)
  const before = [schemaOf(sql), rowsOf(sql)]
  for (let time = 0; time < 3; time++) {
    expect(await failureOf(tried(() => open(one, two)))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/newer version of the server.*nothing was changed.*start the newer version again/),
    })
  }
  expect([schemaOf(sql), rowsOf(sql)]).toEqual(before)
  expect(advice).toEqual([
    expect.stringMatching(/^a box has tables of version 3, and this code knows them up to version 2/),
  ])
})

it('an object that is up to date costs one look at its version, and nothing is written', () => {
  const { sql, open } = aDatabase()
  open(one, two)
  const before = sql.statements
  open(one, two)
  expect(sql.statements - before).toBe(2)
  sql.isReadOnly = true
  open(one, two)
})

it('asking for an object that was never made makes no table', () => {
  const { sql } = aDatabase()
  expect(openExisting(sql, at(one), () => undefined)).toBe(false)
  expect(schemaOf(sql)).toEqual([])
})

it('an object whose tables need a migration waits for room on a full disk, whole', async () => {
  const { sql, open } = aDatabase()
  open(one)
  sql.isReadOnly = true
  expect(await failureOf(tried(() => open(one, two)))).toMatchObject({ code: 'insufficient_storage' })
  sql.isReadOnly = false
  open(one, two)
})
