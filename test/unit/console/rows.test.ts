import { describe, expect, it } from 'vitest'
import { COLUMNS_MAX, ROWS_MAX, rowsOf } from '../../../src/console/pages/session/files/views/rows.ts'
import { tokensOf } from '../../../src/console/pages/session/files/views/tokens.ts'

describe('cells of a table', () => {
  it.each([
    [
      'a,b\n1,2\n',
      ',',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a\tb\r\n1\t2',
      '\t',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['"a,b","say ""hi""","two\nlines"\n', ',', [['a,b', 'say "hi"', 'two\nlines']]],
    [
      'a,,\n,b,',
      ',',
      [
        ['a', '', ''],
        ['', 'b', ''],
      ],
    ],
    ['\n\na\n\n', ',', [['a']]],
    ['"never closed, 1\n2', ',', [['never closed, 1\n2']]],
    ['', ',', []],
  ])('of %j', (text, separator, cells) => {
    expect(rowsOf(text, separator)).toEqual(cells)
  })

  it('are no more than are drawn, and one row more, which says that there are more', () => {
    const wide = `${'x,'.repeat(COLUMNS_MAX + 5)}x\n`
    const rows = rowsOf(wide.repeat(ROWS_MAX + 5), ',')
    expect(rows).toHaveLength(ROWS_MAX + 1)
    expect(rows[0]).toHaveLength(COLUMNS_MAX)
  })
})

describe('colours of source', () => {
  it.each([
    [
      'py',
      'def f(n):  # why\n  return "a#b" + 12',
      ['keyword def', 'comment # why', 'keyword return', 'string "a#b"', 'number 12'],
    ],
    [
      'ts',
      'const s = `a\nb` /* long\none */ // end',
      ['keyword const', 'string `a\nb`', 'comment /* long\none */', 'comment // end'],
    ],
    ['py', '"""doc\nstring"""\nx', ['string """doc\nstring"""']],
    ['txt', 'if 1 "x"', []],
  ])('of %s: %j', (ending, text, coloured) => {
    const tokens = tokensOf(text, ending)
    expect(tokens.map((token) => token.text).join('')).toBe(text)
    expect(tokens.flatMap((token) => (token.kind ? [`${token.kind} ${token.text}`] : []))).toEqual(coloured)
  })
})
