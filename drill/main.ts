/**
 * Drills a server: `npm run drill -- MINUTES [SEED] [--only=FAULT,…] [--without=FAULT,…]`. Honest clients write down each
 * request and each acknowledgement, while processes of `npm start` are killed and paused, connections cut and its disk
 * filled; then the server's state is compared with everything acknowledged. Exits with 1 after the first broken promise,
 * with its account.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FAULTS, type Fault, isFault } from './faults/fault.ts'
import { accountOf, table } from './report.ts'
import { drill } from './run.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, without: { type: 'string' } },
})
const [minutes = '10', seed = `${Date.now() % 1_000_000}`] = positionals
const named = (list: string | undefined) => list?.split(',').filter(Boolean) ?? []
const OTHERS = ['cuts', 'shapes']
const unknown = [...named(values.only), ...named(values.without)].filter(
  (one) => !isFault(one) && !OTHERS.includes(one),
)
if (unknown.length > 0 || !(Number(minutes) > 0) || !Number.isInteger(Number(seed))) {
  console.error(
    `Usage: npm run drill -- MINUTES [SEED] [--only=…] [--without=…], of: ${[...FAULTS, ...OTHERS].join(', ')}`,
  )
  process.exit(2)
}

const has = (name: string) =>
  (values.only === undefined || named(values.only).includes(name)) && !named(values.without).includes(name)
const faults = FAULTS.filter(has)
const directory = mkdtempSync(join(tmpdir(), 'toolyard-drill-'))
/** Begins when the server runs. */
let until = 0
console.log(`A drill of ${minutes} minutes with seed ${seed}; its account is written to ${directory}`)

const drilled = await drill({
  seed: Number(seed),
  directory,
  teams: 3,
  cutShare: has('cuts') ? 0.04 : 0,
  isStrict: has('shapes'),
  pauseMs: 4_000,
  begun() {
    until = performance.now() + Number(minutes) * 60_000
  },
  nextFault: (random): Fault | 'rest' | null =>
    performance.now() > until ? null : (faults[Math.floor(random() * faults.length)] ?? 'rest'),
  progress(ledger) {
    const left = Math.max(0, Math.ceil((until - performance.now()) / 1000))
    const faultsMade = ledger.rows('fault: ').reduce((sum, [, count]) => sum + count, 0)
    const summary = `${ledger.counted('acknowledged')} acknowledged, ${ledger.counted('judged')} looks, ${faultsMade} faults`
    console.log(left > 0 ? `${left} s left: ${summary}` : `judging: ${summary}`)
  },
})
console.log(table(drilled))
if (drilled.violation === null) rmSync(directory, { recursive: true })
else console.error(accountOf(drilled, `npm run drill -- ${process.argv.slice(2).join(' ')}`, seed))
// Connections that clients keep open would hold the process for a minute more.
process.exit(drilled.violation === null ? 0 : 1)
