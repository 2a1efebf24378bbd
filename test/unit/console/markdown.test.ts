import { describe, expect, it } from 'vitest'
import { blocksOf, runsOf } from '../../../src/console/pages/session/views/markdown-blocks.ts'
import { costOf, expectCost } from '../../support/processor-time.ts'

const TEXT = `# Third *quarter*

Revenue was **12480**,
see [the figures](javascript:alert(1)).

- July: 4180
  - of which \`new\`: 80
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

describe('Markdown of a file', () => {
  it('is read as headings, paragraphs, lists, quotes, tables, code and rules', () => {
    expect(blocksOf(TEXT)).toEqual([
      { kind: 'heading', level: 1, text: 'Third *quarter*' },
      { kind: 'paragraph', text: 'Revenue was **12480**,\nsee [the figures](javascript:alert(1)).' },
      {
        kind: 'list',
        items: [
          { depth: 0, mark: '-', text: 'July: 4180' },
          { depth: 1, mark: '-', text: 'of which `new`: 80' },
          { depth: 0, mark: '1.', text: 'first' },
        ],
      },
      { kind: 'quote', text: 'quoted <b>text</b>' },
      {
        kind: 'table',
        rows: [
          ['a', 'b'],
          ['1', '2'],
        ],
      },
      { kind: 'code', text: '# no heading' },
      { kind: 'rule' },
    ])
  })

  it('has its marks taken away, and an address beside its words', () => {
    expect(runsOf('a **b** `c**` *d* [e](https://f.example "g") ![h](i.png)')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'strong', text: 'b' },
      { kind: 'text', text: ' ' },
      { kind: 'code', text: 'c**' },
      { kind: 'text', text: ' ' },
      { kind: 'em', text: 'd' },
      { kind: 'text', text: ' ' },
      { kind: 'text', text: 'e' },
      { kind: 'address', text: 'https://f.example' },
      { kind: 'text', text: ' ' },
      { kind: 'text', text: 'h' },
      { kind: 'address', text: 'i.png' },
    ])
  })

  it.each([
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
  ])('of %j over and over is read about as fast as any text', async (piece) => {
    const length = 200_000
    const read = (text: string) => () => blocksOf(text).map((block) => ('text' in block ? runsOf(block.text) : block))
    const hostile = piece.repeat(length / piece.length)
    const plain = 'some words of a line\n'.repeat(length / 21)
    await expectCost(read(hostile), { below: async () => 100 * (await costOf(read(plain))) })
  })
})
