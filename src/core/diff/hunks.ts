import { type Hunk, NO_BREAK } from './file-diff.ts'
import { type DiffWork, diffLines, type Replaced } from './line-diff.ts'

/** Unchanged lines around a change, as `diff -u` and git show them. */
const CONTEXT_LINES = 3

/** Hunks of the differences between two texts, as in a unified diff. */
export function hunksOf(before: string, after: string, work: DiffWork): Hunk[] {
  const old = linesOf(before)
  const now = linesOf(after)
  return grouped(diffLines(old, now, work)).map((runs) => hunk(old, now, runs))
}

/** Number of characters of a hunk in a unified diff. */
export const hunkChars = ({ lines }: Hunk) => lines.reduce((chars, line) => chars + line.length + 1, HEADER_CHARS)

const HEADER_CHARS = 40

/** Lines with their breaks: a last line without one differs from the same line with one. */
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])]
}

/** Runs whose surrounding lines touch each other, together. */
function grouped(runs: readonly Replaced[]): Replaced[][] {
  const groups: Replaced[][] = []
  for (const run of runs) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && run.oldAt - (last.oldAt + last.oldLength) <= 2 * CONTEXT_LINES) group.push(run)
    else groups.push([run])
  }
  return groups
}

function hunk(old: readonly string[], now: readonly string[], runs: readonly Replaced[]): Hunk {
  const [first, last] = [runs[0], runs.at(-1)]
  if (!first || !last) throw new Error('a hunk has a change')
  const oldFrom = Math.max(0, first.oldAt - CONTEXT_LINES)
  const newFrom = first.newAt - (first.oldAt - oldFrom)
  const oldEnd = Math.min(old.length, last.oldAt + last.oldLength + CONTEXT_LINES)
  const newEnd = last.newAt + last.newLength + (oldEnd - last.oldAt - last.oldLength)
  const lines: string[] = []
  const add = (sign: string, text: readonly string[], from: number, to: number) => {
    for (let at = from; at < to; at++) {
      const line = text[at] ?? ''
      if (line.endsWith('\n')) lines.push(sign + line.slice(0, -1))
      else lines.push(sign + line, NO_BREAK)
    }
  }
  let at = oldFrom
  for (const { oldAt, oldLength, newAt, newLength } of runs) {
    add(' ', old, at, oldAt)
    add('-', old, oldAt, oldAt + oldLength)
    add('+', now, newAt, newAt + newLength)
    at = oldAt + oldLength
  }
  add(' ', old, at, oldEnd)
  const [oldLines, newLines] = [oldEnd - oldFrom, newEnd - newFrom]
  // Of no lines, the number is that of the line before.
  return {
    oldStart: oldFrom + (oldLines > 0 ? 1 : 0),
    oldLines,
    newStart: newFrom + (newLines > 0 ? 1 : 0),
    newLines,
    lines,
  }
}
