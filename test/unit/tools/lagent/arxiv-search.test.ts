import { describe, expect, it } from 'vitest'
import { outsideBench } from '../../../support/outside-bench.ts'

const ATOM =
  '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query</title>'

const entry = (more: { title?: string; id?: string; summary?: string } = {}) => `<entry>
  <id>${more.id ?? 'http://arxiv.org/abs/1706.03762v7'}</id>
  <updated>2023-08-02T00:41:18Z</updated><published>2017-06-12T17:57:34Z</published>
  <title>${more.title ?? 'Attention Is All\n  You Need'}</title>
  <summary>  ${more.summary ?? 'We propose R&amp;D of a 新 network.'}\n</summary>
  <author><name>Ashish Vaswani</name></author><author><name>Noam Shazeer</name></author>
</entry>`

const arxiv = (body: string, status = 200) => outsideBench(() => ({ status, body }))

describe('arxiv_search', () => {
  it('returns the papers in the words of Lagent', async () => {
    const bench = await arxiv(`${ATOM}${entry()}${entry({ title: 'Second' })}</feed>`)
    const { text, data } = await bench.call('arxiv_search', { query: 'all:attention AND au:vaswani' })
    expect(text).toBe(
      'Published: 2023-08-02\nTitle: Attention Is All You Need\nAuthors: Ashish Vaswani, Noam Shazeer\n' +
        'Summary: We propose R&D of a 新 network.\n\n' +
        'Published: 2023-08-02\nTitle: Second\nAuthors: Ashish Vaswani, Noam Shazeer\n' +
        'Summary: We propose R&D of a 新 network.',
    )
    expect(data).toEqual({ content: text })
    const [request] = bench.service.requests
    expect(request?.url.pathname).toBe('/api/query')
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      search_query: 'all:attention AND au:vaswani',
      start: '0',
      max_results: '3',
    })
  })

  it('asks with 300 characters, and shows 1,500 of an abstract, of three papers', async () => {
    const long = entry({ summary: 'x'.repeat(5_000) })
    const bench = await arxiv(`${ATOM}${long.repeat(9)}</feed>`)
    const { text } = await bench.call('arxiv_search', { query: '数'.repeat(1_000) })
    expect(bench.service.requests[0]?.url.searchParams.get('search_query')).toBe('数'.repeat(300))
    expect(text.split('\n\n').map((paper) => /x+/.exec(paper)?.[0].length)).toEqual([1_500, 1_500, 1_500])
  })

  it('says that nothing was found', async () => {
    const bench = await arxiv(`${ATOM}</feed>`)
    expect(await bench.data('arxiv_search', { query: 'zzz' })).toEqual({ content: 'No good Arxiv Result was found' })
  })

  it('says what arXiv says against a query, which comes with 200 too', async () => {
    const error = entry({ id: 'https://arxiv.org/api/errors#x', title: 'Error', summary: 'incorrect id format' })
    for (const status of [200, 400]) {
      const failure = await (await arxiv(`${ATOM}${error}</feed>`, status)).failure('arxiv_search', { query: '((' })
      expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('incorrect id format') })
    }
  })

  it.each([
    [503, 'Service Unavailable', /^Arxiv exception: arXiv answered with status 503/],
    [200, 'Rate exceeded.', /^Arxiv exception: arXiv gave an answer that is not understood/],
    [200, '', /not understood/],
    [200, '<html><body>down</body></html>', /not understood/],
    [200, `${ATOM}<entry>`, /not understood/],
  ])('fails as another service where arXiv answers %s %s', async (status, body, message) => {
    const failure = await (await arxiv(body, status)).failure('arxiv_search', { query: 'x' })
    expect(failure).toMatchObject({ code: 'upstream', message: expect.stringMatching(message) })
  })
})

describe('hostile answers to arxiv_search', () => {
  it.each([
    [
      'entities within entities',
      `<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><feed>${entry({ title: '&b;' })}</feed>`,
    ],
    [
      'a file as an entity',
      `<!DOCTYPE feed [<!ENTITY f SYSTEM "file:///etc/passwd">]><feed>${entry({ title: '&f;' })}</feed>`,
    ],
    ['elements without end within each other', `<feed>${'<entry>'.repeat(5_000)}`],
  ])('refuses %s', async (_name, body) => {
    const failure = await (await arxiv(body)).failure('arxiv_search', { query: 'x' })
    expect(failure).toMatchObject({ code: 'upstream', message: expect.stringContaining('not understood') })
  })

  it('reads no more than it may', async () => {
    const failure = await (await arxiv(ATOM + ' '.repeat(600 * 1024))).failure('arxiv_search', { query: 'x' })
    expect(failure.code).toBe('limit_exceeded')
  })
})
