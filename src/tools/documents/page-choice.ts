import { fail } from '../../core/failure.ts'
import type { Unit } from './document.ts'

const ITEM = /^(\d{1,7})?(-)?(\d{1,7})?$/

/**
 * The numbers that `pages` names, ascending, each once: `3`, `1-3,5`, `10-`.
 * @throws FailureError `invalid_input`
 */
export function chosenParts(pages: string | undefined, count: number, unit: Unit): number[] {
  if (pages === undefined || pages.trim() === '') return range(1, count)
  const chosen = new Set<number>()
  for (const given of pages
    .split(',')
    .map((one) => one.replace(/\s/g, ''))
    .filter((one) => one !== '')) {
    const [, first, dash, last] = ITEM.exec(given) ?? []
    if (first === undefined && last === undefined)
      fail('invalid_input', `pages: "${given.slice(0, 40)}" is no page; write for example "1-3,5"`)
    const from = Number(first ?? 1)
    const to = dash ? Number(last ?? count) : from
    for (const number of range(Math.max(1, from), Math.min(to, count))) chosen.add(number)
  }
  if (chosen.size === 0)
    fail('invalid_input', `pages: there is no ${unit} ${pages.slice(0, 40)}; the document has ${count}`)
  return [...chosen].sort((one, two) => one - two)
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)

/** Ascending numbers as `pages` takes them: `2-4,7`. */
export function writtenParts(numbers: readonly number[]): string {
  const runs: { from: number; to: number }[] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last && last.to + 1 === number) last.to = number
    else runs.push({ from: number, to: number })
  }
  return runs.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(',')
}
