import { describe, expect, it } from 'vitest'
import { tenantId } from '../../src/core/ids.ts'
import { PAPER_CACHE_MS } from '../../src/core/limits/papers.ts'
import { paperLibrary } from '../../src/papers/library.ts'
import { type Database, sql } from '../../src/ports/database.ts'
import type { Papers } from '../../src/ports/papers.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { attention, paper, residual } from '../support/papers.ts'

const { signal } = new AbortController()

interface Result {
  readonly file_id: string
  readonly score: number
  readonly rerank_score: number
}

/** What our own paper service does over any {@link Database} with its schema. */
export function libraryContract(name: string, newDatabase: () => Database): void {
  async function open() {
    const db = newDatabase()
    for (const table of (
      await db.rows<{ name: string }>(
        sql(`SELECT name FROM sqlite_master WHERE type = 'table' AND (name LIKE 'paper!_%' ESCAPE '!' OR name = 'papers')
             AND name NOT LIKE 'paper!_index!_%' ESCAPE '!' ORDER BY name DESC`),
      )
    ).map((row) => row.name)) {
      if (table !== 'papers' && table !== 'paper_corpora') await db.rows(sql(`DELETE FROM ${table}`))
    }
    await db.batch([sql('DELETE FROM papers'), sql('DELETE FROM paper_corpora')])
    const clock = fakeClock()
    const as = (tenant: string | null) =>
      paperLibrary({ db, reader: tenant === null ? null : tenantId(tenant), clock, semantics: null })
    return { db, clock, operator: as(null), acme: as('acme'), rival: as('rival') }
  }

  const search = async (papers: Papers, query: string, more: { k?: number; m?: number; year?: string } = {}) => {
    const answer = await papers.searchAbstracts({ query, k: 10, m: 5, ...more }, signal)
    return {
      ...answer,
      total: answer.total,
      results: answer.results as Result[],
      ids: (answer.results as Result[]).map((r) => r.file_id),
    }
  }

  describe(`papers: ${name}`, () => {
    describe('a search over abstracts', () => {
      it('finds by title and abstract, best first, with the fields of the port', async () => {
        const { operator, acme } = await open()
        expect(await operator.put([residual, attention])).toEqual({ added: 2, replaced: 0 })
        const answer = await acme.searchAbstracts({ query: 'attention in networks', k: 10, m: 5 }, signal)
        expect(answer).toEqual({
          query: 'attention in networks',
          k: 10,
          m: 5,
          total: 2,
          results: [
            {
              file_id: '1706.03762v7',
              title: attention.title,
              abstract: attention.abstract,
              publish_year: '2017',
              text_available: true,
              score: expect.any(Number),
              rerank_score: expect.any(Number),
            },
            expect.objectContaining({ file_id: '1512.03385v1', publish_year: '2015', text_available: false }),
          ],
        })
      })

      it('leaves m of them, within k, and takes limits for numbers beyond', async () => {
        const { operator } = await open()
        await operator.put(Array.from({ length: 30 }, (_, n) => paper(`p${n}`, `Neural networks ${n}`, 'About them.')))
        expect((await search(operator, 'neural', { k: 7, m: 3 })).ids).toHaveLength(3)
        expect(await search(operator, 'neural', { k: 4, m: 9 })).toMatchObject({ k: 4, m: 4, total: 4 })
        expect(await search(operator, 'neural', { k: 1e9, m: 1e9 })).toMatchObject({ k: 200, m: 200, total: 30 })
        expect(await search(operator, 'neural', { k: -1, m: Number.NaN })).toMatchObject({ k: 1, m: 1, total: 1 })
      })

      it('takes papers of exactly one year when asked to', async () => {
        const { operator } = await open()
        await operator.put([attention, residual, paper('n', 'Networks without a year', 'networks')])
        expect(await search(operator, 'networks', { year: '2015' })).toMatchObject({
          publish_year_filter: '2015',
          ids: ['1512.03385v1'],
        })
        expect((await search(operator, 'networks', { year: '2016' })).ids).toEqual([])
        for (const year of ['201', '', '2015" OR "x', '２０１５'])
          await expect(search(operator, 'networks', { year })).rejects.toMatchObject({
            failure: { code: 'invalid_input', message: 'the year to filter by is four digits, such as "2023"' },
          })
      })

      it('finds Chinese papers by Chinese words', async () => {
        const { operator } = await open()
        await operator.put([
          paper('zh1', '基于注意力机制的神经机器翻译', '本文提出一种新的翻译模型。'),
          paper('zh2', '图像识别中的残差学习', '更深的网络更难训练。'),
        ])
        expect((await search(operator, '残差网络的图像识别')).ids[0]).toBe('zh2')
        expect((await search(operator, '机器翻译')).ids[0]).toBe('zh1')
      })

      it.each([
        ['深度残差网络如何用于图像识别？', '1512.03385v1'],
        ['基于注意力机制的序列模型', '1706.03762v7'],
      ])('finds English papers by Chinese words: %s', async (query, first) => {
        const { operator } = await open()
        await operator.put([paper('other', 'Bone density in mice', 'Diet and bones.'), residual, attention])
        expect((await search(operator, query)).ids[0]).toBe(first)
      })

      it('takes an abbreviation and what papers write out for it as one', async () => {
        const { operator } = await open()
        await operator.put([
          paper('one', 'A survey', 'Large language models (LLMs) are surveyed.'),
          paper('two', 'Another', 'We study a large language model (LLM).'),
          paper('short', 'LLM agents', 'What they can do.'),
          paper('long', 'Prompting', 'How to prompt a large language model.'),
          paper('none', 'Bone density', 'Of mice.'),
        ])
        expect((await search(operator, 'LLM')).ids.sort()).toEqual(['long', 'one', 'short', 'two'])
        expect((await search(operator, 'large language models')).ids.sort()).toEqual(['long', 'one', 'short', 'two'])
      })

      it.each([
        ['FTS5 operators', '"networks" OR * AND NEAR(networks, 2) ^ -title : {abstract} + (('],
        ['control characters', 'networks\0\u0001\u001b\ud800'],
        ['a megabyte', `networks ${'networks and more words '.repeat(50_000)}`],
        ['SQL', "networks'; DROP TABLE papers; --"],
        ['our own marks', '1_networks networks _'],
      ])('takes any text as words: %s', async (_, query) => {
        const { operator } = await open()
        await operator.put([residual])
        expect((await search(operator, query)).ids).toEqual(['1512.03385v1'])
      })

      it.each([
        ['nothing', ''],
        ['emoji', '😀😀'],
        ['punctuation', '"*"'],
        ['unknown words', 'xyzzy'],
      ])('answers without results where there are none: %s', async (_, query) => {
        const { operator } = await open()
        await operator.put([residual])
        expect(await search(operator, query)).toMatchObject({ total: 0, results: [] })
      })

      it('answers without results before anything was loaded', async () => {
        const { acme } = await open()
        expect(await search(acme, 'networks')).toMatchObject({ total: 0, results: [] })
      })
    })

    describe('a search in one paper', () => {
      it('finds the chunk that says it, with its headings', async () => {
        const { operator } = await open()
        await operator.put([attention])
        expect(
          await operator.searchDetails({ query: 'which optimizer?', fileId: '1706.03762v7', k: 10, m: 3 }, signal),
        ).toEqual({
          query: 'which optimizer?',
          file_id: '1706.03762v7',
          k: 10,
          m: 3,
          total: 1,
          results: [
            {
              doc_id: 'chunk_004',
              content: '5 Training\n\nWe trained with the Adam optimizer on eight GPUs.',
              score: expect.any(Number),
              rerank_score: expect.any(Number),
            },
          ],
          text_available: true,
        })
      })

      it('takes the abstract where there is no text', async () => {
        const { operator } = await open()
        await operator.put([residual])
        expect(
          await operator.searchDetails({ query: 'residual', fileId: '1512.03385', k: 10, m: 3 }, signal),
        ).toMatchObject({
          results: [{ doc_id: 'chunk_001', content: residual.abstract }],
        })
      })
    })

    describe('reading', () => {
      it('gives the whole paper once, headings where they begin', async () => {
        const { operator } = await open()
        await operator.put([attention])
        expect(await operator.paper('1706.03762v7', signal)).toEqual({
          file_id: '1706.03762v7',
          title: attention.title,
          publish_year: '2017',
          abstract: attention.abstract,
          content: [
            '## 1 Introduction',
            'Recurrent networks compute along the positions of a sequence.',
            '### 3.2 Attention',
            'Scaled dot-product attention divides by the root of the dimension. Multi-head attention projects queries and keys.',
            '## 5 Training',
            'We trained with the Adam optimizer on eight GPUs.',
          ].join('\n\n'),
          text_available: true,
        })
      })

      it('lists chunks, and gives those that are asked for', async () => {
        const { operator } = await open()
        await operator.put([attention])
        const { chunks, ...rest } = await operator.chunks('1706.03762v7', signal)
        expect(rest).toEqual({ file_id: '1706.03762v7', chunk_count: 4, text_available: true })
        expect((chunks as unknown[])[0]).toEqual({ doc_id: 'chunk_001', index: 1, char_count: 77 })
        expect(await operator.passages('1706.03762v7', ['chunk_004', 'chunk_9', 'chunk_004'], signal)).toEqual({
          file_id: '1706.03762v7',
          contents: [{ doc_id: 'chunk_004', content: expect.stringContaining('Adam') }],
          missing: ['chunk_9'],
          text_available: true,
          notes: ['its chunks are chunk_001 to chunk_004'],
        })
        expect((await operator.passages('1706.03762v7', undefined, signal)).contents).toHaveLength(4)
      })

      it.each([['4'], ['chunk_4'], ['chunk-04'], ['Chunk 4'], ['chunk_0004']])('knows a chunk by %j', async (docId) => {
        const { operator } = await open()
        await operator.put([attention])
        expect(await operator.passages('1706.03762v7', [docId, 'chunk_004', 'chunk_0', '4th'], signal)).toMatchObject({
          contents: [{ doc_id: 'chunk_004' }],
          missing: ['chunk_0', '4th'],
        })
      })

      it('says of a paper without a text what is here of it, and where the text is', async () => {
        const { operator } = await open()
        await operator.put([residual, paper('notes-1', 'Notes', 'on bones'), attention])
        const answers = (fileId: string) =>
          Promise.all([
            operator.paper(fileId, signal),
            operator.chunks(fileId, signal),
            operator.passages(fileId, undefined, signal),
            operator.searchDetails({ query: 'bones residual', fileId, k: 10, m: 3 }, signal),
          ])
        for (const answer of await answers('1512.03385')) {
          expect(answer).toMatchObject({
            text_available: false,
            notes: [expect.stringMatching(/^only title and abstract .* https:\/\/arxiv\.org\/pdf\/1512\.03385v1 /)],
          })
        }
        for (const answer of await answers('notes-1')) {
          expect(answer).toMatchObject({
            text_available: false,
            notes: [expect.stringMatching(/^only title and abstract .* take a paper with text_available: true$/)],
          })
        }
        for (const answer of await answers('1706.03762')) expect(answer).not.toHaveProperty('notes')
        expect(await operator.paper('1512.03385', signal)).toMatchObject({ content: residual.abstract })
      })

      it('notes on results that none of them has a text, and nothing when one has', async () => {
        const { operator } = await open()
        await operator.put([residual, attention])
        expect(await search(operator, 'residual')).toMatchObject({ notes: [expect.stringMatching(/^none of these/)] })
        expect(await search(operator, 'networks')).not.toHaveProperty('notes')
        expect(await search(operator, 'xyzzy')).not.toHaveProperty('notes')
      })

      it.each([
        '1706.03762v7',
        '1706.03762',
        'arXiv:1706.03762',
        'https://arxiv.org/abs/1706.03762v7',
        'https://arxiv.org/pdf/1706.03762.pdf',
        '10.48550/arXiv.1706.03762',
        ' 1706.03762 ',
      ])('knows a paper by %j', async (id) => {
        const { operator } = await open()
        await operator.put([attention, residual])
        expect(await operator.paper(id, signal)).toMatchObject({ file_id: '1706.03762v7' })
      })

      it('takes the newest version where none is named', async () => {
        const { operator } = await open()
        for (const version of [2, 10, 9]) await operator.put([paper(`2401.00001v${version}`, 'T', 'A')])
        expect(await operator.paper('2401.00001', signal)).toMatchObject({ file_id: '2401.00001v10' })
        expect(await operator.paper('2401.00001v2', signal)).toMatchObject({ file_id: '2401.00001v2' })
      })

      it('says what to do for a paper that is not there', async () => {
        const { operator } = await open()
        await operator.put([attention])
        const missing = (id: string) => operator.paper(id, signal)
        await expect(missing('nope')).rejects.toMatchObject({
          failure: { code: 'not_found', message: expect.stringMatching(/^Paper not found: nope; use a file_id /) },
        })
        await expect(missing('1706.03762v1')).rejects.toMatchObject({
          failure: { message: 'Paper not found: 1706.03762v1; it is here as "1706.03762v7"' },
        })
        await expect(operator.chunks("x' OR 1", signal)).rejects.toMatchObject({ failure: { code: 'not_found' } })
      })
    })

    describe('the shelf', () => {
      it('puts a paper in the place of that with the same id, in every index', async () => {
        const { operator } = await open()
        await operator.put([attention, residual])
        const before = await operator.stats(signal)
        expect(await operator.put([paper('1706.03762v7', 'Quantum chess', 'rooks')])).toEqual({ added: 0, replaced: 1 })
        expect((await search(operator, 'attention transformer')).ids).toEqual([])
        expect((await search(operator, 'rooks')).ids).toEqual(['1706.03762v7'])
        expect(await operator.chunks('1706.03762', signal)).toMatchObject({ chunk_count: 1 })
        await expect(operator.paper('10.48550/arXiv.1706.03762', signal)).rejects.toMatchObject({
          failure: { code: 'not_found' },
        })
        await operator.put([attention])
        expect(await operator.stats(signal)).toEqual(before)
      })

      it('removes a paper and all that found it', async () => {
        const { db, operator } = await open()
        await operator.put([attention, residual])
        expect([await operator.remove('1706.03762v7'), await operator.remove('1706.03762v7')]).toEqual([true, false])
        await operator.remove('1512.03385v1')
        expect((await search(operator, 'networks attention')).ids).toEqual([])
        for (const table of [
          'papers',
          'paper_names',
          'paper_chunks',
          'paper_terms',
          'paper_short_forms',
          'paper_index',
        ]) {
          const [row] = await db.rows(sql(`SELECT count(*) AS n FROM ${table}`))
          expect([table, row?.n]).toEqual([table, 0])
        }
      })

      it('takes the later of two with one id in a call', async () => {
        const { operator } = await open()
        expect(await operator.put([paper('a', 'First', 'one'), paper('a', 'Second', 'two')])).toEqual({
          added: 1,
          replaced: 0,
        })
        expect(await operator.paper('a', signal)).toMatchObject({ title: 'Second' })
      })

      it('keeps counts right when many write at once', async () => {
        const { operator } = await open()
        const all = Array.from({ length: 6 }, (_, n) => operator.put([paper(`p${n % 3}`, `Networks ${n}`, 'parallel')]))
        const done = await Promise.all(all)
        expect(done.reduce((sum, { added }) => sum + added, 0)).toBe(3)
        expect(await operator.stats(signal)).toMatchObject({ papers: 3, public_papers: 3 })
        expect((await search(operator, 'parallel')).total).toBe(3)
      })

      it.each([
        ['no id', paper('', 'T', 'A'), /is no id/],
        ['a control character in an alias', paper('a', 'T', 'A', { aliases: ['x\0'] }), /is no id/],
        ['a year of two digits', paper('a', 'T', 'A', { year: '17' }), /"17"; give four digits/],
        ['nothing to read', paper('a', ' ', ''), /neither title, abstract nor text/],
        ['an endless abstract', paper('a', 'T', 'x'.repeat(50_001)), /MAX_ABSTRACT_CHARS/],
        [
          'an endless chunk',
          paper('a', 'T', 'A', { chunks: [{ section: '', text: 'x'.repeat(100_001) }] }),
          /MAX_CHUNK_CHARS/,
        ],
      ])('refuses a paper with %s, and with it the whole call', async (_, bad, message) => {
        const { operator } = await open()
        await expect(operator.put([residual, bad])).rejects.toMatchObject({
          failure: { message: expect.stringMatching(message) },
        })
        expect(await operator.stats(signal)).toMatchObject({ papers: 0 })
      })

      it('keeps any text as it was, but for what no database takes', async () => {
        const { operator } = await open()
        const odd = `"quotes" 'and' \\ 文😀\u2028 é`
        await operator.put([paper('id\'%_/"', odd, `a\0b\ud800c`, { chunks: [{ section: odd, text: odd }] })])
        expect(await operator.paper('id\'%_/"', signal)).toMatchObject({ title: odd, abstract: 'a b\ufffdc' })
        expect((await operator.passages('id\'%_/"', undefined, signal)).contents).toEqual([
          { doc_id: 'chunk_001', content: `${odd}\n\n${odd}` },
        ])
      })
    })

    describe('tenants', () => {
      it('see the public papers and their own, and nobody else theirs', async () => {
        const { operator, acme, rival } = await open()
        await operator.put([residual])
        await acme.put([paper('secret-1', 'Residual secrets of acme', 'residual')])
        expect((await search(acme, 'residual')).ids.sort()).toEqual(['1512.03385v1', 'secret-1'])
        for (const other of [rival, operator]) {
          expect((await search(other, 'residual secrets acme')).ids).toEqual(['1512.03385v1'])
          const unknown = await other.paper('unknown-1', signal).catch((thrown) => thrown.failure)
          const secret = await other.paper('secret-1', signal).catch((thrown) => thrown.failure)
          expect(secret.message.replace('secret-1', 'unknown-1')).toBe(unknown.message)
          expect(await other.remove('secret-1')).toBe(false)
        }
        expect(await acme.remove('1512.03385v1')).toBe(false)
      })

      it('learn nothing of others by scores, counts, statistics or the cache', async () => {
        const { operator, acme, rival } = await open()
        await operator.put([residual, attention])
        const look = async () => ({
          found: await search(rival, 'residual attention networks'),
          stats: await rival.stats(signal),
          health: await rival.health(signal),
          fresh: await search(rival, `networks attention`, { k: 3, m: 2 }),
        })
        const before = await look()
        const cache = await rival.cacheStats(signal)
        await acme.put(Array.from({ length: 50 }, (_, n) => paper(`a${n}`, 'Attention networks residual', `text ${n}`)))
        await search(acme, 'residual attention networks')
        await search(acme, 'residual attention networks')
        expect(await rival.cacheStats(signal)).toEqual(cache)
        expect(await acme.cacheClear(signal)).toEqual({ cleared: 1 })
        expect(await rival.cacheStats(signal)).toEqual(cache)
        await rival.cacheClear(signal)
        expect(await look()).toEqual(before)
      })

      it('hide a public paper by one of their own with its id, for themselves alone', async () => {
        const { operator, acme, rival } = await open()
        await operator.put([residual, attention])
        await acme.put([paper('1512.03385v1', 'Our own notes', 'secret networks', { year: '2020' })])
        expect(await acme.paper('1512.03385', signal)).toMatchObject({ title: 'Our own notes' })
        expect((await search(acme, 'residual learning')).ids).toEqual([])
        expect((await search(acme, 'networks')).ids.sort()).toEqual(['1512.03385v1', '1706.03762v7'])
        expect(await acme.stats(signal)).toMatchObject({
          papers: 2,
          own_papers: 1,
          public_papers: 2,
          years: { 2017: 1, 2020: 1 },
        })
        expect(await rival.paper('1512.03385', signal)).toMatchObject({ title: residual.title })
        await acme.remove('1512.03385v1')
        expect(await acme.paper('1512.03385', signal)).toMatchObject({ title: residual.title })
      })
    })

    describe('the cache', () => {
      it('answers the same question again, and counts', async () => {
        const { operator, acme } = await open()
        await operator.put([attention])
        const first = await search(acme, 'attention')
        expect(await search(acme, 'attention')).toEqual(first)
        await search(acme, 'attention', { m: 2 })
        await acme.searchDetails({ query: 'attention', fileId: '1706.03762', k: 2, m: 2 }, signal)
        await acme.searchDetails({ query: 'attention', fileId: '1706.03762', k: 2, m: 2 }, signal)
        expect(await acme.cacheStats(signal)).toEqual({ size: 3, hits: 2, misses: 3 })
        expect(await acme.cacheClear(signal)).toEqual({ cleared: 3 })
        expect(await acme.cacheStats(signal)).toEqual({ size: 0, hits: 2, misses: 3 })
      })

      it('forgets what a change could have changed: public for all, own for its owner', async () => {
        const { operator, acme, rival } = await open()
        await operator.put([attention])
        for (const papers of [acme, rival]) await search(papers, 'networks')
        await acme.put([paper('mine', 'Networks of mine', '')])
        expect((await search(acme, 'networks')).ids).toContain('mine')
        await search(rival, 'networks')
        expect(await rival.cacheStats(signal)).toMatchObject({ hits: 1, misses: 1 })
        await operator.put([residual])
        expect((await search(rival, 'networks')).ids).toContain('1512.03385v1')
        expect(await rival.cacheStats(signal)).toEqual({ size: 1, hits: 1, misses: 2 })
        await operator.remove('1512.03385v1')
        expect((await search(acme, 'networks')).ids).not.toContain('1512.03385v1')
      })

      it('forgets after a day', async () => {
        const { operator, clock } = await open()
        await operator.put([attention])
        await search(operator, 'attention')
        clock.advance(PAPER_CACHE_MS)
        await search(operator, 'attention')
        expect(await operator.cacheStats(signal)).toEqual({ size: 1, hits: 0, misses: 2 })
      })
    })
  })
}
