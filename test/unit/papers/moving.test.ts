import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tenantId } from '../../../src/core/ids.ts'
import { paperLibrary } from '../../../src/papers/library.ts'
import { movePapers } from '../../../src/papers/moving.ts'
import { type Database, sql } from '../../../src/ports/database.ts'
import { NodeDatabase } from '../../support/database-node.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { attention, paper, residual } from '../../support/papers.ts'

const schema = readFileSync('migrations/0002_papers.sql', 'utf8')
const { signal } = new AbortController()
const TABLES = [
  ...['papers', 'paper_corpora', 'paper_names', 'paper_chunks', 'paper_index', 'paper_terms'],
  ...['paper_short_forms', 'paper_answers', 'paper_readers'],
]

const newDatabase = () => new NodeDatabase(schema)
const libraryIn = (db: Database, reader: string | null) =>
  paperLibrary({ db, reader: reader === null ? null : tenantId(reader), clock: fakeClock(), semantics: null })

/** Answers that a reader gets by all that names or finds these papers. */
async function seen(db: Database, reader: string) {
  const library = libraryIn(db, reader)
  const names = ['1706.03762v7', '1706.03762', '10.48550/arXiv.1706.03762', '1512.03385', 'mine', 'my-alias']
  return {
    found: await library.searchAbstracts({ query: 'attention in networks (AIN)', k: 10, m: 10 }, signal),
    details: await library.searchDetails({ query: 'adam optimizer', fileId: '1706.03762v7', k: 5, m: 5 }, signal),
    papers: await Promise.all(
      names.map((name) => library.paper(name, signal).catch((thrown: Error) => thrown.message)),
    ),
    passages: await library.passages('1706.03762v7', undefined, signal),
    list: await library.list({ limit: 100 }),
  }
}

async function moveAll(from: Database, to: Database) {
  const states = []
  do states.push(await movePapers({ from, to, semantics: null }))
  while (!states.at(-1)?.done)
  return states
}

async function filled() {
  const db = newDatabase()
  await libraryIn(db, null).put([residual, attention])
  const own = { aliases: ['my-alias'], year: '2024', authors: ['M. E.'], categories: ['cs.AI'] }
  await libraryIn(db, 'acme').put([paper('mine', 'Attention in networks (AIN)', 'AIN is what we need.', own)])
  return db
}

it('moves papers so that each reader finds the same as before, and leaves nothing behind', async () => {
  const [from, to] = [await filled(), newDatabase()]
  const readers = ['acme', 'rival']
  const before = await Promise.all(readers.map((reader) => seen(from, reader)))
  const states = await moveAll(from, to)
  expect(states[0]).toEqual({ moved: 2, remaining: 1, done: false })
  expect(states[1]).toEqual({ moved: 1, remaining: 0, done: false })
  expect(states.at(-1)).toEqual({ moved: 0, remaining: 0, done: true })
  expect(await Promise.all(readers.map((reader) => seen(to, reader)))).toEqual(before)
  for (const table of TABLES) expect([table, await from.rows(sql(`SELECT 1 FROM ${table}`))]).toEqual([table, []])
})

it('keeps a paper that was put in there meanwhile, and goes on where a crash left copies', async () => {
  const [from, to] = [await filled(), newDatabase()]
  await libraryIn(to, 'acme').put([paper('mine', 'The newer one', 'It is newer.')])
  await libraryIn(to, null).put([attention])
  expect((await moveAll(from, to)).map(({ moved }) => moved).reduce((sum, moved) => sum + moved)).toBe(3)
  expect(await libraryIn(to, 'acme').paper('mine', signal)).toMatchObject({ title: 'The newer one' })
  expect((await libraryIn(to, null).list({ limit: 10 })).map(({ fileId }) => fileId)).toEqual([
    '1512.03385v1',
    '1706.03762v7',
  ])
})

it('moves more papers than one batch takes, and does not count them against the limit of new ones', async () => {
  const [from, to] = [newDatabase(), newDatabase()]
  const many = Array.from({ length: 70 }, (_, n) => paper(`p${n}`, `Otters ${n}`, 'They swim.'))
  await libraryIn(from, 'acme').put(many)
  await libraryIn(to, 'acme').put([paper('new', 'New', 'One.')])
  // As if the tenant had as many as it may have.
  await to.rows(sql('UPDATE paper_corpora SET papers = 100000'))
  expect((await moveAll(from, to)).map(({ moved }) => moved).filter((moved) => moved > 0)).toEqual([50, 20])
  expect(await libraryIn(to, 'acme').list({ limit: 100 })).toHaveLength(71)
})
