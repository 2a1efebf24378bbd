import { DiffLines } from '../../parts/diff-lines.tsx'
import { Text } from '../../parts/text.tsx'

/** Lines of each side that are compared; longer texts are shown one after the other. */
const LINES_MAX = 1_500

/** Lines of a value's JSON. */
export const linesOf = (value: unknown): readonly string[] => JSON.stringify(value, null, 2).split('\n')

interface TextDiffProps {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Two texts of which one became the other, with lines that stayed around those that did not. */
export function TextDiff({ before, after }: TextDiffProps) {
  const lines = withContext(diffOf(before, after))
  if (lines.length === 0) return <p class="soft">The definitions are the same.</p>
  return (
    <Text class="text diff">
      <DiffLines lines={lines} />
    </Text>
  )
}

/** Lines with `+`, `-` or a space before each, by the longest common subsequence. */
function diffOf(before: readonly string[], after: readonly string[]): readonly string[] {
  const removed = (line: string) => `-${line}`
  const added = (line: string) => `+${line}`
  if (Math.max(before.length, after.length) > LINES_MAX) return [...before.map(removed), ...after.map(added)]
  const width = after.length + 1
  const common = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      common[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const lines: string[] = []
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    const [old = '', young = ''] = [before[row], after[column]]
    if (row < before.length && column < after.length && old === young) {
      lines.push(` ${old}`)
      row++
      column++
    } else if (row < before.length && (column >= after.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(old))
      row++
    } else {
      lines.push(added(young))
      column++
    }
  }
  return lines
}

/** Lines that stayed which are shown before and after those that did not. */
const CONTEXT = 3

function withContext(lines: readonly string[]): readonly string[] {
  const changed = lines.map((line) => !line.startsWith(' '))
  const isNear = (at: number) => changed.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(Boolean)
  return lines.flatMap((line, at) => (isNear(at) ? [line] : at > 0 && isNear(at - 1) ? [' …'] : []))
}
