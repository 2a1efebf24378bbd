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
    [{ k: 3 }, { k: 3, m: 3 }],
    [{ k: 20 }, { k: 20, m: 5 }],
    [{ m: 20 }, { k: 20, m: 20 }],
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

describe('an answer to k and m', () => {
  const results = (count: number) => ({ results: Array.from({ length: count }, (_, n) => ({ file_id: `p${n}` })) })
  const notes = async (args: object, count: number) =>
    (await bench(results(count)).call('rag_search_abstracts', { query: 'q', ...args })).data.notes

  it('says how to get the others when k alone was given and m cut them off', async () => {
    expect(await notes({ k: 20 }, 5)).toEqual(['these are the best 5 of up to 20 candidates; m=20 returns all'])
    expect(await notes({ k: 20 }, 4)).toBeUndefined()
    expect(await notes({ k: 5 }, 5)).toBeUndefined()
  })

  it('says that k was raised when m asks for more', async () => {
    expect(await notes({ k: 3, m: 8 }, 8)).toEqual([expect.stringMatching(/^k was raised from 3 to 8/)])
    expect(await notes({ k: 8, m: 3 }, 3)).toBeUndefined()
    expect(await notes({}, 5)).toBeUndefined()
  })

  it('of a search in a paper is the same, with 3 results where none are asked for', async () => {
    const { queries, call } = bench(results(3))
    const { data } = await call('rag_search_details', { query: 'q', file_id: 'x', k: 7 })
    expect(queries).toEqual([[{ query: 'q', fileId: 'x', k: 7, m: 3 }]])
    expect(data.notes).toEqual([expect.stringContaining('m=7 returns all')])
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

  it('of papers is whether there is a text, and where none has one, that', async () => {
    const found = (text_available: unknown) => ({ file_id: 'x', title: 'T', abstract: 'A', text_available })
    const text = async (answer: PapersAnswer) => (await bench(answer).call('rag_search_abstracts', { query: 'q' })).text
    expect(await text({ results: [found(true), found(false), found('odd')] })).toBe(
      '1. T (x, whole text)\nA\n\n2. T (x, abstract only)\nA\n\n3. T (x)\nA',
    )
    expect(await text({ results: [found(false)], notes: ['no texts'] })).toMatch(/abstract only\)\nA\n\nno texts$/)
  })

  it('of a search without results is what to try, in the named fields too', async () => {
    const none = { results: [], notes: [] }
    const of = async (name: string, args: object) =>
      (await bench(none).call(name, { query: 'q', ...args })).data.notes as string[]
    expect(await of('rag_search_abstracts', {})).toEqual([expect.stringMatching(/try other or fewer words/)])
    expect(await of('rag_search_abstracts_filtered', { publish_year_filter: 1999 })).toEqual([
      expect.stringMatching(/^no paper of 1999 .*try another year/),
    ])
    expect(await of('rag_search_details', { file_id: 'x' })).toEqual([expect.stringMatching(/rag_get_paper_content/)])
    const textless = bench({ results: [], text_available: false, notes: ['only the abstract'] })
    const { data, text } = await textless.call('rag_search_details', { query: 'q', file_id: 'x' })
    expect(data.notes).toEqual(['nothing in x fits "q"', 'only the abstract'])
    expect(text).not.toContain('rag_get_paper_content')
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
