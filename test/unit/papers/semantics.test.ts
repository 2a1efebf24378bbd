import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { tenantId } from '../../../src/core/ids.ts'
import { SEMANTIC_SEARCH_MS } from '../../../src/core/limits/papers.ts'
import { paperLibrary } from '../../../src/papers/library.ts'
import type { Semantics } from '../../../src/ports/semantics.ts'
import { NodeDatabase } from '../../support/database-node.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { FakeSemantics } from '../../support/fake-semantics.ts'
import { attention, paper, residual } from '../../support/papers.ts'

const schema = readFileSync('migrations/0002_papers.sql', 'utf8')
const { signal } = new AbortController()

function open() {
  const db = new NodeDatabase(schema)
  const semantics = new FakeSemantics()
  const as = (tenant: string | null, given: Semantics | null = semantics) =>
    paperLibrary({ db, reader: tenant === null ? null : tenantId(tenant), clock: fakeClock(), semantics: given })
  return { db, semantics, as, operator: as(null), acme: as('acme'), rival: as('rival') }
}

const ids = async (papers: ReturnType<typeof paperLibrary>, query: string, year?: string) => {
  const request = { query, k: 10, m: 10, ...(year === undefined ? {} : { year }) }
  const { results } = await papers.searchAbstracts(request, signal)
  return (results as { file_id: string }[]).map(({ file_id }) => file_id)
}

describe('with vectors', () => {
  it('finds a paper that has no word of the query', async () => {
    const { operator, semantics } = open()
    await operator.put([attention, residual])
    semantics.near = (text) => text.includes('Residual')
    expect(await ids(operator, 'picture classification')).toEqual(['1512.03385v1'])
    expect(await ids(operator, 'picture classification', '2017')).toEqual([])
  })

  it("never brings another tenant's paper, nor one that was removed or is hidden, whatever the index says", async () => {
    const { operator, acme, rival, semantics } = open()
    await operator.put([residual])
    await acme.put([paper('secret', 'Secret plans', 'of acme')])
    semantics.near = () => true
    semantics.nearest = async () => [...semantics.texts.keys(), '99999', 'no number', '-1']
    expect(await ids(rival, 'anything')).toEqual(['1512.03385v1'])
    expect((await ids(acme, 'anything')).sort()).toEqual(['1512.03385v1', 'secret'])
    const kept = new Map(semantics.texts)
    await acme.put([paper('1512.03385v1', 'Our own', 'notes')])
    await acme.remove('secret')
    for (const [id, text] of kept) semantics.texts.set(id, text)
    const { results } = await acme.searchAbstracts({ query: 'whatever', k: 10, m: 10 }, signal)
    expect(results).toMatchObject([{ file_id: '1512.03385v1', title: 'Our own' }])
  })

  it('keeps vectors by corpus and forgets those of what is removed', async () => {
    const { operator, acme, semantics } = open()
    await operator.put([attention])
    await acme.put([paper('own', 'Own title', 'own text', { year: '2020' })])
    expect([...semantics.texts.values()].map(({ corpus, year, text }) => [corpus, year, text])).toEqual([
      ['public', '2017', `${attention.title}\n${attention.abstract}`],
      ['tenant/acme', '2020', 'Own title\nown text'],
    ])
    await acme.remove('own')
    expect([...semantics.texts.values()].map(({ corpus }) => corpus)).toEqual(['public'])
  })
})

describe('with a judging model', () => {
  it('puts what it prefers first, of papers and of chunks', async () => {
    const { operator } = open()
    await operator.put([
      paper('a', 'Neural networks', 'neural networks, grade 5'),
      paper('b', 'Networks', 'about neural things and networks at length, grade 99', {
        chunks: [
          { section: '', text: 'neural neural networks 1' },
          { section: '', text: 'neural and more words on it 98' },
        ],
      }),
    ])
    expect(await ids(operator, 'neural networks')).toEqual(['b', 'a'])
    const { results } = await operator.searchDetails({ query: 'neural networks', fileId: 'b', k: 5, m: 1 }, signal)
    expect(results).toMatchObject([{ doc_id: 'chunk_002' }])
  })
})

describe('without what it needs', () => {
  const failing = (failure: () => Promise<never>): Semantics => ({
    put: failure,
    remove: failure,
    nearest: failure,
    judge: failure,
  })

  it('answers by words when vectors and model fail, and does not remember that', async () => {
    const { as, operator, semantics } = open()
    const broken = as(
      null,
      failing(() => Promise.reject(new Error('secret of the upstream'))),
    )
    expect(await broken.put([attention, residual])).toEqual({ added: 2, replaced: 0 })
    expect(await ids(broken, 'residual')).toEqual(['1512.03385v1'])
    expect(await broken.cacheStats(signal)).toMatchObject({ size: 0 })
    expect(await broken.remove('1706.03762v7')).toBe(true)
    semantics.near = () => true
    expect(await ids(operator, 'residual')).toEqual(['1512.03385v1'])
    expect(await operator.cacheStats(signal)).toMatchObject({ size: 1 })
  })

  it('waits for them no longer than the limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { as } = open()
      const hanging = as(null, { ...failing(() => new Promise(() => {})), put: async () => {} })
      await hanging.put([residual])
      let found: string[] | null = null
      void ids(hanging, 'residual').then((all) => {
        found = all
      })
      while (vi.getTimerCount() === 0) await new Promise((turn) => setImmediate(turn))
      await vi.advanceTimersByTimeAsync(SEMANTIC_SEARCH_MS - 1)
      expect(found).toBeNull()
      while (found === null) {
        await vi.advanceTimersByTimeAsync(SEMANTIC_SEARCH_MS)
        await new Promise((turn) => setImmediate(turn))
      }
      expect(found).toEqual(['1512.03385v1'])
    } finally {
      vi.useRealTimers()
    }
  })
})
