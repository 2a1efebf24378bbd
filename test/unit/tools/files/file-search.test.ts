import { describe, expect, it } from 'vitest'
import { DEFAULT_FOUND_LINES, MAX_FOUND_LINES } from '../../../../src/core/limits/finding.ts'
import { MAX_MATCHES_PER_LINE, MAX_SEARCH_CHARS, MAX_SHOWN_LINE_CHARS } from '../../../../src/core/limits/workspace.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

const search = (search_text: string, more: object = {}) => ({ file_path: 'a.txt', search_text, ...more })

describe('file_search', () => {
  it('gives lines and places, overlapping ones too, and says so when there are none', async () => {
    const { data, call, put } = toolbench(catalog)
    await put('a.txt', 'aAa\r\nb\r\nba')
    expect(await data('file_search', search('aa'))).toMatchObject({
      total_matches: 1,
      total_lines: 3,
      matches: [{ line_number: 1, line_content: 'aAa', match_positions: [0, 1] }],
    })
    expect(await data('file_search', search('a', { case_sensitive: 'True' }))).toMatchObject({
      matches: [{ match_positions: [0, 2] }, { line_number: 3, match_positions: [1] }],
    })
    await put('form.txt', 'a\fb')
    expect(await data('file_search', { file_path: 'form.txt', search_text: 'a' })).toMatchObject({
      total_lines: 2,
      matches: [{ line_content: 'a' }],
    })
    expect((await call('file_search', search('c'))).text).toBe('a.txt does not have "c"')
  })

  it('takes signs of regular expressions as they are', async () => {
    const { data, put } = toolbench(catalog)
    await put('a.txt', 'aaa\n(a+)+$\n')
    expect(await data('file_search', search('(a+)+$'))).toMatchObject({
      total_matches: 1,
      matches: [{ line_number: 2 }],
    })
  })

  it('reads what file_read reads: GBK, and no pictures', async () => {
    const { data, failure, put } = toolbench(catalog)
    await put('a.txt', Uint8Array.from([0xd6, 0xd0, 0xce, 0xc4, 0x0a, 0xd6, 0xd0, 0x0a]))
    const found = await data('file_search', search('文', { encoding: 'gbk' }))
    expect(found).toMatchObject({ matches: [{ line_number: 1, line_content: '中文', match_positions: [1] }] })
    await put('a.png', 'x')
    expect((await failure('file_search', { ...search('x'), file_path: 'a.png' })).message).toMatch(
      /^Cannot read binary/,
    )
  })

  it('shows a bounded number of lines, and of a long line the part around the first place', async () => {
    const { data, put } = toolbench(catalog)
    await put('a.txt', 'x\n'.repeat(MAX_FOUND_LINES + 7))
    const some = await data('file_search', search('x'))
    expect(some).toMatchObject({ total_matches: MAX_FOUND_LINES + 7, truncated: true, next_after: 'a.txt:100' })
    expect(some.matches).toHaveLength(DEFAULT_FOUND_LINES)
    const many = await data('file_search', search('x', { max_matches: 9_999 }))
    expect(many).toMatchObject({ total_matches: MAX_FOUND_LINES + 7, truncated: true })
    expect(many.matches).toHaveLength(MAX_FOUND_LINES)
    await put('a.txt', `${'-'.repeat(100_000)}needle${'-'.repeat(100_000)}needle`)
    const { matches } = (await data('file_search', search('needle'))) as {
      matches: { line_content: string; match_positions: number[]; content_offset: number }[]
    }
    const [match] = matches
    expect(match?.line_content).toHaveLength(MAX_SHOWN_LINE_CHARS)
    expect(match?.match_positions).toEqual([100_000, 200_006])
    expect(match?.line_content.indexOf('needle')).toBe(100_000 - (match?.content_offset ?? 0))
  })

  it('is soon done with a hostile file and text', async () => {
    const { data, failure, put } = toolbench(catalog)
    await put('a.txt', 'a'.repeat(10_000_000))
    const most = await data('file_search', search('a'.repeat(MAX_SEARCH_CHARS)))
    expect(most).toMatchObject({ total_matches: 1, matches: [{ match_positions: { length: MAX_MATCHES_PER_LINE } }] })
    expect(await data('file_search', search(`b${'a'.repeat(MAX_SEARCH_CHARS - 1)}`))).toMatchObject({
      total_matches: 0,
    })
    expect(await data('file_search', search(`${'a'.repeat(MAX_SEARCH_CHARS - 1)}b`))).toMatchObject({
      total_matches: 0,
    })
    expect((await failure('file_search', search('a'.repeat(MAX_SEARCH_CHARS + 1)))).message).toMatch(/MAX_SEARCH_CHARS/)
  })
})

describe('file_search in a file, its matches cut', () => {
  it('goes on behind next_after until each line was shown once, and counts all each time', async () => {
    const { data, put } = toolbench(catalog)
    await put('a.txt', 'hit\nmiss\nhit\nhit\nhit\n')
    for (const regex of [false, true]) {
      const seen: unknown[] = []
      let after: unknown
      do {
        const page = (await data('file_search', search('hit', { max_matches: 2, regex, after }))) as {
          readonly matches: readonly { readonly line_number: number }[]
          readonly total_matches: number
          readonly next_after?: string
        }
        expect(page.total_matches).toBe(4)
        seen.push(page.matches.map(({ line_number }) => line_number))
        after = page.next_after
      } while (after !== undefined)
      expect(seen).toEqual([
        [1, 3],
        [4, 5],
      ])
    }
  })

  it('says how many lines are left and how to go on', async () => {
    const { data, call, put } = toolbench(catalog)
    await put('a.txt', 'hit\n'.repeat(9))
    const notes = ['and 7 more lines; go on with after "a.txt:2"']
    expect(await data('file_search', search('hit', { max_matches: 2 }))).toMatchObject({ truncated: true, notes })
    expect((await call('file_search', search('hit', { max_matches: 2 }))).text).toContain(`[${notes[0]}, or`)
  })

  it('refuses to go on behind a line of another file', async () => {
    const { failure, put } = toolbench(catalog)
    await put('a.txt', 'hit\n')
    expect(await failure('file_search', search('hit', { after: 'b.txt:2' }))).toEqual({
      code: 'invalid_input',
      message: 'after is no line of this file, such as "a.txt:12"',
    })
  })
})

describe('file_search that finds nothing', () => {
  it.each(['ERROR.*worker-3', 'write_log|getUserName', 'need(le|y)', '\\d+', '^hit', '[a-z]+x'])(
    'says that it took %s for plain text',
    async (search_text) => {
      const { data, put } = toolbench(catalog)
      await put('a.txt', 'nothing\n')
      const notes = ['searched as plain text; regex=true searches by pattern']
      expect(await data('file_search', search(search_text))).toMatchObject({ total_matches: 0, notes })
      expect(await data('file_search', { search_text })).toMatchObject({ total_matches: 0, notes })
    },
  )

  it.each(['run', 'a.b', 'get_user_name', 'print("x")', 'Why?', '$5', 'x = 1'])(
    'says nothing of the kind about %s',
    async (search_text) => {
      const { data, put } = toolbench(catalog)
      await put('a.txt', 'nothing\n')
      expect(await data('file_search', { search_text })).not.toHaveProperty('notes')
    },
  )

  it('says that it took a call with brackets for a regular expression', async () => {
    const { data, put } = toolbench(catalog)
    await put('a.txt', 'log.write()\n')
    expect(await data('file_search', { search_text: 'log.write()$', regex: true })).toMatchObject({
      notes: ['searched by a regular expression; regex=false searches for the text as it is written'],
    })
  })

  it.each([
    [{ output_mode: 'count' }],
    [{ output_mode: 'files_with_matches' }],
    [{ output_mode: 'count', regex: true }],
  ])('counts the lines of a large log without showing one: %j', async (more) => {
    const { call, put } = toolbench(catalog)
    await put('a.log', 'INFO x\nERROR y\n'.repeat(3_000))
    const { data, text } = await call('file_search', { file_path: 'a.log', search_text: 'ERROR', ...more })
    expect(data).toMatchObject({ total_matches: 3_000, total_lines: 6_000, matches: [] })
    expect(data).not.toHaveProperty('truncated')
    expect(text).toBe('3000 lines of 6000 in a.log')
  })
})
