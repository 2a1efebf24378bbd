import { expect, it } from 'vitest'
import { type Known, KnownFiles } from '../../../src/session/sync/known.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { p } from '../workspace/open.ts'

it('what is known of thousands of files is written by a few statements, and read back as it was', () => {
  const sql = new NodeSql()
  openSessionTables(sql)
  const known = new KnownFiles(sql)
  const of = (at: number): Known => ({ stamp: `f "${at}" 日\\`, signature: `l to ${at}`, isRacy: at % 2 === 0 })
  const paths = Array.from({ length: 5_000 }, (_, at) => p(`d${at % 7}/文 "${at}"`))
  const before = sql.statements
  known.set(paths.map((path, at) => [path, of(at)] as const))
  known.set([...paths.slice(0, 4_000).map((path) => [path, null] as const), [p('never known'), null]])
  expect(sql.statements - before).toBeLessThan(20)
  expect(known.all()).toEqual(new Map(paths.slice(4_000).map((path, at) => [path, of(at + 4_000)])))
  expect(new Map(new KnownFiles(sql).all())).toEqual(known.all())
})
