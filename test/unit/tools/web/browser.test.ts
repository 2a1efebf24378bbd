import { describe, expect, it } from 'vitest'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { outsideBench } from '../../../support/outside-bench.ts'
import { jsonAnswer, type StandInRequest } from '../../../support/stand-in.ts'

const SERPER = { settings: { SERPER_API_KEY: 'key-of-the-operator' } }
const page = (text: string) => ({
  headers: { 'content-type': 'text/html' },
  body: `<title>P</title><main>${text}</main>`,
})

/** A search that finds pages of the same host, and the pages. `q` says how many are found. */
function aWeb({ url, body, headers }: StandInRequest) {
  if (url.pathname === '/search') {
    const [count, at = ''] = String(JSON.parse(body).q).split(' ')
    if (count === 'down') return { status: 500 }
    const organic = Array.from({ length: Number(count) }, (_, index) => ({
      title: `T${index}`,
      link: `http://${headers.host}/page/${at}${index}`,
      snippet: `S${at}${index}`,
    }))
    return jsonAnswer({ organic })
  }
  if (url.pathname === '/robots.txt') return { status: 404 }
  if (url.pathname === '/page/1') return { status: 410 }
  return page(`<p>${'text '.repeat(url.pathname === '/page/2' ? 5_000 : 60)}of ${url.pathname}</p>`)
}

const bench = () => outsideBench(aWeb, SERPER)

describe('the browser', () => {
  it('finds pages by index, and reads those that are selected', async () => {
    const web = await bench()
    const at = (index: number) => `${web.service.url}/page/${index}`
    expect(await web.data('browser_search', { query: '3' })).toEqual({
      0: { url: at(0), summ: 'S0', title: 'T0' },
      1: { url: at(1), summ: 'S1', title: 'T1' },
      2: { url: at(2), summ: 'S2', title: 'T2' },
    })
    const { text, data } = await web.call('browser_select', { select_ids: [0, 1, '2', 0] })
    expect(data).toEqual({
      0: { url: at(0), title: 'T0', content: expect.stringContaining('of /page/0') },
      1: { url: at(1), title: 'T1', error: expect.stringContaining('410') },
      2: { url: at(2), title: 'T2', content: expect.any(String) },
    })
    expect((data[2] as { content: string }).content).toHaveLength(8_192)
    expect(text).toContain(`[1] T1\n${at(1)}\ncannot be read: `)
  })

  it.each([[2], ['2'], ['[2]'], [[2]]])('takes select_ids as models write it: %j', async (select_ids) => {
    const web = await bench()
    await web.call('browser_search', { query: ['3'] })
    expect(Object.keys(await web.data('browser_select', { select_ids }))).toEqual(['2'])
  })

  it('searches for several things at once, each page once, and keeps twenty', async () => {
    const web = await bench()
    const merged = await web.data('browser_search', { query: ['15 a', '15 b', '15 a', '2 a'] })
    const urls = Object.values(merged).map((found) => (found as { url: string }).url.replace(/.*\//, ''))
    expect(urls).toHaveLength(20)
    expect(urls.slice(0, 4)).toEqual(['a0', 'b0', 'a1', 'b1'])
    const queries = web.service.requests.map(({ body }) => JSON.parse(body).q)
    expect([...new Set(queries)].sort()).toEqual(['15 a', '15 b', '2 a'])
  })

  it('goes on with what can be searched, and fails when nothing can', async () => {
    const web = await bench()
    const { text, data } = await web.call('browser_search', { query: ['down', '1'] })
    expect([Object.keys(data), text]).toEqual([['0'], expect.stringContaining('some searches failed')])
    expect(await web.failure('browser_search', { query: 'down' })).toMatchObject({ code: 'upstream' })
    expect(Object.keys(await web.data('browser_select', { select_ids: 0 }))).toEqual(['0'])
  })

  it.each(['["2 a", "1 b"]', "['2 a', '1 b']"])('takes the text of a list for one: %j', async (query) => {
    const web = await bench()
    expect(Object.values(await web.data('browser_search', { query }))).toMatchObject([
      { summ: 'Sa0' },
      { summ: 'Sb0' },
      { summ: 'Sa1' },
    ])
    expect(await web.data('browser_search', { query: '[2' })).toEqual({})
  })

  it('says what to do when there is nothing to select', async () => {
    const web = await bench()
    const none = { code: 'not_found', message: 'No search results to select from. Call search first.' }
    expect(await web.failure('browser_select', { select_ids: [0] })).toEqual(none)
    expect(await web.data('browser_search', { query: '0' })).toEqual({})
    expect(await web.failure('browser_select', { select_ids: [0] })).toEqual(none)
    await web.call('browser_search', { query: '2' })
    expect((await web.failure('browser_select', { select_ids: [2] })).message).toBe(
      'there is no result 2; the last search found 0 to 1',
    )
    expect(await web.data('browser_select', { select_ids: [2, 0] })).toEqual({
      0: { url: expect.any(String), title: 'T0', content: expect.any(String) },
      2: { error: 'there is no result 2; the last search found 0 to 1' },
    })
    expect((await web.failure('browser_select', { select_ids: [0, 1, 2, 3, 4] })).message).toContain('at most 4')
    expect((await web.failure('browser_select', { select_ids: 'first' })).message).toContain('e.g. [0, 2]')
    expect((await web.failure('browser_search', { query: ['a', 'b', 'c', 'd', 'e', 'f'] })).message).toContain(
      'MAX_BROWSER_QUERIES',
    )
    expect((await web.failure('browser_search', { query: [' '] })).message).toBe('query is required')
  })

  it('opens a page, and answers with the reason where it cannot', async () => {
    const web = await bench()
    expect(await web.data('browser_open_url', { url: `${web.service.url}/page/0` })).toEqual({
      type: 'text',
      content: expect.stringContaining('of /page/0'),
    })
    for (const url of [`${web.service.url}/page/1`, 'http://169.254.169.254/', 'file:///etc/passwd', 'no url']) {
      expect([url, await web.data('browser_open_url', { url })]).toEqual([url, { error: expect.any(String) }])
    }
  })

  it('leaves no file in the task, and keeps results however odd they are', async () => {
    const odd = '"\\\u0000\u2028'.repeat(500)
    const organic = Array.from({ length: 100 }, (_, at) => ({
      title: odd,
      link: `https://x/${at}/${'x'.repeat(1_480)}`,
      snippet: odd,
    }))
    const web = await outsideBench(() => jsonAnswer({ organic }), SERPER)
    expect(Object.keys(await web.data('browser_search', { query: 'x' }))).toHaveLength(20)
    expect(web.workspace.list(workspacePath(''), {}).entries).toEqual([])
  })
})
