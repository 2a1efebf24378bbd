import { fail } from '../../../core/failure.ts'
import { MAX_VIEW_CHARS, VIEW_CONTEXT_LINES, VIEW_PATTERN_WORK } from '../../../core/limits/views.ts'
import type { Result } from '../../../core/outcome.ts'
import { compileQuery } from '../find/query.ts'
import { splitLines, withoutBreak } from '../lines.ts'
import { matchingLines } from '../pattern/matching-lines.ts'
import { WorkMeter } from '../pattern/work-meter.ts'
import { parseJsonPath, valuesAt } from './json-path.ts'
import { firstTokens, lastTokens, tokensOf } from './tokens.ts'

/** Part of a result that an answer shows. */
export interface ShownView {
  readonly text: string
  /** Estimated tokens of that part, and of the whole text. */
  readonly tokens: number
  readonly wholeTokens: number
  /** Whether the whole text is shown. */
  readonly isWhole: boolean
}

type Show = (result: Result, tokens: number) => string

/**
 * Reads the words for a view: `head_tail`, `head`, `tail`, `grep:PATTERN`, `lines:FROM-TO` or `jsonpath:PATH`.
 * @returns a function that makes the view of a result
 * @throws FailureError `invalid_input`, and `limit_exceeded` for a pattern that is too large
 */
export function readView(view: string): (result: Result, tokens: number) => ShownView {
  const show = showOf(view)
  return (result, tokens) => {
    const text = show(result, tokens)
    return { text, tokens: tokensOf(text), wholeTokens: tokensOf(result.text), isWhole: text === result.text }
  }
}

function showOf(view: string): Show {
  if (view.length > MAX_VIEW_CHARS) {
    fail('invalid_input', `view: it has more than ${MAX_VIEW_CHARS} characters (MAX_VIEW_CHARS)`)
  }
  if (view.startsWith('grep:')) return grep(view.slice('grep:'.length))
  if (view.startsWith('lines:')) return lineRange(view.slice('lines:'.length).trim())
  if (view.startsWith('jsonpath:')) return jsonPath(view.slice('jsonpath:'.length).trim())
  switch (view) {
    case 'head':
      return ({ text }, tokens) => cut(text, tokens, 1)
    case 'tail':
      return ({ text }, tokens) => cut(text, tokens, 0)
    case 'head_tail':
      return ({ text }, tokens) => cut(text, tokens, 0.5)
    default:
      return fail('invalid_input', 'view: give head_tail, head, tail, grep:PATTERN, lines:FROM-TO or jsonpath:PATH')
  }
}

/** Room for the line that says what is left out. */
const NOTE_TOKENS = 12

/** @param share of the tokens that the beginning gets */
function cut(text: string, tokens: number, share: number): string {
  if (tokensOf(text) <= tokens) return text
  const room = Math.max(tokens - NOTE_TOKENS, 0)
  const head = share === 0 ? '' : firstTokens(text, Math.ceil(room * share))
  const tail = share === 1 ? '' : lastTokens(text, Math.floor(room * (1 - share)))
  const left = `[${text.length - head.length - tail.length} characters left out]`
  return [head, left, tail].filter((part) => part !== '').join('\n')
}

/** Lines that match, as `12:…`, with those around them as `13-…`, and `--` between groups. */
function grep(pattern: string): Show {
  const query = { search_text: pattern, case_sensitive: true, regex: true }
  if (pattern === '') fail('invalid_input', 'view: give a regular expression behind grep:')
  compileQuery(query, new WorkMeter(VIEW_PATTERN_WORK))
  return ({ text: given }, tokens) => {
    const text = given.replace(/\r\n?/g, '\n')
    const lines = splitLines(text).map(withoutBreak)
    const numbers: number[] = []
    const meter = new WorkMeter(VIEW_PATTERN_WORK)
    let unfinished = false
    for (const found of matchingLines(text, compileQuery(query, meter))) {
      if (found) numbers.push(found.number)
      else if (meter.isExhausted) {
        unfinished = true
        break
      } else meter.resume()
    }
    const end = unfinished ? ['[the pattern took too long for the rest; use a simpler one]'] : []
    if (numbers.length === 0) return [`[no line of ${lines.length} matches]`, ...end].join('\n')
    return shownLines(lines, numbers, tokens, end)
  }
}

function shownLines(
  lines: readonly string[],
  numbers: readonly number[],
  tokens: number,
  end: readonly string[],
): string {
  const shown: string[] = []
  const matching = new Set(numbers)
  let room = tokens - NOTE_TOKENS
  let last = 0
  for (const [at, number] of numbers.entries()) {
    const from = Math.max(last + 1, number - VIEW_CONTEXT_LINES)
    const group: string[] = last > 0 && from > last + 1 ? ['--'] : []
    const to = Math.min(lines.length, number + VIEW_CONTEXT_LINES)
    for (let line = from; line <= to; line++) group.push(`${line}${matching.has(line) ? ':' : '-'}${lines[line - 1]}`)
    const cost = tokensOf(group.join('\n')) + 1
    if (cost > room) {
      if (at === 0) shown.push(firstTokens(`${number}:${lines[number - 1]}`, Math.max(room, 0)))
      const left = numbers.length - Math.max(at, 1)
      if (left > 0) shown.push(`[${left} more matching lines]`)
      break
    }
    room -= cost
    shown.push(...group)
    last = Math.max(last, to)
  }
  return [...shown, ...end].join('\n')
}

/** Lines of a range, as `12:…`: `FROM-TO`, `FROM-` to the end, `FROM` alone, `-COUNT` for the last ones. */
function lineRange(range: string): Show {
  const [, first, dash, second] = /^(\d{1,9})?(-)?(\d{1,9})?$/.exec(range) ?? []
  const [from, to] = [Number(first ?? 0), Number(second ?? 0)]
  const isRange = first === undefined ? to > 0 : from > 0 && (second === undefined || to >= from)
  if (!isRange) fail('invalid_input', 'view: give lines:FROM-TO, from 1, lines:FROM- or lines:-COUNT for the last ones')
  return ({ text }, tokens) => {
    const lines = splitLines(text.replace(/\r\n?/g, '\n')).map(withoutBreak)
    const start = first === undefined ? Math.max(lines.length - to, 0) : from - 1
    const end = second !== undefined && first !== undefined ? to : dash === undefined ? from : lines.length
    const chosen = lines.slice(start, end).map((line, at) => `${start + at + 1}:${line}`)
    if (chosen.length === 0) return `[the text has ${lines.length} lines]`
    return fittingLines(chosen, start, tokens)
  }
}

/** Lines that fit, and which view shows the others. @param start lines before the first of them */
function fittingLines(lines: readonly string[], start: number, tokens: number): string {
  if (tokensOf(lines.join('\n')) <= tokens) return lines.join('\n')
  let room = tokens - NOTE_TOKENS
  const over = lines.findIndex((line) => {
    room -= tokensOf(line) + 1
    return room < 0
  })
  if (over === 0) return cut(lines[0] ?? '', tokens, 0.5)
  return [...lines.slice(0, over), `[lines:${start + over + 1}-${start + lines.length} are left out]`].join('\n')
}

/** Values of the result's fields, as one line of JSON each. */
function jsonPath(path: string): Show {
  const parsed = parseJsonPath(path)
  return ({ data }, tokens) => {
    const values = valuesAt(data, parsed)
    if (values.length === 0) return `[nothing there; the fields are ${Object.keys(data).join(', ').slice(0, 500)}]`
    const shown: string[] = []
    let room = tokens - NOTE_TOKENS
    for (const [at, value] of values.entries()) {
      const json = jsonOf(value)
      const cost = tokensOf(json) + 1
      if (cost > room) {
        if (at === 0) shown.push(cut(json, Math.max(room, NOTE_TOKENS), 0.5))
        const left = values.length - Math.max(at, 1)
        if (left > 0) shown.push(`[${left} more values]`)
        break
      }
      room -= cost
      shown.push(json)
    }
    return shown.join('\n')
  }
}

/** A value as JSON; the engine writes by recursion, and gives up on what is nested too deep. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (thrown) {
    if (thrown instanceof RangeError) return '"(nested too deep to show)"'
    throw thrown
  }
}
