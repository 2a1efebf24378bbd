import { readFileSync } from 'node:fs'
import type { Drilled } from './run.ts'

/** The table at the end of a drill: a row for each thing that it did. */
export function table({ ledger, worst, notDrilled }: Drilled): string {
  const rows = (prefix: string) => ledger.rows(prefix).map(([name, count]) => [name, `${count}`] as const)
  const faults = ledger
    .rows('fault: ')
    .map(([name, count]) => [name, `${count}`, `${seconds(worst, name)} s until all was as before, at worst`] as const)
  const changes = ['acknowledged', 'refused', 'unsent', 'without an answer', 'judged', 'sessions', 'deleted sessions']
  return [
    section('Faults', faults),
    section('Connections cut', rows('cut: ')),
    section('Requests', rows('request: ')),
    section(
      'Changes',
      changes.map((name) => [name, `${ledger.counted(name)}`]),
    ),
    section('Calls that failed, and answers that no client understands', [
      ...rows('failed: '),
      ['unintelligible', `${ledger.counted('unintelligible')}`],
    ]),
    `Not drilled: ${notDrilled.join(', ') || 'nothing'}`,
  ].join('\n\n')
}

const LAST_ENTRIES = 40

/** Account of the first broken promise: what it was, how to repeat the drill, and what was done before. */
export function accountOf({ ledger, violation }: Drilled, command: string, seed: string): string {
  const entries = readFileSync(ledger.file, 'utf8').trim().split('\n')
  return [
    `BROKEN: ${violation?.message}`,
    `Again with seed ${seed}: ${command}`,
    `All that was done is in ${ledger.file}, what the server said beside it; the last of it:`,
    ...entries.slice(-LAST_ENTRIES),
  ].join('\n')
}

const section = (title: string, rows: readonly (readonly string[])[]) =>
  [title, ...rows.map(([name = '', ...cells]) => `  ${name.padEnd(48)} ${cells.join('  ')}`)].join('\n')

const seconds = (worst: Drilled['worst'], name: string) =>
  [...worst].find(([fault]) => fault === name)?.[1].toFixed(1) ?? '?'
