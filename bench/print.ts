import type { EdgeCost } from './edge-calls.ts'
import type { IsolateStart } from './isolate-start.ts'
import type { Kept } from './kept.ts'
import type { LargeStep } from './large-files.ts'
import type { SecondStart } from './second-start.ts'
import type { SpareTimes } from './spare.ts'

/** Row of the table: a call beside the one that it is compared with. */
export interface Row {
  readonly what: string
  readonly ms: number
  readonly floor: string
  readonly floorMs: number
  /** Promise of the architecture: a ratio, or milliseconds more. */
  readonly limit: { readonly ratio: number } | { readonly moreMs: number }
}

export function printKept({ callKb, workerMb, sessionKb }: Kept, spare: SpareTimes | null): void {
  const rows: readonly (readonly [string, number, number])[] = [
    [`memory that a call leaves, of a Worker of ${workerMb.toFixed(0)} MiB`, callKb, 1],
    ['disk that a task with five small files takes', sessionKb, 100],
    ...(spare ? [['memory that a spare sandbox takes', spare.memoryKb, 48 * 1024] as const] : []),
  ]
  console.log('\n| kept | KiB | limit | |')
  console.log('|---|---|---|---|')
  for (const [what, kb, limit] of rows) {
    console.log(`| ${what} | ${kb.toFixed(2)} | ${limit} | ${kb <= limit ? 'ok' : 'over'} |`)
  }
}

export function printCosts(costs: readonly EdgeCost[]): void {
  console.log('| call | CPU ms | of the floor | result | rows written | of the floor | rows read | of the floor |')
  console.log('|---|---|---|---|---|---|---|---|')
  for (const { what, callers, cost, floor, rows, floorRows } of costs) {
    const ratio = `${(cost.processor / floor.processor).toFixed(2)}×`
    const processor = [cost.processor, floor.processor].map((ms) => ms.toFixed(2))
    const counted = [rows.written, floorRows.written, rows.read, floorRows.read].map((count) => count.toFixed(1))
    console.log(`| ${[`${what}, ${callers} at once`, ...processor, ratio, ...counted].join(' | ')} |`)
  }
  console.log('')
}

export function printIsolate({ ours, bare }: IsolateStart): void {
  const more = ours - bare
  console.log('\n| start of an isolate, and its first request | CPU ms | of a bare Worker | more | limit | |')
  console.log('|---|---|---|---|---|---|')
  const cells = [ours, bare, more].map((ms) => ms.toFixed(0))
  console.log(`| GET /health | ${cells.join(' | ')} | 200 | ${more <= 200 ? 'ok' : 'over'} |`)
}

export function printStart({ ms, residentMb }: SecondStart): void {
  console.log('\n| `npm start` | | limit | |')
  console.log('|---|---|---|---|')
  console.log(`| second start to its banner | ${(ms / 1000).toFixed(2)} s | 2 s | ${ms < 2_000 ? 'ok' : 'over'} |`)
  const memory = `${residentMb.toFixed(0)} MiB | 400 MiB | ${residentMb < 400 ? 'ok' : 'over'}`
  console.log(`| memory of all processes but sandboxes | ${memory} |`)
}

export function printLargeFiles(steps: readonly LargeStep[]): void {
  console.log('\n| large files | s | peak of memory, MiB | more than a small file | a bare Worker: more | limit | |')
  console.log('|---|---|---|---|---|---|---|')
  for (const { what, ms, peakMb, moreMb, bareMoreMb, limitMb } of steps) {
    const numbers = [(ms / 1000).toFixed(1), ...[peakMb, moreMb, bareMoreMb, limitMb].map((mb) => mb.toFixed(0))]
    console.log(`| ${[what, ...numbers, moreMb <= limitMb ? 'ok' : 'over'].join(' | ')} |`)
  }
}

export function printRows(rows: readonly Row[]): void {
  console.log('| call | p50 ms | compared with | p50 ms | result | limit | |')
  console.log('|---|---|---|---|---|---|---|')
  for (const { what, ms, floor, floorMs, limit } of rows) {
    const [result, bound, ok] =
      'ratio' in limit
        ? [`${(ms / floorMs).toFixed(2)}×`, `${limit.ratio}×`, ms / floorMs <= limit.ratio]
        : [`${(ms - floorMs).toFixed(1)} ms more`, `${limit.moreMs} ms more`, ms - floorMs <= limit.moreMs]
    console.log(
      `| ${what} | ${ms.toFixed(2)} | ${floor} | ${floorMs.toFixed(2)} | ${result} | ${bound} | ${ok ? 'ok' : 'over'} |`,
    )
  }
}
