import { describe, expect, it } from 'vitest'
import type { Papers } from '../../src/ports/papers.ts'
import { failureOf } from '../support/failure-of.ts'

/**
 * What every {@link Papers} does.
 * @param open one that has `residual` and `attention` of `test/support/papers.ts`, the latter with its text
 */
export function papersContract(name: string, open: () => Promise<Papers>): void {
  const { signal } = new AbortController()
  const counts = { k: 10, m: 5 }

  describe(`a service of papers: ${name}`, () => {
    it('finds papers by their abstracts, the best first, of one year too', async () => {
      const papers = await open()
      const found = await papers.searchAbstracts({ query: 'attention in networks', ...counts }, signal)
      expect(found).toMatchObject({
        ...{ query: 'attention in networks', k: 10, m: 5, total: 2 },
        results: [{ file_id: '1706.03762v7', publish_year: '2017' }, { file_id: '1512.03385v1' }],
      })
      const ofYear = await papers.searchAbstracts({ query: 'networks', year: '2015', ...counts }, signal)
      expect(ofYear).toMatchObject({ publish_year_filter: '2015', results: [{ file_id: '1512.03385v1' }] })
    })

    it('finds where in a paper something is, and gives those places', async () => {
      const papers = await open()
      const fileId = '1706.03762'
      const { results } = await papers.searchDetails({ query: 'attention', fileId, ...counts }, signal)
      const [first] = results as { doc_id: string; content: string }[]
      const docId = first?.doc_id ?? ''
      expect(await papers.chunks(fileId, signal)).toMatchObject({
        chunks: expect.arrayContaining([expect.objectContaining({ doc_id: docId })]),
      })
      expect(await papers.passages(fileId, [docId, 'none'], signal)).toMatchObject({
        contents: [{ doc_id: docId, content: first?.content }],
        missing: ['none'],
      })
      const all = await papers.passages(fileId, undefined, signal)
      expect(all.contents).toHaveLength(Number((await papers.chunks(fileId, signal)).chunk_count))
    })

    it('gives a paper whole, and says of an unknown one that it is not there', async () => {
      const papers = await open()
      expect(await papers.paper('1706.03762', signal)).toMatchObject({ file_id: '1706.03762v7', publish_year: '2017' })
      for (const ask of [
        () => papers.paper('none', signal),
        () => papers.chunks('none', signal),
        () => papers.searchDetails({ query: 'x', fileId: 'none', ...counts }, signal),
      ]) {
        expect(await failureOf(ask())).toMatchObject({ code: 'not_found' })
      }
    })

    it('tells how much it has, how it is, and forgets what it remembered', async () => {
      const papers = await open()
      expect(await papers.stats(signal)).toMatchObject({ papers: 2 })
      expect(await papers.health(signal)).toMatchObject({ status: 'healthy' })
      expect(await papers.info(signal)).toMatchObject({ version: expect.anything() })
      await papers.searchAbstracts({ query: 'networks', ...counts }, signal)
      expect(await papers.cacheStats(signal)).toMatchObject({ size: 1, misses: 1 })
      expect(await papers.cacheClear(signal)).toEqual({ cleared: 1 })
      expect(await papers.cacheStats(signal)).toMatchObject({ size: 0 })
    })
  })
}
