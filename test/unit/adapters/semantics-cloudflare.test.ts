import { describe, expect, it } from 'vitest'
import { cloudflareSemantics, type SemanticBindings } from '../../../src/adapters/semantics-cloudflare.ts'

const { signal } = new AbortController()

/** The two bindings as Cloudflare documents them: what comes in is checked as they would, and kept. */
function bindings(answers: Record<string, unknown> = {}) {
  const runs: { model: string; input: Record<string, unknown> }[] = []
  const vectors: { upsert: VectorizeVector[][]; queries: VectorizeQueryOptions[]; deleted: string[][] } = {
    upsert: [],
    queries: [],
    deleted: [],
  }
  const given: SemanticBindings = {
    ai: {
      async run(model, input) {
        runs.push({ model, input })
        if (model in answers) return answers[model]
        if (model === '@cf/baai/bge-m3') {
          const texts = input.text as string[]
          expect(texts.length).toBeLessThanOrEqual(100)
          return {
            shape: [texts.length, 1024],
            data: texts.map((_, n) => Array.from({ length: 1024 }, () => n)),
            pooling: 'cls',
          }
        }
        expect(model).toBe('@cf/baai/bge-reranker-base')
        const contexts = input.contexts as { text: string }[]
        return { response: contexts.map((_, id) => ({ id, score: id / 10 })).reverse() }
      },
    },
    vectors: {
      async upsert(all) {
        expect(all.length).toBeLessThanOrEqual(1_000)
        vectors.upsert.push(all)
        return { mutationId: 'm' }
      },
      async query(vector, options) {
        expect(vector).toHaveLength(1024)
        expect(options?.topK).toBeLessThanOrEqual(100)
        vectors.queries.push(options ?? {})
        return {
          count: 2,
          matches: [
            { id: '7', score: 0.9 },
            { id: '3', score: 0.8 },
          ] as VectorizeMatch[],
        }
      },
      async deleteByIds(ids) {
        vectors.deleted.push(ids)
        return { mutationId: 'm' }
      },
    },
  }
  return { semantics: cloudflareSemantics(given), runs, vectors }
}

describe('Workers AI and Vectorize', () => {
  it('embeds in batches and keeps vectors with corpus and year', async () => {
    const { semantics, runs, vectors } = bindings()
    const texts = Array.from({ length: 120 }, (_, n) => ({
      id: `${n}`,
      text: 'x'.repeat(9_000),
      year: n ? '2020' : null,
    }))
    await semantics.put('tenant/acme', texts, signal)
    expect(runs.map(({ input }) => (input.text as string[]).length)).toEqual([50, 50, 20])
    expect(runs[0]).toMatchObject({ input: { text: Array(50).fill('x'.repeat(3_000)) } })
    const stored = vectors.upsert.flat()
    expect(stored.map(({ id }) => id)).toEqual(texts.map(({ id }) => id))
    expect(stored[0]?.metadata).toEqual({ corpus: 'tenant/acme' })
    expect(stored[1]?.metadata).toEqual({ corpus: 'tenant/acme', year: '2020' })
    expect(stored[1]?.values).toHaveLength(1024)
  })

  it('tells corpora apart whose long names begin alike: 64 bytes of a value are indexed', async () => {
    const { semantics, vectors } = bindings()
    const names = ['a', 'b'].map((end) => `tools/${'t'.repeat(63)}${end}.eu.weur`)
    for (const [n, name] of names.entries()) await semantics.put(name, [{ id: `${n}`, text: 'x', year: null }], signal)
    await semantics.nearest({ query: 'q', corpora: ['public', ...names], limit: 5 }, signal)
    const stored = vectors.upsert.flat().map(({ metadata }) => String(metadata?.corpus))
    for (const name of stored) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(64)
    expect(new Set(stored).size).toBe(2)
    expect(vectors.queries[0]?.filter).toEqual({ corpus: { $in: ['public', ...stored] } })
  })

  it('asks for the nearest of some corpora and a year', async () => {
    const { semantics, vectors } = bindings()
    const question = { query: 'q', corpora: ['public', 'tenant/acme'], limit: 500, year: '2020' }
    expect(await semantics.nearest(question, signal)).toEqual(['7', '3'])
    expect(vectors.queries).toEqual([
      { topK: 100, filter: { corpus: { $in: ['public', 'tenant/acme'] }, year: '2020' }, returnMetadata: 'none' },
    ])
  })

  it('gives judgements in the order of the texts', async () => {
    const { semantics, runs } = bindings()
    expect(await semantics.judge('q', ['a', 'b'.repeat(5_000), 'c'], signal)).toEqual([0, 0.1, 0.2])
    expect(runs[0]?.input).toEqual({
      query: 'q',
      contexts: [{ text: 'a' }, { text: 'b'.repeat(1_600) }, { text: 'c' }],
    })
  })

  it('removes by id, and asks nothing for nothing', async () => {
    const { semantics, vectors } = bindings()
    await semantics.remove(['7', '3'], signal)
    await semantics.remove([], signal)
    expect(vectors.deleted).toEqual([['7', '3']])
  })

  it.each([
    ['no vectors', 'expected array', { '@cf/baai/bge-m3': { request_id: 'later' } }],
    ['too few vectors', '0 vectors came for 1 texts', { '@cf/baai/bge-m3': { data: [] } }],
  ])('fails for an answer with %s', async (_, why, answers) => {
    const { semantics } = bindings(answers)
    const answer = semantics.nearest({ query: 'q', corpora: ['public'], limit: 5 }, signal)
    await expect(answer).rejects.toThrow(why)
  })

  it('fails for a judgement without scores', async () => {
    const { semantics } = bindings({ '@cf/baai/bge-reranker-base': { response: [{ id: 0 }] } })
    await expect(semantics.judge('q', ['a'], signal)).rejects.toThrow('expected number')
  })
})
