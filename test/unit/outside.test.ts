import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { tenantId } from '../../src/core/ids.ts'
import { outsidePorts } from '../../src/outside.ts'
import type { OutsidePorts } from '../../src/ports/index.ts'
import { failureOf } from '../support/failure-of.ts'
import { jsonAnswer, type StandInAnswer, type StandInRequest, standIn } from '../support/stand-in.ts'

const BINDINGS = { SESSIONS: {}, TENANTS: {}, LEASES: {}, BLOBS: {}, DB: {}, ASSETS: {} }
const KEY = 'key-of-the-operator'

/** The ports with these settings; every base URL is that of one stand-in. */
async function ports(settings: Record<string, string>, answer: (request: StandInRequest) => StandInAnswer) {
  const service = await standIn(answer)
  const urls = ['SERPER', 'GOOGLE_SEARCH', 'BRAVE', 'SERPAPI', 'OPENALEX', 'SEMANTIC_SCHOLAR']
  const bases = Object.fromEntries(urls.map((name) => [`${name}_BASE_URL`, service.url]))
  const set = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value || service.url]))
  return { service, outside: outsidePorts(readConfig({ ...BINDINGS, ...bases, ...set }), tenantId('acme')) }
}

const { signal } = new AbortController()
const search = ({ search: port }: OutsidePorts, count = 50) => port.search('a b', count, signal)
const scholar = ({ scholar: port }: OutsidePorts, page = 2) =>
  port.page({ query: 'a b', page, yearLow: 2020, yearHigh: 2024 }, signal)

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)
const result = (at: number) => ({ title: `T${at}`, url: `https://x.example/${at}`, description: `D${at}` })
const asLink = (at: number) => ({ title: `T${at}`, link: `https://x.example/${at}`, snippet: `D${at}` })

const SEARCHES = [
  {
    name: 'Serper',
    settings: { SERPER_API_KEY: KEY },
    answer: ({ body }: StandInRequest) => {
      const { num, page } = JSON.parse(body) as { num: number; page: number }
      return jsonAnswer({ organic: numbers((page - 1) * num, num).map(asLink) })
    },
    asked: { method: 'POST', path: '/search', body: '{"q":"a b","num":50,"page":1}', header: 'x-api-key' },
    variable: 'SERPER_API_KEY',
  },
  {
    name: 'Google Programmable Search',
    settings: { GOOGLE_SEARCH_API_KEY: KEY, GOOGLE_SEARCH_ENGINE_ID: 'cx1' },
    answer: ({ url }: StandInRequest) =>
      jsonAnswer({ items: numbers(Number(url.searchParams.get('start')) - 1, 10).map(asLink) }),
    asked: { method: 'GET', path: '/customsearch/v1?cx=cx1&q=a+b&num=10&start=1', body: '', header: 'x-goog-api-key' },
    variable: 'GOOGLE_SEARCH_API_KEY',
  },
  {
    name: 'Brave Search',
    settings: { BRAVE_API_KEY: KEY },
    answer: ({ url }: StandInRequest) =>
      jsonAnswer({ web: { results: numbers(Number(url.searchParams.get('offset')) * 20, 20).map(result) } }),
    asked: {
      method: 'GET',
      path: '/res/v1/web/search?q=a+b&count=20&offset=0&text_decorations=false',
      body: '',
      header: 'x-subscription-token',
    },
    variable: 'BRAVE_API_KEY',
  },
  {
    name: 'SearXNG',
    settings: { SEARXNG_URL: '' },
    answer: ({ url }: StandInRequest) => {
      const page = Number(url.searchParams.get('pageno')) - 1
      const results = numbers(page * 15, 15).map((at) => ({ ...result(at), content: `D${at}`, engine: 'x' }))
      return jsonAnswer({ results })
    },
    asked: { method: 'GET', path: '/search?q=a+b&format=json&pageno=1', body: '', header: null },
    variable: 'SEARXNG_URL',
  },
] as const

describe.each(SEARCHES)('search by $name', ({ name, settings, answer, asked, variable }) => {
  it('asks as the service wants it, for as many pages as it takes', async () => {
    const { service, outside } = await ports(settings, answer)
    expect(await search(outside)).toEqual(numbers(0, 50).map(result))
    const [first] = service.requests
    expect({ method: first?.method, path: first?.path, body: first?.body }).toEqual({
      method: asked.method,
      path: asked.path,
      body: asked.body,
    })
    if (asked.header) expect(first?.headers[asked.header]).toBe(KEY)
    expect(service.requests.map(({ path }) => path).join()).not.toContain(KEY)
    expect(await search(outside, 3)).toHaveLength(3)
  })

  it('stops when a page brings nothing new, and takes no result for an answer', async () => {
    const { outside, service } = await ports(settings, (request) => {
      const again = new URL(request.url)
      for (const [key, value] of [
        ['start', '1'],
        ['offset', '0'],
        ['pageno', '1'],
      ] as const) {
        if (again.searchParams.has(key)) again.searchParams.set(key, value)
      }
      return answer({ ...request, url: again, body: request.body.replace(/"page":\d+/, '"page":1') })
    })
    expect((await search(outside, 100)).length).toBeGreaterThan(0)
    expect(service.requests.length).toBeLessThanOrEqual(2)
    const empty = await ports(settings, () => jsonAnswer({}))
    expect(await search(empty.outside)).toEqual([])
  })

  it('says what to do when it is refused, too fast, away or odd, and never the key', async () => {
    const refused = async (status: number, body: unknown = { message: `bad ${KEY}` }) =>
      failureOf(search((await ports(settings, () => jsonAnswer(body, status))).outside))
    expect(await refused(403)).toMatchObject({ code: 'upstream', message: expect.stringContaining(variable) })
    expect(await refused(429)).toMatchObject({ code: 'limit_exceeded', message: expect.stringContaining(name) })
    expect(await refused(500)).toMatchObject({ code: 'upstream', message: expect.stringContaining('500') })
    expect(await refused(302)).toMatchObject({ code: 'upstream' })
    expect(await refused(200, 'odd')).toMatchObject({ message: expect.stringContaining('not understood') })
    expect(JSON.stringify([await refused(403), await refused(500)])).not.toContain(KEY)
  })
})

describe('which search is asked', () => {
  const all = {
    SERPER_API_KEY: KEY,
    GOOGLE_SEARCH_API_KEY: KEY,
    GOOGLE_SEARCH_ENGINE_ID: 'c',
    BRAVE_API_KEY: KEY,
    SEARXNG_URL: '',
  }
  const path = async (settings: Record<string, string>) => {
    const { outside, service } = await ports(settings, () => jsonAnswer({}))
    await search(outside)
    return service.requests[0]?.url.pathname
  }

  it('is the first that is set up, or the one that is named', async () => {
    expect(await path(all)).toBe('/search')
    expect(await path({ ...all, SEARCH_PROVIDER: 'google' })).toBe('/customsearch/v1')
    expect(await path({ ...all, SEARCH_PROVIDER: 'brave' })).toBe('/res/v1/web/search')
    expect(await path({ BRAVE_API_KEY: KEY, SEARXNG_URL: '' })).toBe('/res/v1/web/search')
  })

  it('is none where none is set up, and the answer names what to set', async () => {
    for (const settings of [{}, { GOOGLE_SEARCH_API_KEY: KEY }, { SEARCH_PROVIDER: 'brave', SERPER_API_KEY: KEY }]) {
      const { outside } = await ports(settings, () => jsonAnswer({}))
      expect((await failureOf(search(outside))).message).toMatch(
        /SERPER_API_KEY.*GOOGLE_SEARCH_API_KEY.*GOOGLE_SEARCH_ENGINE_ID.*BRAVE_API_KEY.*SEARXNG_URL/,
      )
    }
  })
})

const PAPER = {
  title: 'Attention',
  url: 'https://papers.example/1',
  authors: 'A Vaswani, N Shazeer - NeurIPS',
  year: 2017,
  abstract: 'We propose the Transformer',
  cited_by: 9,
  pdf_url: 'https://papers.example/1.pdf',
}
const OPENALEX = {
  results: [
    {
      id: 'https://openalex.org/W1',
      doi: null,
      display_name: PAPER.title,
      publication_year: 2017,
      cited_by_count: 9,
      authorships: [{ author: { display_name: 'A Vaswani' } }, { author: { display_name: 'N Shazeer' } }],
      primary_location: { landing_page_url: PAPER.url, pdf_url: PAPER.pdf_url, source: { display_name: 'NeurIPS' } },
      abstract_inverted_index: { the: [2], We: [0], Transformer: [3], propose: [1] },
    },
  ],
}
const SEMANTIC = {
  data: [
    {
      title: PAPER.title,
      url: PAPER.url,
      authors: [{ name: 'A Vaswani' }, { name: 'N Shazeer' }],
      venue: 'NeurIPS',
      year: 2017,
      abstract: PAPER.abstract,
      citationCount: 9,
      openAccessPdf: { url: PAPER.pdf_url },
    },
  ],
}
const SCHOLARS = [
  {
    source: 'Google Scholar (Serper)',
    settings: { SERPER_API_KEY: KEY },
    answer: {
      organic: [
        {
          title: PAPER.title,
          link: PAPER.url,
          publicationInfo: PAPER.authors,
          snippet: PAPER.abstract,
          year: 2017,
          citedBy: 9,
          pdfUrl: PAPER.pdf_url,
        },
      ],
    },
    asked: '/scholar {"q":"a b","page":2,"as_ylo":2020,"as_yhi":2024}',
  },
  {
    source: 'Google Scholar (SerpAPI)',
    settings: { SERPAPI_API_KEY: KEY },
    answer: {
      organic_results: [
        {
          title: PAPER.title,
          link: PAPER.url,
          snippet: PAPER.abstract,
          publication_info: { summary: 'A Vaswani - NeurIPS, 2017 - proceedings.neurips.cc' },
          inline_links: { cited_by: { total: 9 } },
          resources: [{ link: PAPER.pdf_url, file_format: 'PDF' }],
        },
      ],
    },
    asked: `/search.json?engine=google_scholar&q=a+b&start=10&as_ylo=2020&as_yhi=2024&api_key=${KEY} `,
  },
  {
    source: 'OpenAlex',
    settings: {},
    answer: OPENALEX,
    asked:
      '/works?search=a+b&page=2&per-page=10&select=id%2Cdoi%2Cdisplay_name%2Cpublication_year%2Ccited_by_count%2Cauthorships%2Cprimary_location%2Cabstract_inverted_index&filter=from_publication_date%3A2020-01-01%2Cto_publication_date%3A2024-12-31 ',
  },
  {
    source: 'Semantic Scholar',
    settings: { SCHOLAR_PROVIDER: 'semanticscholar' },
    answer: SEMANTIC,
    asked:
      '/graph/v1/paper/search?query=a+b&offset=10&limit=10&fields=title%2Curl%2Cauthors%2Cvenue%2Cyear%2Cabstract%2CcitationCount%2CopenAccessPdf&year=2020-2024 ',
  },
] as const

describe.each(SCHOLARS)('papers by $source', ({ source, settings, answer, asked }) => {
  it('are asked for as the service wants it, and all look alike', async () => {
    const { outside, service } = await ports(settings, () => jsonAnswer(answer))
    const page = await scholar(outside)
    const [request] = service.requests
    expect(`${request?.path} ${request?.body}`).toBe(asked)
    const authors = source.includes('SerpAPI') ? 'A Vaswani - NeurIPS, 2017 - proceedings.neurips.cc' : PAPER.authors
    expect(page).toEqual({ source, papers: [{ ...PAPER, authors }] })
  })

  it('that cannot be had are said to, without the key', async () => {
    const { outside } = await ports(settings, () => jsonAnswer({ error: KEY }, 401))
    const { message } = await failureOf(scholar(outside))
    expect(message).not.toContain(KEY)
  })
})

describe('papers without a key', () => {
  it('come from Semantic Scholar when OpenAlex does not answer, and the page says so', async () => {
    const { outside } = await ports({}, ({ path }) =>
      path.startsWith('/works') ? { status: 503 } : jsonAnswer(SEMANTIC),
    )
    expect(await scholar(outside)).toMatchObject({ source: 'Semantic Scholar', papers: [{ title: 'Attention' }] })
  })
})

describe('the browser', () => {
  const settings = {
    BROWSER_RENDERING_BASE_URL: '',
    BROWSER_RENDERING_ACCOUNT_ID: 'acc',
    BROWSER_RENDERING_API_TOKEN: KEY,
  }
  const render = ({ browser }: OutsidePorts) => browser.render('https://example.com/', signal)

  it('is asked as its service wants it; without it there is none', async () => {
    const { outside, service } = await ports(settings, () => jsonAnswer({ success: true, result: '<p>x</p>' }))
    expect(await render(outside)).toBe('<p>x</p>')
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      path: '/accounts/acc/browser-rendering/content',
      body: '{"url":"https://example.com/"}',
      headers: { authorization: `Bearer ${KEY}` },
    })
    expect(await render((await ports({}, () => jsonAnswer({}))).outside)).toBeNull()
  })

  it('that refuses says which setting to look at', async () => {
    const { outside } = await ports(settings, () => jsonAnswer({ errors: [KEY] }, 403))
    expect((await failureOf(render(outside))).message).toMatch(/BROWSER_RENDERING_API_TOKEN/)
  })
})

describe('papers of another service', () => {
  const asked = { query: 'a', k: 10, m: 5 }
  const answered = (more: object) => jsonAnswer({ success: true, data: {}, error: null, ...more })

  it('are asked for by the protocol of tool proxies, in a task that is made when there is none', async () => {
    let isThere = false
    const { outside, service } = await ports({ RAG_SERVICE_URL: '' }, ({ url }) => {
      if (url.pathname === '/api/task/create') isThere = true
      if (isThere) return answered({ data: { results: [] } })
      return answered({ success: false, error: 'Task toolyard_papers not found' })
    })
    expect(await outside.papers.searchAbstracts({ ...asked, year: '2023' }, signal)).toEqual({ results: [] })
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/tool/execute',
      'POST /api/task/create?task_id=toolyard_papers&task_name=Paper+searches',
      'POST /api/tool/execute',
    ])
    expect(JSON.parse(service.requests[2]?.body ?? '')).toEqual({
      task_id: 'toolyard_papers',
      tool_name: 'rag_search_abstracts_filtered',
      params: { query: 'a', k: 10, m: 5, publish_year_filter: '2023' },
    })
  })

  it('that cannot be reached are said to, and health says so without failing', async () => {
    const { outside, service } = await ports({ RAG_SERVICE_URL: '' }, () => answered({}))
    await service.stop()
    expect(await failureOf(outside.papers.stats(signal))).toEqual({
      code: 'upstream',
      message: 'the paper service (RAG_SERVICE_URL) cannot be reached; try again later',
    })
    expect(await outside.papers.health(signal)).toMatchObject({ status: 'unhealthy' })
  })

  it('tell a paper that is not there from a call that is wrong and from a service that fails', async () => {
    const failing = async (error: string) =>
      failureOf(
        (await ports({ RAG_SERVICE_URL: '' }, () => answered({ success: false, error }))).outside.papers.paper(
          'x',
          signal,
        ),
      )
    expect(await failing('Paper not found: x')).toEqual({ code: 'not_found', message: 'Paper not found: x' })
    expect(await failing('query is required')).toMatchObject({ code: 'invalid_input' })
    expect(await failing(`boom\n  at line 3 of ${KEY}`)).toEqual({ code: 'upstream', message: 'boom' })
    expect(await failing('')).toMatchObject({ message: expect.stringContaining('does not say why') })
  })
})
