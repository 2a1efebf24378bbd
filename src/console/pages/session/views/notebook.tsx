import { AnsiText } from '../../../parts/ansi.tsx'
import { Text } from '../../../parts/text.tsx'
import { Source } from './source.tsx'
import type { TextViewProps } from './text-view.ts'

/** Cells that are drawn. */
const CELLS_MAX = 300
/** Types of pictures that an output may show. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif']

type Fields = Readonly<Record<string, unknown>>

/** A notebook: its cells with their output. Output in HTML or SVG is left out, its text stands for it. */
export function Notebook({ text }: TextViewProps) {
  const cells = cellsOf(text)
  if (!cells) return <Source text={text} ending="json" />
  return (
    <div class="stack">
      {cells.slice(0, CELLS_MAX).map((cell, at) => (
        <Cell key={at} cell={cell} />
      ))}
      {cells.length > CELLS_MAX && <p class="soft">The first {CELLS_MAX} cells.</p>}
    </div>
  )
}

function Cell({ cell }: { readonly cell: Fields }) {
  const source = joined(cell.source)
  if (cell.cell_type !== 'code') return <pre class="prose">{source}</pre>
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.map(fieldsOf) : []
  return (
    <div class="stack cell">
      <Source text={source} ending="py" />
      {outputs.map((output, at) => (
        <Output key={at} output={output} />
      ))}
    </div>
  )
}

function Output({ output }: { readonly output: Fields }) {
  const data = fieldsOf(output.data)
  const picture = PICTURES.find((type) => typeof data[type] === 'string' || Array.isArray(data[type]))
  if (picture) {
    return (
      <img class="picture" alt="Output" src={`data:${picture};base64,${joined(data[picture]).replace(/\s/g, '')}`} />
    )
  }
  const text = joined(output.text) || joined(data['text/plain']) || joined(output.traceback, '\n')
  return text ? (
    <Text>
      <AnsiText text={text} />
    </Text>
  ) : null
}

function cellsOf(text: string): readonly Fields[] | null {
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
