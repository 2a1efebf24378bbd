import { type AnsiRun, ansiRunsOf } from '../../../../parts/ansi-runs.ts'
import { type Token, tokensOf } from './tokens.ts'

/** A notebook as far as it is drawn. */
export interface NotebookCells {
  readonly cells: readonly Cell[]
  /** How many cells of the notebook are left out. */
  readonly cellsLeft: number
}

export type Cell =
  | { readonly kind: 'prose'; readonly text: string; readonly isCut: boolean }
  | {
      readonly kind: 'code'
      readonly text: string
      readonly tokens: readonly Token[]
      readonly isCut: boolean
      readonly outputs: readonly Output[]
      /** How many outputs of the cell are left out. */
      readonly outputsLeft: number
    }

export type Output =
  /** `address` is a `data:` URL. */
  | { readonly kind: 'picture'; readonly address: string }
  | { readonly kind: 'text'; readonly runs: readonly AnsiRun[]; readonly isCut: boolean }

/** Cells that are drawn, outputs of one cell, and outputs of all cells. */
export const CELLS_MAX = 300
export const OUTPUTS_MAX = 100
export const OUTPUTS_IN_ALL_MAX = 1_000
/** Characters of a cell's source, and of one output, that are drawn. */
export const CHARACTERS_MAX = 20_000
/** Pieces of source and of output in all cells that have colours; what comes after them has none. */
export const COLOURED_MAX = 20_000

/** Types of pictures that an output may show. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif']

type Fields = Readonly<Record<string, unknown>>

/** Cells of a notebook with their outputs; null for a text that is none. Output in HTML or SVG is left out, its text stands for it. */
export function notebookOf(text: string): NotebookCells | null {
  const cells = listOf(text)
  if (!cells) return null
  const left: Left = { outputs: OUTPUTS_IN_ALL_MAX, coloured: COLOURED_MAX }
  return {
    cells: cells.slice(0, CELLS_MAX).map((cell) => cellOf(cell, left)),
    cellsLeft: Math.max(0, cells.length - CELLS_MAX),
  }
}

/** Outputs and coloured pieces that the cells to come may still have. */
interface Left {
  outputs: number
  coloured: number
}

function cellOf(cell: Fields, left: Left): Cell {
  const source = joined(cell.source)
  const text = source.slice(0, CHARACTERS_MAX)
  const isCut = source.length > CHARACTERS_MAX
  if (cell.cell_type !== 'code') return { kind: 'prose', text, isCut }
  const tokens = tokensOf(text, 'py', left.coloured)
  left.coloured -= tokens.length
  const all = Array.isArray(cell.outputs) ? cell.outputs : []
  const outputs: Output[] = []
  const most = Math.min(all.length, OUTPUTS_MAX, left.outputs)
  for (const each of all.slice(0, most)) {
    const output = outputOf(fieldsOf(each), left)
    if (output) outputs.push(output)
  }
  left.outputs -= most
  return { kind: 'code', text, tokens, isCut, outputs, outputsLeft: all.length - most }
}

function outputOf(output: Fields, left: Left): Output | null {
  const data = fieldsOf(output.data)
  const picture = PICTURES.find((type) => typeof data[type] === 'string' || Array.isArray(data[type]))
  if (picture) {
    return { kind: 'picture', address: `data:${picture};base64,${joined(data[picture]).replace(/\s/g, '')}` }
  }
  const whole = joined(output.text) || joined(data['text/plain']) || joined(output.traceback, '\n')
  if (!whole) return null
  const runs = ansiRunsOf(whole.slice(0, CHARACTERS_MAX), left.coloured)
  left.coloured -= runs.length
  return { kind: 'text', runs, isCut: whole.length > CHARACTERS_MAX }
}

function listOf(text: string): readonly Fields[] | null {
  try {
    const { cells } = fieldsOf(JSON.parse(text))
    return Array.isArray(cells) ? cells.map(fieldsOf) : null
  } catch {
    return null
  }
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

function joined(value: unknown, between = ''): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join(between) : ''
}
