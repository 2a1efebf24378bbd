import { describe, expect, it } from 'vitest'
import type { Papers, PapersAnswer } from '../../../../src/ports/papers.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { NOTHING_OUTSIDE } from '../../../support/nothing-outside.ts'
import { toolbench } from '../../../support/toolbench.ts'

/** A paper service that answers everything with `answer`, and what it was asked. */
function bench(answer: PapersAnswer = {}) {
  const queries: unknown[] = []
  const note = async (...args: unknown[]) => {
    queries.push(args.filter((arg) => !(arg instanceof AbortSignal)))
    return answer
  }
  const papers = Object.fromEntries(Object.keys(NOTHING_OUTSIDE.papers).map((method) => [method, note]))
  return { queries, ...toolbench(catalog, {}, { papers: papers as unknown as Papers }) }
}

describe('what models send', () => {
  it.each([
    [{}, { k: 10, m: 5 }],
    [
      { k: '20', m: '10.0' },
      { k: 20, m: 10 },
    ],
    [
      { k: null, m: null },
      { k: 10, m: 5 },
    ],
    [
      { k: 3, m: 8 },
      { k: 8, m: 8 },
    ],
    [
      { k: 100_000, m: -1 },
      { k: 200, m: 1 },
    ],
  ])('of %j becomes %j', async (given, counts) => {
    const { queries, call } = bench()
    await call('rag_search_abstracts', { query: 'q', ...given })
    expect(queries).toEqual([[{ query: 'q', ...counts }]])
  })

  it('as a year may be a number, empty or left out', async () => {
    const { queries, call } = bench()
    for (const publish_year_filter of [2023, ' 2023 ', '', null, undefined]) {
      await call('rag_search_abstracts_filtered', { query: 'q', publish_year_filter })
    }
    const query = { query: 'q', k: 10, m: 5 }
    expect(queries).toEqual(
      [{ ...query, year: '2023' }, { ...query, year: '2023' }, query, query, query].map((one) => [one]),
    )
  })

  it('as ids of chunks may be one, a number, or none', async () => {
    const { queries, call } = bench()
    for (const doc_ids of ['chunk_001', ['chunk_001', 7], [], null, '']) {
      await call('rag_get_specific_content', { file_id: ' x ', doc_ids })
    }
    expect(queries).toEqual([
      ['x', ['chunk_001']],
      ['x', ['chunk_001', '7']],
      ['x', undefined],
      ['x', undefined],
      ['x', undefined],
    ])
  })
})

describe('what models read', () => {
  it('of papers is title, id, year and the start of the abstract', async () => {
    const abstract = `Begins so. ${'word '.repeat(200)}`
    const results = [
      { file_id: '1706.03762v7', title: 'Attention', publish_year: '2017', abstract, score: 1 },
      { file_id: 'x', title: 'Undated', publish_year: null, abstract: 'Short.' },
    ]
    const { text, data } = await bench({ results }).call('rag_search_abstracts', { query: 'q' })
    expect(text).toMatch(
      /^1\. Attention \(1706\.03762v7, 2017\)\nBegins so\. (?:word )+…\n\n2\. Undated \(x\)\nShort\.$/,
    )
    expect(text.length).toBeLessThan(600)
    expect(data).toEqual({ results })
  })

  it('of chunks is each with its id; of nothing it says what to do', async () => {
    const results = [{ doc_id: 'chunk_002', content: 'Multi-head.' }]
    const args = { query: 'q', file_id: 'x' }
    expect((await bench({ results }).call('rag_search_details', args)).text).toBe('[chunk_002]\nMulti-head.')
    expect((await bench({ results: [] }).call('rag_search_details', args)).text).toMatch(/rag_get_paper_content/)
    expect((await bench({ results: [] }).call('rag_search_abstracts', args)).text).toMatch(/no paper found for "q"/)
    const missing = { contents: [], missing: ['a'] }
    expect((await bench(missing).call('rag_get_specific_content', args)).text).toMatch(/rag_get_paper_chunks/)
  })

  it('of a service that answers in a shape of its own is no error, and data is as it came', async () => {
    for (const odd of [{ papers: 'all' }, { results: 'none' }, { results: [1, null, { title: 3 }] }]) {
      expect((await bench(odd).call('rag_search_abstracts', { query: 'q' })).data).toEqual(odd)
    }
    const stats = { papers: 3, years: { 2023: 1 } }
    expect((await bench(stats).call('rag_get_stats', {})).text).toBe('papers: 3\nyears: {"2023":1}')
  })
})
