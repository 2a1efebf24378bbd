import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tenantId } from '../../../src/core/ids.ts'
import { MAX_MOVED_CHARS } from '../../../src/core/limits/papers.ts'
import { paperLibrary } from '../../../src/papers/library.ts'
import { movePapers } from '../../../src/papers/moving.ts'
import { ownedPapers } from '../../../src/papers/removal.ts'
import { type Database, sql } from '../../../src/ports/database.ts'
import { NodeDatabase } from '../../support/database-node.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { FakeSemantics } from '../../support/fake-semantics.ts'
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

async function moveAll(from: Database, to: Database, semantics: FakeSemantics | null = null) {
  const states = []
  do states.push(await movePapers({ from, to, semantics }))
  while (!states.at(-1)?.done)
  return states
}

/** A database that has something else happen before its request of that number, the first one being 0. */
function interrupted(db: Database, number: number, happens: () => Promise<unknown>): Database {
  let requests = 0
  const request = async <T>(work: () => Promise<T>) => {
    if (requests++ === number) await happens()
    return work()
  }
  return {
    rows: (statement) => request(() => db.rows(statement)),
    batch: (statements) => request(() => db.batch(statements)),
  }
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

it.each([0, 1, 2])(
  'keeps a paper that is put in there while its older copy moves, before request %i',
  async (number) => {
    const [from, to] = [newDatabase(), newDatabase()]
    await libraryIn(from, 'acme').put([paper('mine', 'The older one', 'It is older.'), paper('other', 'Other', 'One.')])
    const newer = () => libraryIn(to, 'acme').put([paper('mine', 'The newer one', 'It is newer.')])
    await moveAll(from, interrupted(to, number, newer))
    const library = libraryIn(to, 'acme')
    expect((await library.list({ limit: 10 })).map(({ title }) => title)).toEqual(['The newer one', 'Other'])
    const { results } = await library.searchAbstracts({ query: 'older', k: 10, m: 10 }, signal)
    expect(results).toEqual([])
  },
)

it('loses no text when two move the same papers at once', async () => {
  const [from, to] = [await filled(), newDatabase()]
  const before = await seen(from, 'acme')
  const moved = await movePapers({ from: interrupted(from, 1, () => moveAll(from, to)), to, semantics: null })
  expect(moved).toMatchObject({ remaining: 0 })
  expect(await seen(to, 'acme')).toEqual(before)
})

it('moves fewer papers at a time where their authors and categories are long', async () => {
  const [from, to] = [newDatabase(), newDatabase()]
  const authors = Array.from({ length: 4_000 }, (_, n) => `Author ${n} of a large collaboration`)
  const many = Array.from({ length: 20 }, (_, n) => paper(`p${n}`, `Otters ${n}`, 'They swim.', { authors }))
  await libraryIn(from, 'acme').put(many)
  const { moved } = await movePapers({ from, to, semantics: null })
  expect(moved * JSON.stringify(authors).length).toBeLessThanOrEqual(MAX_MOVED_CHARS)
  await moveAll(from, to)
  expect(await libraryIn(to, 'acme').list({ limit: 100 })).toHaveLength(20)
})

it('gives a vector to a paper that a crash left there without one', async () => {
  const [from, to, semantics] = [newDatabase(), newDatabase(), new FakeSemantics()]
  const two = [paper('one', 'One', 'Some text.', { year: '2024' }), paper('two', 'Two', 'More text.')]
  await libraryIn(from, 'acme').put(two)
  // Put in, and then a crash.
  await libraryIn(to, 'acme').put(two.slice(0, 1))
  await moveAll(from, to, semantics)
  expect([...semantics.texts.values()].map(({ corpus, text, year }) => [corpus, text, year])).toEqual([
    ['tenant/acme', 'One\nSome text.', '2024'],
    ['tenant/acme', 'Two\nMore text.', null],
  ])
})

it('a tenant that is deleted amid a move takes its own vectors along, and nobody else’s', async () => {
  const [from, to, semantics] = [newDatabase(), newDatabase(), new FakeSemantics()]
  const library = (db: Database, reader: string) =>
    paperLibrary({ db, reader: tenantId(reader), clock: fakeClock(), semantics })
  await library(from, 'acme').put([paper('a', 'Of acme', 'One.'), paper('b', 'Of acme', 'Two.')])
  // Each database numbers its papers from the first on: this one takes the number, and the vector, of the first above.
  await library(to, 'rival').put([paper('r', 'Of rival', 'Three.')])
  await library(to, 'acme').put([paper('c', 'Of acme', 'Four.')])
  expect([...semantics.texts.values()].map(({ corpus }) => corpus).sort()).toEqual([
    ...['tenant/acme', 'tenant/acme', 'tenant/rival'],
  ])
  const papers = ownedPapers({ db: to, earlier: from, owner: tenantId('acme'), semantics })
  while (await papers.removeSome());
  expect([...semantics.texts.values()].map(({ text }) => text)).toEqual(['Of rival\nThree.'])
  expect(await library(to, 'rival').list({ limit: 10 })).toHaveLength(1)
})
