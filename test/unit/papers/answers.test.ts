import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fail } from '../../../src/core/failure.ts'
import { tenantId } from '../../../src/core/ids.ts'
import { MAX_CACHED_ANSWERS } from '../../../src/core/limits/papers.ts'
import { paperLibrary } from '../../../src/papers/library.ts'
import { type Database, type Statement, sql } from '../../../src/ports/database.ts'
import { NodeDatabase } from '../../support/database-node.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { attention, paper, residual } from '../../support/papers.ts'

const schema = readFileSync('migrations/0002_papers.sql', 'utf8')
const { signal } = new AbortController()
const queryFor = (query: string) => ({ query, k: 10, m: 5 })

function open(wrap: (db: Database) => Database = (db) => db) {
  const db = new NodeDatabase(schema)
  const clock = fakeClock()
  const as = (tenant: string | null) =>
    paperLibrary({ db: wrap(db), reader: tenant === null ? null : tenantId(tenant), clock, semantics: null })
  return { db, clock, operator: as(null), acme: as('acme') }
}

describe('remembered answers', () => {
  it('are one statement each', async () => {
    const { db, operator } = open()
    await operator.put([attention])
    await operator.searchAbstracts(queryFor('attention'), signal)
    db.statements.length = 0
    await operator.searchAbstracts(queryFor('attention'), signal)
    expect(db.statements).toHaveLength(1)
  })

  it('are so many for a reader, of which the oldest go, and no more', async () => {
    const { db, clock, operator, acme } = open()
    await operator.put([attention])
    const first = await acme.searchAbstracts(queryFor('attention'), signal)
    for (let n = 1; n <= MAX_CACHED_ANSWERS; n++) {
      clock.advance(1)
      await acme.searchAbstracts(queryFor(`attention ${n}`), signal)
    }
    expect(await acme.cacheStats(signal)).toEqual({ size: MAX_CACHED_ANSWERS, hits: 0, misses: MAX_CACHED_ANSWERS + 1 })
    expect(await db.rows(sql('SELECT count(*) AS n FROM paper_answers'))).toMatchObject([{ n: MAX_CACHED_ANSWERS }])
    await acme.searchAbstracts(queryFor('attention 1'), signal)
    expect(await acme.searchAbstracts(queryFor('attention'), signal)).toEqual(first)
    expect(await acme.cacheStats(signal)).toMatchObject({ hits: 1, misses: MAX_CACHED_ANSWERS + 2 })
  })

  it('fail nobody when their tables fail', async () => {
    const broken = (db: Database): Database => {
      const check = ({ query }: Statement) => {
        if (/paper_answers|paper_readers/.test(query)) fail('upstream', 'broken')
      }
      return {
        rows: async (statement) => {
          check(statement)
          return db.rows(statement)
        },
        batch: async (statements) => {
          for (const statement of statements) check(statement)
          return db.batch(statements)
        },
      }
    }
    const { operator } = open(broken)
    await operator.put([residual])
    expect(await operator.searchAbstracts(queryFor('residual'), signal)).toMatchObject({ total: 1 })
  })
})

describe('where terms are common', () => {
  /** As if each paper were a thousand: what decides is the counts of terms. */
  async function crowded(db: NodeDatabase) {
    await db.batch([
      sql('UPDATE paper_terms SET papers = papers * 1000'),
      sql('UPDATE paper_corpora SET papers = papers * 1000'),
    ])
  }

  it('finds by the rarer ones, and lets the common ones take part', async () => {
    const { db, operator } = open()
    const crowd = Array.from({ length: 30 }, (_, n) => paper(`c${n}`, `Common words ${n}`, 'common words of all'))
    await operator.put([
      ...crowd,
      paper('both', 'Quokka', 'common words of it'),
      paper('one', 'Quokka', 'nothing else here'),
    ])
    await crowded(db)
    const { results } = await operator.searchAbstracts(queryFor('common words quokka'), signal)
    expect((results as { file_id: string }[]).map(({ file_id }) => file_id)).toEqual(['both', 'one'])
  })

  it('finds by several together when all are', async () => {
    const { db, operator } = open()
    const some = (name: string, text: string) =>
      Array.from({ length: 15 }, (_, n) => paper(`${name}${n}`, `T ${n}`, text))
    await operator.put([...some('a', 'common'), ...some('b', 'words'), paper('both', 'T', 'common words')])
    await crowded(db)
    const { results } = await operator.searchAbstracts({ query: 'common words', k: 100, m: 100 }, signal)
    expect((results as { file_id: string }[])[0]).toMatchObject({ file_id: 'both' })
  })
})
