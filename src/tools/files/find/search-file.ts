import { MAX_MATCHES_PER_LINE } from '../../../core/limits/workspace.ts'
import { occurrences, unitsOf } from '../../../core/occurrences.ts'
import { splitLines, withoutBreak } from '../lines.ts'
import { matchingLines } from '../pattern/matching-lines.ts'
import type { WorkMeter } from '../pattern/work-meter.ts'
import { compileQuery, type Query } from './query.ts'
import { placesIn } from './search-files.ts'
import { charsOf, type Match, matchOf, withContext } from './shown-line.ts'

/** Lines of one text that match. */
export interface LinesOfFile {
  readonly matches: readonly Match[]
  /** Number of all lines that match. */
  readonly total: number
  /** Number of those behind the last one shown. */
  readonly left: number
  readonly totalLines: number
  /** Whether the search was given up before the end of the text, since it took too long. */
  readonly unfinished: boolean
}

export interface FileQuery extends Query {
  readonly context: number
  readonly max_matches: number
  readonly max_chars: number
  /** Matches up to this line are counted only. */
  readonly behind: number
  /** True when all are counted only. */
  readonly isCounting: boolean
}

/** Length of a text up to which the engine's own search is linear, whatever the texts. */
const MAX_INDEXED_CHARS = 200

/** Searches one text, with universal newlines. @throws FailureError for a regular expression that cannot be used */
export async function searchFile(
  text: string,
  query: FileQuery,
  meter: WorkMeter,
  signal: AbortSignal,
): Promise<LinesOfFile> {
  const lines = splitLines(text).map(withoutBreak)
  const matches: Match[] = []
  let total = 0
  let left = 0
  let chars = 0
  let isFull = false
  const ends = (unfinished: boolean) => ({ matches, total, left, totalLines: lines.length, unfinished })
  const add = (number: number, line: string, places: readonly number[]) => {
    const match = withContext(matchOf(number, line, places), lines, query.context)
    chars += charsOf(match)
    isFull = matches.length > 0 && chars > query.max_chars
    if (isFull) left += 1
    else matches.push(match)
    if (matches.length >= query.max_matches) isFull = true
  }
  if (!query.regex) {
    for (const { number, line, places } of plainMatches(lines, query)) {
      total += 1
      if (number <= query.behind || query.isCounting) continue
      if (isFull) left += 1
      else add(number, line, places)
    }
    return ends(false)
  }
  const pattern = compileQuery(query, meter)
  for (const found of matchingLines(text, pattern)) {
    if (found === null) {
      if (meter.isExhausted) return ends(true)
      await meter.pause()
      signal.throwIfAborted()
      continue
    }
    total += 1
    if (found.number <= query.behind || query.isCounting) continue
    if (isFull) {
      left += 1
      continue
    }
    const line = text.slice(found.from, found.to)
    add(found.number, line, await placesIn(line, pattern))
  }
  return ends(false)
}

/** Lines that have a plain text, with its places, overlapping ones too: the Tool Server's published search. */
function* plainMatches(lines: readonly string[], { search_text, case_sensitive }: Query) {
  const comparable = (words: string) => (case_sensitive ? words : words.toLowerCase())
  const wanted = comparable(search_text)
  for (const [index, line] of lines.entries()) {
    const places = placesOf(wanted, comparable(line))
    if (places.length > 0) yield { number: index + 1, line, places }
  }
}

function placesOf(wanted: string, line: string): number[] {
  if (wanted.length > MAX_INDEXED_CHARS) {
    return Array.from(occurrences(unitsOf(wanted), unitsOf(line)).take(MAX_MATCHES_PER_LINE))
  }
  const found: number[] = []
  let at = line.indexOf(wanted)
  while (at !== -1 && found.length < MAX_MATCHES_PER_LINE) {
    found.push(at)
    at = line.indexOf(wanted, at + 1)
  }
  return found
}
