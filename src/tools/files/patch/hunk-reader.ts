import { fail } from '../../../core/failure.ts'
import type { Hunk, HunkLine } from './parsed-patch.ts'

/**
 * Reads the hunk whose header is at an index. Its numbers of lines need not be right, as models often miscount: the hunk goes on while
 * lines begin as lines of a hunk do.
 * @param number of the hunk within its file
 * @returns the hunk, the index behind it, and a note when its header has wrong numbers
 */
export function readHunk(lines: readonly string[], at: number, number: number) {
  const header = readHeader(lines[at] ?? '', at)
  const read: HunkLine[] = []
  const left = header && { old: header.oldLines, new: header.newLines }
  let bare = 0
  let next = at + 1
  for (; next < lines.length; next++) {
    const line = lines[next] ?? ''
    const isFull = left !== null && left.old <= 0 && left.new <= 0
    if (line.startsWith('\\')) {
      const last = read.at(-1)
      if (last) last.unended = true
      continue
    }
    const kind = line === '' ? ' ' : line[0]
    if ((kind !== ' ' && kind !== '-' && kind !== '+') || (line === '' && isFull)) break
    if (isNextFile(lines, next, isFull)) break
    read.push({ kind, text: line.slice(1) })
    bare = line === '' ? bare + 1 : 0
    if (left && kind !== '+') left.old--
    if (left && kind !== '-') left.new--
  }
  const isRight = left !== null && left.old === 0 && left.new === 0
  // Empty lines behind the last one, of which a hunk without right numbers does not say whether they belong to it.
  if (!isRight) read.length -= bare
  if (read.every(({ kind }) => kind === ' '))
    fail('invalid_input', `hunk ${number} at line ${at + 1} of the patch has no line with "-" or "+"`)
  const count = (other: '-' | '+') => read.filter(({ kind }) => kind !== other).length
  const isMiscounted = header !== null && (count('+') !== header.oldLines || count('-') !== header.newLines)
  const note = isMiscounted
    ? `says ${header.oldLines} old and ${header.newLines} new lines and has ${count('+')} and ${count('-')}: it was taken as it is.`
    : null
  const hunk: Hunk = { number, oldStart: header?.oldStart ?? null, lines: read }
  return { hunk, next, note }
}

/** Whether the two header lines of another file stand here, and are not lines of a hunk that begin alike. */
const isNextFile = (lines: readonly string[], at: number, isFull: boolean) =>
  (lines[at] ?? '').startsWith('--- ') &&
  (lines[at + 1] ?? '').startsWith('+++ ') &&
  (isFull || (lines[at + 2] ?? '').startsWith('@@'))

/** Numbers of a hunk's header; null for a bare `@@`. */
function readHeader(line: string, at: number) {
  const found = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/.exec(line)
  if (found) {
    const [, oldStart, oldLines = '1', newLines = '1'] = found
    return { oldStart: Number(oldStart), oldLines: Number(oldLines), newLines: Number(newLines) }
  }
  if (/^@@ -/.test(line)) {
    fail(
      'invalid_input',
      `line ${at + 1} of the patch is not a hunk's header; write "@@ -1,3 +1,4 @@", or "@@" alone to have the lines looked for`,
    )
  }
  return null
}
