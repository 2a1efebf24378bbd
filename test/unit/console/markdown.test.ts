import { describe, expect, it } from 'vitest'
import {
  COLUMNS_MAX,
  LINES_MAX,
  type Markdown,
  markdownOf,
  PIECES_MAX,
  ROWS_MAX,
  type Run,
} from '../../../src/console/pages/session/files/views/markdown-blocks.ts'
import { costOf, expectCost } from '../../support/processor-time.ts'

const TEXT = `# Third *quarter*

Revenue was **12480**,
see [the figures](javascript:alert(1)).

- July: 4180
  - of which \`new\`: 80
    and more
1. first

> quoted <b>text</b>

| a | b |
|---|---|
| 1 | 2 |

\`\`\`js
# no heading
\`\`\`
---
`

const run = (text: string, kind: Run['kind'] = 'text'): Run => ({ kind, text })

/** Runs of a text of one paragraph. */
function runsOf(text: string): readonly Run[] {
  const [block] = markdownOf(text).blocks
  return block?.kind === 'paragraph' ? block.runs : []
}

/** Texts and arrays of arrays in it: at least as many as there are elements on the page. */
function piecesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, part) => sum + piecesOf(part), 'text' in value ? 1 : 0) + 1
}

const LENGTH = 1_000_000
const filled = (piece: string, start = '') => start + piece.repeat(LENGTH / piece.length)

describe('Markdown of a file', () => {
  it('is read as headings, paragraphs, lists, quotes, tables, code and rules', () => {
    expect(markdownOf(TEXT)).toEqual({
      blocks: [
        { kind: 'heading', level: 1, runs: [run('Third '), run('quarter', 'em')] },
        {
          kind: 'paragraph',
          runs: [run('Revenue was '), run('12480', 'strong'), run(',\nsee [the figures](javascript:alert(1)).')],
        },
        {
          kind: 'list',
          items: [
            { depth: 0, mark: '-', runs: [run('July: 4180')] },
            { depth: 1, mark: '-', runs: [run('of which '), run('new', 'code'), run(': 80\nand more')] },
            { depth: 0, mark: '1.', runs: [run('first')] },
          ],
        },
        { kind: 'quote', runs: [run('quoted <b>text</b>')] },
        {
          kind: 'table',
          rows: [
            [[run('a')], [run('b')]],
            [[run('1')], [run('2')]],
          ],
        },
        { kind: 'code', text: '# no heading' },
        { kind: 'rule' },
      ],
      isCut: false,
    } satisfies Markdown)
  })

  it('has its marks taken away, and an address beside its words', () => {
    expect(runsOf('a **b** `c**` *d* [e](https://f.example "g") ![h](i.png)')).toEqual([
      run('a '),
      run('b', 'strong'),
      run(' '),
      run('c**', 'code'),
      run(' '),
      run('d', 'em'),
      run(' '),
      run('e'),
      run('https://f.example', 'address'),
      run(' '),
      run('h'),
      run('i.png', 'address'),
    ])
  })

  it('is drawn up to rows and columns of a table, and goes on behind it', () => {
    const wide = `${'a|'.repeat(COLUMNS_MAX + 1)}\n-|\n\nbehind`
    const long = `a|b\n-|-\n${'c|d\n'.repeat(ROWS_MAX + 1)}\nbehind`
    for (const text of [wide, long]) {
      const { blocks, isCut } = markdownOf(text)
      expect(isCut).toBe(true)
      expect(blocks.at(-1)).toEqual({ kind: 'paragraph', runs: [run('behind')] })
    }
    const fits = `${'a|'.repeat(COLUMNS_MAX)}\n-|\n${'c|d\n'.repeat(ROWS_MAX)}`
    expect(markdownOf(fits).isCut).toBe(false)
  })

  it.each([
    ['columns', filled('|', 'a|\n-|\n')],
    ['rows', filled('a|b\n', 'a|\n-|\n')],
    ['wide rows', filled(`${'|'.repeat(COLUMNS_MAX)}\n`, 'a|\n-|\n')],
    ['items', filled('- a\n')],
    ['items of lines', filled('- a\n  *b*\n')],
    ['runs', filled('*a*')],
    ['runs of quotes', filled('> `a`\n')],
    ['paragraphs', filled('a\n\n')],
    ['lines of a paragraph', filled('a\n')],
    ['lines of code', filled('a\n', '```\n')],
    ['tables', filled('a|\n-|\n\n')],
    ['rules', filled('---\n')],
  ])('of any number of %s has a bounded number of pieces, and says that it was cut', (_, text) => {
    const { blocks, isCut } = markdownOf(text)
    expect(isCut).toBe(true)
    expect(piecesOf(blocks)).toBeLessThan(4 * PIECES_MAX)
    expect(JSON.stringify(blocks).split('\\n').length).toBeLessThanOrEqual(LINES_MAX)
    expect(blocks.length).toBeGreaterThan(0)
  })

  const hostilePieces = [
    '[',
    '](',
    '`',
    '``x`',
    '*',
    '**a',
    '__',
    '# ',
    '# x ',
    '> ',
    '- ',
    '|',
    '---',
    '```\n',
    '\n- x\n  ',
    '[a](b',
    `![](${'a'.repeat(2_200)}`,
    `[](${'a'.repeat(1_999)} ${'a'.repeat(250)}`,
  ]
  const named = hostilePieces.map((piece) => ({ piece, start: JSON.stringify(piece.slice(0, 20)) }))
  it.each(named)('of $start over and over is read about as fast as any text', async ({ piece }) => {
    const length = 200_000
    const hostile = piece.repeat(length / piece.length)
    const plain = 'some words of a line\n'.repeat(length / 21)
    // All twenty are measured: the clock is too coarse for one.
    const twenty = () => Array.from({ length: 20 }, () => markdownOf(plain))
    await expectCost(() => markdownOf(hostile), { below: () => costOf(twenty) })
  })
})
