import { useMemo } from 'preact/hooks'
import { AnsiRuns } from '../../../../parts/ansi.tsx'
import { countText } from '../../../../parts/format.ts'
import { Text } from '../../../../parts/text.tsx'
import { CELLS_MAX, type Cell, CHARACTERS_MAX, notebookOf, type Output } from './notebook-cells.ts'
import { Source, SourceLines } from './source.tsx'
import type { TextViewProps } from './text-view.ts'

/** A notebook: its cells with their output. */
export function Notebook({ text }: TextViewProps) {
  const notebook = useMemo(() => notebookOf(text), [text])
  if (!notebook) return <Source text={text} ending="json" />
  return (
    <div class="stack">
      {notebook.cells.map((cell, at) => (
        <CellView key={at} cell={cell} />
      ))}
      {notebook.cellsLeft > 0 && <p class="soft">The first {CELLS_MAX} cells. The rest is in the source.</p>}
    </div>
  )
}

function CellView({ cell }: { readonly cell: Cell }) {
  if (cell.kind === 'prose') {
    return (
      <>
        <pre class="prose">{cell.text}</pre>
        {cell.isCut && <Cut />}
      </>
    )
  }
  const { text, tokens, isCut, outputs, outputsLeft } = cell
  return (
    <div class="stack cell">
      <SourceLines text={text} tokens={tokens} />
      {isCut && <Cut />}
      {outputs.map((output, at) => (
        <OutputView key={at} output={output} />
      ))}
      {outputsLeft > 0 && (
        <p class="soft">
          {outputsLeft === 1 ? 'One more output is' : `${countText(outputsLeft)} more outputs are`} in the source.
        </p>
      )}
    </div>
  )
}

function OutputView({ output }: { readonly output: Output }) {
  if (output.kind === 'picture') return <img class="picture" alt="Output" src={output.address} />
  return (
    <>
      <Text>
        <AnsiRuns runs={output.runs} />
      </Text>
      {output.isCut && <Cut />}
    </>
  )
}

/** Words below a text of which only the beginning is drawn. */
const Cut = () => <p class="soft">The first {countText(CHARACTERS_MAX)} characters. The rest is in the source.</p>
