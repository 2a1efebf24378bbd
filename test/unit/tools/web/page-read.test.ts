import { describe, expect, it } from 'vitest'
import { MAX_PAGE_LINKS, MAX_PAGE_TEXT_CHARS } from '../../../../src/core/limits/web.ts'
import type { Http } from '../../../../src/ports/http.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

/** A web that has this under every address but robots.txt. */
function aWeb(body: string, type: string) {
  const http: Http = {
    fetch: async ({ url }) => ({
      status: url.endsWith('/robots.txt') ? 404 : 200,
      headers: new Headers({ 'Content-Type': type }),
      url,
      body: new TextEncoder().encode(body),
    }),
    open: async () => {
      throw new Error('not asked for here')
    },
  }
  const search = {
    search: async (query: string, count: number) =>
      Array.from({ length: query === 'nothing' ? 0 : count + 2 }, (_, at) => ({
        title: `${query} ${at}`,
        url: `https://example.com/${at}`,
        description: 'd',
      })),
  }
  return toolbench(catalog, {}, { http, search, browser: { render: async () => null } })
}

const html = (body: string) => aWeb(`<title>T</title><body>${body}</body>`, 'text/html')
const URL_OF_PAGE = 'https://example.com/dir/page'
const read = async (web: ReturnType<typeof aWeb>) => (await web.call('page_read', { url: URL_OF_PAGE })).text

describe('page_read', () => {
  it('gives text without addresses, and each link once below it, of menus too', async () => {
    const text = await read(
      html(
        '<nav><a href="/menu">Menu</a><a href="/menu">Menu</a></nav><p>See <a href="b">that <i>page</i></a>.</p>' +
          '<a href="javascript:x()">no</a><a href="/img"><img src="x.png"></a>',
      ),
    )
    expect(text).toMatch(/^T\nSee that \*page\*\.\n/)
    expect(text).not.toContain('](')
    expect(text).toMatch(
      /\n\nLinks:\nMenu \(https:\/\/example\.com\/menu\)\nthat page \(https:\/\/example\.com\/dir\/b\)\n$/,
    )
  })

  it('has no list of links where there are none', async () => {
    expect(await read(html(`<p>${'words '.repeat(50)}</p>`))).not.toContain('Links:')
  })

  it('reads tables and data behind a URL', async () => {
    expect(await read(aWeb('{"a": 1}', 'application/json'))).toBe('page\n```json\n{"a": 1}\n```')
    expect(await read(aWeb('a,b\n1,2\n', 'text/csv'))).toContain('| 1 | 2 |')
  })

  it('cuts a long page and a long list of links, and says that the page was cut', async () => {
    const links = Array.from({ length: MAX_PAGE_LINKS + 9 }, (_, at) => `<a href="/${at}">link ${at}</a>`).join(' ')
    const text = await read(html(`<p>${'word '.repeat(40_000)}</p>${links}`))
    const [shown = '', listed = ''] = text.split('\n\nLinks:\n')
    expect(shown).toMatch(/\n\[cut here; the page has \d+ characters\]$/)
    expect(shown.length).toBeLessThan(MAX_PAGE_TEXT_CHARS + 100)
    expect(listed.trimEnd().split('\n')).toHaveLength(MAX_PAGE_LINKS)
  })

  it('says what cannot be read', async () => {
    const { failure } = aWeb('\0\0', 'image/png')
    expect(await failure('page_read', { url: URL_OF_PAGE })).toMatchObject({ code: 'invalid_input' })
  })
})

describe('search_and_read', () => {
  it('reads as many pages as were asked for, up to a limit', async () => {
    const web = html('<p>text</p>')
    const count = async (num_results?: unknown) =>
      ((await web.data('search_and_read', { query: 'q', num_results })).results as unknown[]).length
    expect([await count(), await count('2'), await count(0), await count(99)]).toEqual([3, 2, 1, 5])
  })

  it('says so when nothing is found', async () => {
    expect(await html('').failure('search_and_read', { query: 'nothing' })).toEqual({
      code: 'not_found',
      message: 'nothing found for nothing; try other words',
    })
  })
})
