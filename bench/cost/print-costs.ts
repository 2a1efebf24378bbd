import { PRICES, perThousand } from '../prices.ts'
import type { Cost, Counts } from './count-costs.ts'
import type { MeasuredInUse } from './measure-in-use.ts'

/** Parts of a bill, in dollars for a thousand calls. */
function partsOf(counts: Counts): readonly number[] {
  const rows =
    counts.rowsWritten * PRICES.rowWritten +
    counts.rowsRead * PRICES.rowRead +
    counts.d1Written * PRICES.d1RowWritten +
    counts.d1Read * PRICES.d1RowRead
  const r2 = counts.classA * PRICES.r2ClassA + counts.classB * PRICES.r2ClassB
  const requests = counts.workerRequests * PRICES.workerRequest + counts.objectRequests * PRICES.objectRequest
  return [rows, r2, requests].map(perThousand)
}

const dollars = (amount: number) => amount.toFixed(4)
const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0)

/** Prints dollars for a thousand calls. Seconds of sandboxes stand apart: they are those of the call itself, on this machine. */
export function printDollars(costs: readonly Cost[]): void {
  console.log(
    '| 1,000 calls, in dollars | rows | R2 | requests | together | one alone | collected later | sandbox seconds |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const { what, many, alone, collected } of costs) {
    const parts = partsOf(many)
    const all = [...parts, sum(parts), sum(partsOf(alone)), sum(partsOf(collected))]
    const sandbox = perThousand(many.sandboxSeconds * PRICES.sandboxSecond)
    console.log(`| ${[what, ...all.map(dollars), dollars(sandbox)].join(' | ')} |`)
  }
}

/** Prints what was counted, for one call. */
export function printCounts(costs: readonly Cost[]): void {
  console.log(
    '\n| one call of many; alone; collected | rows written | rows read | D1 written | D1 read | R2 A | R2 B | KB to R2 | KB of R2 | Worker | objects |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|')
  for (const { what, many, alone, collected } of costs) {
    const each = (of: (counts: Counts) => number) =>
      [many, alone, collected].map((counts) => of(counts).toFixed(1)).join('; ')
    const cells = [
      each(({ rowsWritten }) => rowsWritten),
      each(({ rowsRead }) => rowsRead),
      each(({ d1Written }) => d1Written),
      each(({ d1Read }) => d1Read),
      each(({ classA }) => classA),
      each(({ classB }) => classB),
      each(({ bytesToR2 }) => bytesToR2 / 1_000),
      each(({ bytesFromR2 }) => bytesFromR2 / 1_000),
      each(({ workerRequests }) => workerRequests),
      each(({ objectRequests }) => objectRequests),
    ]
    console.log(`| ${[what, ...cells].join(' | ')} |`)
  }
}

/** Prints the statements that write rows, for one call of many. */
export function printStatements(costs: readonly Cost[]): void {
  for (const { what, byStatement } of costs) {
    console.log(`\n${what}`)
    for (const [statement, rows] of Object.entries(byStatement).sort(([, a], [, b]) => b - a)) {
      console.log(`  ${rows.toFixed(2)}  ${statement.replace(/\s+/g, ' ').slice(0, 150)}`)
    }
  }
}

/** Prints for how many seconds objects are in use for a call, by class, and what 1,000 calls cost of that. */
export function printInUse(measured: readonly MeasuredInUse[]): void {
  const kinds = [...new Set(measured.flatMap(({ seconds }) => Object.keys(seconds)))].sort()
  console.log(`| seconds in use for a call | ${kinds.join(' | ')} | together | 1,000 calls, in dollars |`)
  console.log(`|---|${kinds.map(() => '---|').join('')}---|---|`)
  for (const { what, seconds } of measured) {
    const all = sum(Object.values(seconds))
    const cells = [...kinds.map((kind) => seconds[kind] ?? 0), all].map((one) => one.toFixed(2))
    console.log(`| ${[what, ...cells, dollars(perThousand(all * PRICES.objectSecond))].join(' | ')} |`)
  }
}
