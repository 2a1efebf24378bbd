import { describe, expect, it } from 'vitest'
import { Output } from '../../../src/cli/output/output.ts'
import { printableJson, printableLine, printableText } from '../../../src/cli/output/printable.ts'
import { tableLines } from '../../../src/cli/output/table.ts'
import { fitted, widthOf } from '../../../src/cli/output/width.ts'

/** What the output prints, in a terminal of so many columns, or in none. */
function printed({
  isJson = false,
  columns,
  env = {},
}: {
  isJson?: boolean
  columns?: number
  env?: Record<string, string>
}) {
  const texts = { stdout: '', stderr: '' }
  const sink = (name: 'stdout' | 'stderr') => ({
    isTTY: columns !== undefined,
    columns,
    write(chunk: string | Uint8Array, done?: () => void) {
      texts[name] += chunk
      done?.()
    },
  })
  return { output: new Output({ stdout: sink('stdout'), stderr: sink('stderr'), isJson, env }), texts }
}

const ROWS = [
  { name: 'lakes', says: 'a\x1b]0;title\x07b\u202e', calls: 5 },
  { name: '湖と川', says: 'x'.repeat(100), calls: 1200 },
]
const COLUMNS = [
  { head: 'NAME', cell: ({ name }: (typeof ROWS)[number]) => name, isWhole: true },
  { head: 'SAYS', cell: ({ says }: (typeof ROWS)[number]) => says },
  { head: 'CALLS', cell: ({ calls }: (typeof ROWS)[number]) => calls, isNumber: true },
]

describe('a table', () => {
  it('fits the terminal: what may be cut is cut, names and numbers are whole', async () => {
    const { output, texts } = printed({ columns: 40, env: { NO_COLOR: '1' } })
    await output.table(ROWS, COLUMNS)
    const lines = texts.stdout.split('\n').slice(0, -1)
    expect(lines.map(widthOf)).toEqual([40, 40, 40])
    expect(lines[0]).toMatch(/^NAME {4}SAYS +CALLS$/)
    expect(lines[2]).toMatch(/^湖と川 {2}x+… {3}1200$/)
  })

  it('is whole where no terminal shows it, and has no colours there', async () => {
    const { output, texts } = printed({})
    await output.table(ROWS, COLUMNS)
    expect(texts.stdout).toContain('x'.repeat(100))
    expect(texts.stdout).not.toContain('\x1b')
  })

  it('has its heading in a style in a terminal, unless NO_COLOR or a dumb terminal says otherwise', async () => {
    for (const [env, isStyled] of [
      [{}, true],
      [{ NO_COLOR: '1' }, false],
      [{ NO_COLOR: '' }, true],
      [{ TERM: 'dumb' }, false],
    ] as const) {
      const { output, texts } = printed({ columns: 80, env })
      await output.table(ROWS, COLUMNS)
      expect([env, texts.stdout.startsWith('\x1b[1m')]).toEqual([env, isStyled])
    }
  })

  it('is as narrow as it can be where the terminal is too narrow for it', () => {
    const lines = tableLines(COLUMNS, [['lakes', 'x'.repeat(50), '5']], 10)
    expect(lines[1]).toBe(`lakes  ${'x'.repeat(7)}…      5`)
  })
})

describe('what others have written', () => {
  it('reaches a terminal without control characters, in tables, lines, errors and notes', async () => {
    const { output, texts } = printed({ columns: 200, env: { NO_COLOR: '1' } })
    await output.table(ROWS, COLUMNS)
    await output.fields({}, [['says', ROWS[0]?.says]])
    await output.item({}, ROWS[0]?.says ?? '')
    await output.error('\x9b31m\nsecond line')
    await output.note('a\rb')
    for (const text of [texts.stdout, texts.stderr]) {
      const others = [...text].filter((character) => /[\p{Cc}\u202a-\u202e]/u.test(character) && character !== '\n')
      expect(others).toEqual([])
    }
    expect(texts.stderr).toBe('error: \\x9b31m\\nsecond line\na\\rb\n')
    expect(texts.stdout).toContain('a\\x1b]0;title\\x07b\\u202e')
  })

  it('keeps line feeds and tabs in texts of several lines, and all letters', () => {
    expect(printableText('a\tb\nü湖👋\x1b')).toBe('a\tb\nü湖👋\\x1b')
    expect(printableLine('a\tb\nc')).toBe('a\\tb\\nc')
  })

  it('is the same value as JSON, of which a terminal does nothing', () => {
    const value = { '\x7f': ['\x9b31m', '\u202e', '\x1b', 'ü'] }
    const text = printableJson(value)
    expect(JSON.parse(text)).toEqual(value)
    expect(/[\p{Cc}\u202e]/u.test(text)).toBe(false)
  })

  it('goes to programs as one document, and as a line for each item of a stream', async () => {
    const { output, texts } = printed({ isJson: true })
    await output.list(ROWS, COLUMNS, 'nothing')
    expect(JSON.parse(texts.stdout)).toEqual(ROWS)
    texts.stdout = ''
    await output.item({ a: '1\n2' }, '')
    await output.item({ a: 3 }, '')
    expect(texts.stdout).toBe('{"a":"1\\n2"}\n{"a":3}\n')
    texts.stdout = ''
    await output.list([], COLUMNS, 'nothing')
    expect([texts.stdout, texts.stderr]).toEqual(['[]\n', ''])
  })
})

it('counts the columns that letters take', () => {
  expect(['abc', '湖', '👋', 'e\u0301', ''].map(widthOf)).toEqual([3, 2, 2, 1, 0])
  expect([fitted('湖湖湖', 5), fitted('abcdef', 3), fitted('abc', 3)]).toEqual(['湖湖…', 'ab…', 'abc'])
})
