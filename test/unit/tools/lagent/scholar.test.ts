import { describe, expect, it } from 'vitest'
import { outsideBench } from '../../../support/outside-bench.ts'
import { jsonAnswer, type StandInRequest } from '../../../support/stand-in.ts'

const OPERATOR = { settings: { SERPAPI_API_KEY: 'key-of-the-operator' } }
const article = (at: number) => ({
  title: `T${at}`,
  result_id: `id${at}`,
  snippet: `S${at}`,
  publication_info: { summary: `P${at}` },
  inline_links: { cited_by: { total: at } },
})

function asSerpApi({ url }: StandInRequest) {
  switch (url.searchParams.get('engine')) {
    case 'google_scholar':
      return jsonAnswer({ organic_results: [article(1), { title: 'Bare', result_id: 'id2' }, article(3), article(4)] })
    case 'google_scholar_author':
      return jsonAnswer(
        url.searchParams.get('author_id') === 'known'
          ? {
              author: { name: 'Ada', affiliations: 'Toronto', website: null },
              articles: [1, 2, 3, 4].map((at) => ({ title: `T${at}`, authors: 'A, B', link: 'x' })),
            }
          : { error: 'none' },
      )
    case 'google_scholar_cite':
      return jsonAnswer({
        citations: [
          { title: 'MLA', snippet: 'Ada. "T1." 1843.' },
          { title: 'APA', snippet: 'no' },
        ],
      })
    default:
      return jsonAnswer({ profiles: [{ author_id: 'LSsXyncAAAAJ', name: 'Ada' }] })
  }
}

const queryOf = (bench: { service: { requests: readonly StandInRequest[] } }) =>
  Object.fromEntries(bench.service.requests.at(-1)?.url.searchParams ?? [])

describe("Google Scholar's tools", () => {
  it('find three articles, also ones that lack something', async () => {
    const bench = await outsideBench(asSerpApi, OPERATOR)
    const args = { query: 'engine', as_ylo: '2018', cites: 123, lr: null, safe: 'active' }
    expect(await bench.data('scholar_articles', args)).toEqual({
      title: ['T1', 'Bare', 'T3'],
      cited_by: [1, '', 3],
      organic_id: ['id1', 'id2', 'id3'],
      pub_info: ['P1', '', 'P3'],
      snippets: ['S1', '', 'S3'],
    })
    expect(queryOf(bench)).toEqual({
      engine: 'google_scholar',
      q: 'engine',
      as_ylo: '2018',
      cites: '123',
      safe: 'active',
      api_key: 'key-of-the-operator',
    })
  })

  it('tell of an author', async () => {
    const bench = await outsideBench(asSerpApi, OPERATOR)
    const args = { author_id: 'known', num: 5, no_cache: 'True', async_req: true, output: 'html' }
    expect(await bench.data('scholar_author', args)).toEqual({
      name: 'Ada',
      affiliations: 'Toronto',
      website: '',
      articles: [1, 2, 3].map((at) => ({ title: `T${at}`, authors: 'A, B' })),
    })
    expect(queryOf(bench)).toEqual({
      engine: 'google_scholar_author',
      author_id: 'known',
      num: '5',
      no_cache: 'true',
      api_key: 'key-of-the-operator',
    })
    expect(await bench.failure('scholar_author', { author_id: 'else' })).toMatchObject({ code: 'not_found' })
  })

  it('tell how to cite, and the id of an author', async () => {
    const bench = await outsideBench(asSerpApi, OPERATOR)
    expect((await bench.call('scholar_citation', { q: 'id1' })).text).toBe('Ada. "T1." 1843.')
    expect(await bench.data('scholar_author_id', { mauthors: 'Ada Lovelace' })).toEqual({ author_id: 'LSsXyncAAAAJ' })
    expect(queryOf(bench)).toMatchObject({ engine: 'google_scholar_profiles', mauthors: 'Ada Lovelace', hl: 'en' })
  })

  it("prefer the tenant's key, and name the setting where there is none", async () => {
    const own = await outsideBench(asSerpApi, { ...OPERATOR, secrets: { SERPAPI_API_KEY: 'key-of-the-tenant' } })
    await own.call('scholar_citation', { q: 'id1' })
    expect(queryOf(own)).toMatchObject({ api_key: 'key-of-the-tenant' })
    const none = await outsideBench(asSerpApi)
    const failure = await none.failure('scholar_articles', { query: 'x' })
    expect(failure).toMatchObject({ code: 'upstream', message: expect.stringContaining('SERPAPI_API_KEY') })
    expect(none.service.requests).toEqual([])
  })

  it.each([
    [401, {}, 'refuses the key'],
    [500, { error: 'key-of-the-operator' }, 'status 500'],
    [200, { organic_results: 'rubbish' }, 'not understood'],
    [200, 'rubbish', 'not understood'],
  ])('fail where the service answers %s %s, and never show the key', async (status, body, message) => {
    const bench = await outsideBench(() => jsonAnswer(body, status), OPERATOR)
    const failure = await bench.failure('scholar_articles', { query: 'x' })
    expect(failure).toMatchObject({ code: 'upstream', message: expect.stringContaining(message) })
    expect(JSON.stringify(failure)).not.toContain('key-of-the-operator')
  })
})
