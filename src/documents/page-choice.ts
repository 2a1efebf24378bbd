import { fail } from '../core/failure.ts'
import type { Unit } from './document.ts'

/** Choice of parts: in ascending order, and the piece of the first one to begin at, from 1. */
export interface Choice {
  readonly parts: readonly number[]
  readonly piece: number
}

const ITEM = /^(\d{1,7})?(?:\.(\d{1,5}))?(-)?(\d{1,7})?$/
/** Greatest number of items: more than anybody writes, and each may name thousands of pages. */
const MAX_ITEMS = 200

/**
 * The parts that `pages` names, each once: `3`, `1-3,5`, `10-`. `2.3` is the third piece of part 2, where that is too
 * long for one answer; answers write it so to be read on.
 * @throws FailureError `invalid_input`
 */
export function chosenParts(pages: string | undefined, count: number, unit: Unit): Choice {
  if (pages === undefined || pages.trim() === '') return { parts: range(1, count), piece: 1 }
  const items = pages
    .split(',')
    .map((one) => counted(one.replace(/\s/g, ''), count))
    .filter((one) => one !== '')
  if (items.length > MAX_ITEMS) fail('invalid_input', `pages: more than ${MAX_ITEMS} ranges; ask for fewer at once`)
  const chosen = new Set<number>()
  let begin: { readonly part: number; readonly piece: number } | null = null
  for (const given of items) {
    const [, first, piece, dash, last] = ITEM.exec(given) ?? []
    if (first === undefined && last === undefined) {
      fail('invalid_input', `pages: "${given.slice(0, 40)}" is no page; write for example "1-3,5"`)
    }
    const from = Number(first ?? 1)
    const to = dash ? Number(last ?? count) : from
    for (const number of range(Math.max(1, from), Math.min(to, count))) chosen.add(number)
    if (piece !== undefined) begin ??= { part: from, piece: Math.max(1, Number(piece)) }
  }
  const parts = [...chosen].sort((one, two) => one - two)
  if (parts.length === 0) {
    fail('invalid_input', `pages: there is no ${unit} ${pages.slice(0, 40)}; the document has ${count}`)
  }
  return { parts, piece: begin !== null && begin.part === parts[0] ? begin.piece : 1 }
}

/** Words for pages, and pages counted from the end, as numbers: `last`, `-2`, `-3--1`, `last-2` is none. */
function counted(item: string, count: number): string {
  const word = item.toLowerCase()
  if (word === 'all' || word === '*') return '1-'
  if (word === 'first') return '1'
  if (word === 'last' || word === 'end') return String(count)
  // The last n pages by "last3", and a single negative number: the page so far from the end.
  const [, last] = /^last(\d{1,7})(?:pages?)?$/.exec(word) ?? []
  if (last !== undefined) return `${Math.max(1, count - Number(last) + 1)}-`
  const [, from, to] = /^-(\d{1,7})(?:-(?:-(\d{1,7}))?)?$/.exec(word) ?? []
  if (from === undefined) return word.replace(/-(?:last|end)$/, '-').replace(/^first-/, '1-')
  const [begin, end] = [count - Number(from) + 1, to === undefined ? null : count - Number(to) + 1]
  if (word === `-${from}`) return String(Math.max(0, begin))
  return `${Math.max(1, begin)}-${end ?? ''}`
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)

/** Choice as `pages` takes it: `2-4,7`, `2.3,3-4`. */
export function writtenParts({ parts, piece }: Choice): string {
  if (piece > 1) {
    const [first, ...rest] = parts
    return [`${first}.${piece}`, ...(rest.length > 0 ? [writtenParts({ parts: rest, piece: 1 })] : [])].join(',')
  }
  const runs: { from: number; to: number }[] = []
  for (const number of parts) {
    const last = runs.at(-1)
    if (last && last.to + 1 === number) last.to = number
    else runs.push({ from: number, to: number })
  }
  return runs.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(',')
}
