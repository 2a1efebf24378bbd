import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { MAX_EDITS, MAX_EDITS_CHARS, MAX_REPLACED_PLACES } from '../../../../src/core/limits/edits.ts'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'
import { toolbench } from '../../../support/toolbench.ts'

/** Decoding, splitting, three searches and a comparison; the product of the lengths would be a hundred thousand passes. */
const FEW_PASSES = 150

async function bench(content: string | Uint8Array = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n') {
  const made = toolbench(catalog)
  await made.put('a.txt', content)
  const edit = (old_text: string, new_text: string, more: object = {}) => ({
    file_path: 'a.txt',
    old_text,
    new_text,
    ...more,
  })
  return {
    ...made,
    edited: (old: string, to: string, more?: object) => made.data('file_edit', edit(old, to, more)),
    refused: (old: string, to: string, more?: object) => made.failure('file_edit', edit(old, to, more)),
    stored: async () => Buffer.from((await made.workspace.read(workspacePath('a.txt'))) ?? ''),
  }
}

describe('file_edit', () => {
  it('replaces a text that stands once, and shows the changed lines with three around', async () => {
    const { edited, content } = await bench()
    expect(await edited('four\nfive', 'FOUR')).toEqual({
      file_path: 'a.txt',
      replacements: 1,
      changed_lines: '    1: one\n    2: two\n    3: three\n    4: FOUR\n    5: six\n    6: seven\n    7: eight',
      total_lines: 7,
      encoding: 'utf-8',
      line_endings: 'LF',
    })
    expect(await content('a.txt')).toBe('one\ntwo\nthree\nFOUR\nsix\nseven\neight\n')
  })

  it('refuses a text that stands more than once, names its lines, and changes nothing', async () => {
    const { refused, content } = await bench('x = 1\ny\nx = 1\n  x = 1\n')
    expect(await refused('x = 1', 'x = 2')).toEqual({
      code: 'conflict',
      message:
        'old_text occurs 3 times in a.txt: lines 1, 3, 4; add lines around it until it occurs once, or give replace_all',
    })
    expect(await content('a.txt')).toBe('x = 1\ny\nx = 1\n  x = 1\n')
  })

  it('takes two places that overlap for two', async () => {
    const { refused } = await bench('abab ab\nababab\n')
    expect((await refused('abab', 'x')).message).toMatch(/^old_text occurs 3 times in a\.txt: lines 1, 2, 2;/)
  })

  it('replaces every place by request, and shows each', async () => {
    const { edited, content } = await bench('x\n1\n2\n3\n4\n5\n6\n7\n8\nx\n')
    const { replacements, changed_lines } = await edited('x', 'y\nz', { replace_all: true })
    expect(replacements).toBe(2)
    expect(changed_lines).toBe(
      '    1: y\n    2: z\n    3: 1\n    4: 2\n    5: 3\n   …\n    8: 6\n    9: 7\n   10: 8\n   11: y\n   12: z',
    )
    expect(await content('a.txt')).toBe('y\nz\n1\n2\n3\n4\n5\n6\n7\n8\ny\nz\n')
  })

  it.each([
    ['white space', '\tif a:\n\t\treturn 1\n', '    if a:\n        return 1'],
    ['white space', '{"a": 1}\n', '{ "a":1 }'],
    ['letter case', 'Hello\nWorld\n', 'hello\nworld'],
  ])('says when only %s differs', async (because, text, old) => {
    const { refused } = await bench(`first\n${text}`)
    const { code, message } = await refused(old, 'x')
    expect(code).toBe('not_found')
    const lines = text.trimEnd().split('\n')
    expect(message).toBe(
      `old_text not found in a.txt; nearest is line 2, which differs only in ${because}:\n${lines.map((line, at) => `    ${at + 2}: ${line}`).join('\n')}`,
    )
  })

  it('shows the nearest lines of a text that is not there', async () => {
    const { refused } = await bench(
      'import os\n\ndef area(width, height):\n    return width * height\n\nprint(area(1, 2))\n',
    )
    expect((await refused('def area(w, height):\n    return w * height\n', 'x')).message).toBe(
      'old_text not found in a.txt; nearest is line 3:\n    3: def area(width, height):\n    4:     return width * height',
    )
    expect((await refused('zzzzzzzzzzzz', 'x')).message).toBe(
      'old_text not found in a.txt, nor anything like it; read the file and copy the text from it',
    )
  })

  it('numbers the nearest line as file_read does, which ends lines at a form feed, too', async () => {
    const { refused } = await bench('one\ftwo\n\u2028\ndef area(width, height):\n')
    expect((await refused('def area(w, height):', 'x')).message).toBe(
      'old_text not found in a.txt; nearest is line 5:\n    5: def area(width, height):',
    )
  })

  it('sees line numbers, and written line breaks, that do not belong to the text', async () => {
    const { refused } = await bench()
    expect((await refused('    2: two\n    3: three', 'x')).message).toBe(
      'old_text not found in a.txt: leave out the line numbers before its lines',
    )
    expect((await refused('two\\nthree', 'x')).message).toBe(
      'old_text not found in a.txt: write its line breaks as line breaks, not as a backslash and n',
    )
  })

  it('refuses an empty old_text, and an edit that changes nothing', async () => {
    const { refused } = await bench('a\r\n')
    expect((await refused('', 'x')).message).toBe(
      'old_text is empty; file_write makes a file, file_replace_lines inserts lines',
    )
    expect((await refused('a\n', 'a\r\n')).message).toMatch(/^old_text and new_text are the same; nothing would change/)
  })

  it('finds text over CRLF, writes CRLF, and leaves every other line as it is', async () => {
    const { edited, stored } = await bench('one\r\ntwo\r\nthree\nfour\r\n')
    expect(await edited('one\ntwo\nthree', 'one\n2\n2b\nthree')).toMatchObject({ line_endings: 'mixed' })
    expect((await stored()).toString()).toBe('one\r\n2\r\n2b\r\nthree\nfour\r\n')
  })

  it.each([
    ['CR', 'a\rb\rc\r', 'a\rX\rY\rc\r'],
    ['CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nX\r\nY\r\nc\r\n'],
    ['LF', 'a\nb\nc', 'a\nX\nY\nc'],
  ])('keeps %s', async (line_endings, before, after) => {
    const { edited, stored } = await bench(before)
    expect(await edited('b', 'X\r\nY')).toMatchObject({ line_endings })
    expect((await stored()).toString()).toBe(after)
  })

  it('keeps the number of lines where a carriage return meets a new line break', async () => {
    const { edited, stored } = await bench('a\r\n\rb\r\nc\r\n')
    const { notes } = await edited('b', '\nB')
    expect(notes).toBeUndefined()
    expect((await stored()).toString()).toBe('a\r\n\r\r\nB\r\nc\r\n')
    const mixed = await bench('a\rb\nc\nd\n')
    expect(await mixed.edited('b', '\nB')).toMatchObject({ notes: [expect.stringMatching(/mixed line breaks/)] })
    expect(await mixed.content('a.txt')).toBe('a\n\nB\nc\nd\n')
  })

  it('keeps the mark of the encoding, and a missing last line break, and names it', async () => {
    const { edited, stored } = await bench('\ufeffone\ntwo')
    expect(await edited('one', '1')).toMatchObject({ encoding: 'UTF-8-SIG', final_newline: false })
    expect((await stored()).toString()).toBe('\ufeff1\ntwo')
    const wide = await bench(Buffer.from('\ufeffone\r\ntwo\r\n', 'utf16le'))
    expect(await wide.edited('one\ntwo', '1')).toMatchObject({ encoding: 'UTF-16', line_endings: 'CRLF' })
    expect((await wide.stored()).toString('utf16le')).toBe('\ufeff1\r\n')
  })

  const CHINESE = '第一行是中文，编辑以后编码不变\n'

  it.each([
    ['ü', 'GB2312', undefined],
    ['镕', 'GBK', [expect.stringMatching(/^The new text has characters beyond GB2312: the file is GBK now/)]],
    ['ö', 'GB18030', [expect.stringMatching(/^The new text has characters beyond GB2312: the file is GB18030 now/)]],
  ])('says what a GB2312 file with %s has become: %s', async (letter, encoding, notes) => {
    const { edited, stored } = await bench(iconv.encode(CHINESE, 'gb2312'))
    const data = await edited('第一', letter)
    expect([data.encoding, data.notes]).toEqual([encoding, notes])
    expect(iconv.decode(await stored(), 'gb18030')).toBe(CHINESE.replace('第一', letter))
  })

  it('refuses text that the encoding of the file cannot hold, names a character, and writes in another by request', async () => {
    const { refused, edited, content } = await bench(iconv.encode('café à la carte\n', 'latin1'))
    expect(await refused('la', '世')).toEqual({
      code: 'invalid_input',
      message: 'the text has characters that ISO-8859-1 cannot hold, e.g. "世"; give encoding "utf-8"',
    })
    expect(await edited('la', '世', { encoding: 'utf-8' })).toMatchObject({ encoding: 'utf-8' })
    expect(await content('a.txt')).toBe('café à 世 carte\n')
  })

  it('edits through a link, keeps the mode, and refuses what is no text file', async () => {
    const { workspace, data, failure, put, content } = await bench()
    await workspace.commit([{ op: 'link', path: workspacePath('l'), target: 'a.txt' }])
    await workspace.commit([{ op: 'chmod', path: workspacePath('a.txt'), mode: 0o755 }])
    await data('file_edit', { file_path: 'l', old_text: 'one', new_text: '1' })
    expect(await content('a.txt')).toMatch(/^1\ntwo/)
    expect(workspace.stat(workspacePath('l'))?.kind).toBe('link')
    expect(workspace.stat(workspacePath('a.txt'))?.mode).toBe(0o755)
    await put('b', Uint8Array.of(1, 0, 2))
    const edit = (file_path: string) => failure('file_edit', { file_path, old_text: 'x', new_text: 'y' })
    expect((await edit('b')).message).toMatch(/^Cannot read binary file: b/)
    expect((await edit('none')).code).toBe('not_found')
    expect((await edit('../a')).code).toBe('invalid_input')
  })

  it('bounds how much one call replaces, and how large the file becomes', async () => {
    const { refused } = await bench('a'.repeat(MAX_REPLACED_PLACES + 1))
    const all = { replace_all: true }
    expect((await refused('a', 'b', all)).message).toMatch(/^old_text occurs 100001 times; at most 100000 are replaced/)
    const { refused: tooLarge } = await bench('a'.repeat(MAX_REPLACED_PLACES))
    expect((await tooLarge('a', 'b'.repeat(300), all)).message).toMatch(/^the file would have 30000000 characters/)
  })

  it.each([
    ['that nearly fits everywhere', 'a'.repeat(1_000_000), `b${'a'.repeat(100_000)}`],
    ['of white space', ' '.repeat(1_000_000), `${' '.repeat(100_000)}x`],
    ['of empty lines', '\n'.repeat(1_000_000), `${'\n'.repeat(100_000)}x`],
    ['of equal lines', 'abcdefgh\n'.repeat(100_000), `${'abcdefgh\n'.repeat(10_000)}x`],
  ])('costs no more for a text %s than a few passes over the file', async (_, text, old) => {
    const { refused } = await bench(text)
    const { code } = await expectCost(() => refused(old, 'x'), { below: () => FEW_PASSES * plainPassMs(text.length) })
    expect(code).toBe('not_found')
  })
})

describe('several edits of a file', () => {
  const several = (...edits: readonly (readonly [string, string, boolean?])[]) => ({
    file_path: 'a.txt',
    edits: edits.map(([old_text, new_text, replace_all]) => ({ old_text, new_text, replace_all })),
  })

  it('are made in order, each on what the one before it left, and are one change', async () => {
    const { data, content, workspace } = await bench()
    const before = workspace.headSeq()
    const made = await data(
      'file_edit',
      several(['eight\n', '8\n9\n'], ['one\n', '0\none\n'], ['9', 'nine'], ['e', 'E', true]),
    )
    expect(await content('a.txt')).toBe('0\nonE\ntwo\nthrEE\nfour\nfivE\nsix\nsEvEn\n8\nninE\n')
    expect(made).toMatchObject({ replacements: 10, total_lines: 10 })
    expect(made.changed_lines).toMatch(/^ {4}1: 0\n {4}2: onE\n[\s\S]* 10: ninE$/)
    expect(workspace.headSeq()).toBe(before + 1)
  })

  it('are shown by the lines that they have in the end', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}.\n`).join('')
    const { data } = await bench(lines)
    const { changed_lines } = await data(
      'file_edit',
      several(['line 40.', 'X'], ['line 5.\n', ''], ['line 20.', 'a\nb\nc']),
    )
    const shown = String(changed_lines)
    expect(shown).toMatch(/^ {3}41: X$/m)
    expect(shown).toMatch(/^ {3}19: a\n {3}20: b\n {3}21: c$/m)
    expect(shown).not.toMatch(/line (?:30|50)\./)
  })

  it('are made all or none, and the refusal names the one', async () => {
    const { failure, content } = await bench()
    expect(await failure('file_edit', several(['one', '1'], ['eleven', '11']))).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^edit 2: old_text not found in a\.txt[\s\S]*\. Nothing was changed$/),
    })
    expect((await failure('file_edit', several(['one', 'two'], ['two', '2']))).message).toMatch(
      /^edit 2: old_text occurs 2 times in a\.txt: lines 1, 2;/,
    )
    expect(await content('a.txt')).toMatch(/^one\ntwo\n/)
  })

  it('keep the line breaks of the file', async () => {
    const { data, stored } = await bench('a\r\nb\r\nc\r\n')
    await data('file_edit', several(['a\nb\n', 'A\nB\nBB\n'], ['BB\nc', 'C']))
    expect((await stored()).toString()).toBe('A\r\nB\r\nC\r\n')
  })

  it.each([
    [{ file_path: 'a.txt', edits: [{ old_text: 'one' }] }, /^missing required parameter: edits\.0\.new_text/],
    [{ ...several(['one', '1']), old_text: 'two', new_text: '2' }, /^edits and old_text are both given/],
    [{ file_path: 'a.txt', edits: [], new_text: 'x' }, /^missing required parameter: old_text$/],
    [{ file_path: 'a.txt' }, /^missing required parameter: old_text; missing required parameter: new_text$/],
    [several(...Array.from({ length: MAX_EDITS + 1 }, () => ['one', '1'] as const)), /MAX_EDITS/],
  ])('are refused when they are not clear: %j', async (params, message) => {
    const { failure } = await bench()
    expect((await failure('file_edit', params)).message).toMatch(message)
  })

  it('beside empty texts are taken, as clients fill in what is not chosen', async () => {
    const { data, content } = await bench()
    await data('file_edit', { ...several(['one', '1']), old_text: '', new_text: null })
    expect(await content('a.txt')).toMatch(/^1\n/)
  })

  it('of a large file are bounded together', async () => {
    const { failure } = await bench('x'.repeat(MAX_EDITS_CHARS / 10 + 1))
    const edits = several(...Array.from({ length: 10 }, () => ['x', 'y', true] as const))
    expect((await failure('file_edit', edits)).message).toMatch(/at most 9 at once \(MAX_EDITS_CHARS\)/)
  })
})
