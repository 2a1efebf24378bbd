import { describe, expect, it } from 'vitest'
import {
  CELLS_MAX,
  CHARACTERS_MAX,
  COLOURED_MAX,
  notebookOf,
  OUTPUTS_IN_ALL_MAX,
  OUTPUTS_MAX,
} from '../../../src/console/pages/session/files/views/notebook-cells.ts'

const stream = (text: string) => ({ output_type: 'stream', name: 'stdout', text })
const code = (source: string, outputs: readonly object[]) => ({ cell_type: 'code', source, outputs })
const read = (cells: readonly object[]) => {
  const notebook = notebookOf(JSON.stringify({ cells }))
  if (!notebook) throw new Error('no notebook')
  const outputs = notebook.cells.flatMap((cell) => (cell.kind === 'code' ? cell.outputs : []))
  const tokens = notebook.cells.flatMap((cell) => (cell.kind === 'code' ? cell.tokens : []))
  const runs = outputs.flatMap((output) => (output.kind === 'text' ? output.runs : []))
  return { ...notebook, outputs, tokens, runs }
}

describe('a notebook', () => {
  it('has its cells with their outputs', () => {
    const picture = { output_type: 'display_data', data: { 'image/png': ['AA', '\nBB'], 'text/plain': 'a picture' } }
    const nothing = { output_type: 'display_data', data: { 'text/html': '<b>x</b>' } }
    const error = { output_type: 'error', traceback: ['\u001b[31mwrong', 'here'] }
    const cells = [{ cell_type: 'markdown', source: ['# A', ' heading'] }, code('1', [picture, nothing, error])]
    expect(read(cells).cells).toEqual([
      { kind: 'prose', text: '# A heading', isCut: false },
      {
        kind: 'code',
        text: '1',
        tokens: [{ text: '1', kind: 'number' }],
        isCut: false,
        outputs: [
          { kind: 'picture', address: 'data:image/png;base64,AABB' },
          { kind: 'text', runs: [{ text: 'wrong\nhere', look: 'ansi-red' }], isCut: false },
        ],
        outputsLeft: 0,
      },
    ])
  })

  it.each(['no JSON', '{}', '[]', '{"cells":{}}', 'null'])('is not %j', (text) => {
    expect(notebookOf(text)).toBe(null)
  })

  it('has as many cells and outputs as are drawn, and says how many are left out', () => {
    const one = read([
      code(
        '',
        Array.from({ length: 70_000 }, () => stream('a')),
      ),
    ])
    expect(one.cells[0]).toMatchObject({ outputsLeft: 70_000 - OUTPUTS_MAX })
    expect(one.outputs).toHaveLength(OUTPUTS_MAX)

    const many = read(
      Array.from({ length: CELLS_MAX + 7 }, () => code('', [stream('a'), stream('b'), stream('c'), stream('d')])),
    )
    expect(many.cells).toHaveLength(CELLS_MAX)
    expect(many.cellsLeft).toBe(7)
    expect(many.outputs).toHaveLength(OUTPUTS_IN_ALL_MAX)
    expect(many.cells.at(-1)).toMatchObject({ outputs: [], outputsLeft: 4 })
  })

  it('has texts up to a length, and says where one was longer', () => {
    const long = 'a'.repeat(CHARACTERS_MAX + 1)
    const { cells } = read([{ cell_type: 'raw', source: long }, code(long, [stream(long)])])
    expect(cells).toMatchObject([{ isCut: true }, { isCut: true, outputs: [{ isCut: true }] }])
    expect(read([code('a', [stream('a'.repeat(CHARACTERS_MAX))])]).outputs).toMatchObject([{ isCut: false }])
  })

  it('has a bounded number of coloured pieces in all its cells, and all of their text', () => {
    const source = '1 '.repeat(CHARACTERS_MAX / 2)
    const output = '\u001b[31ma\u001b[32mb'.repeat(CHARACTERS_MAX / 12)
    const { tokens, runs } = read(Array.from({ length: 20 }, () => code(source, [stream(output)])))
    expect(tokens.length + runs.length).toBeLessThan(COLOURED_MAX + 100)
    expect(tokens.map(({ text }) => text).join('')).toBe(source.repeat(20))
    expect(runs.map(({ text }) => text).join('')).toHaveLength(20 * 2 * Math.floor(CHARACTERS_MAX / 12))
  })
})
