import { rm } from 'node:fs/promises'
import { afterAll, expect, it } from 'vitest'
import type { Fault } from '../../drill/faults/fault.ts'
import { accountOf } from '../../drill/report.ts'
import { drill } from '../../drill/run.ts'
import { scratchDirectory } from '../support/sandboxd.ts'

/** Faults of the short drill, each kind once; `npm run drill` does them for as long as asked for. */
const FAULTS: readonly Fault[] = [
  'kill worker',
  'kill reader',
  'kill sandbox host',
  'kill agent',
  'kill sandbox',
  'kill command',
  'kill start script',
]
const ACKNOWLEDGED = 60

let directory = ''
afterAll(() => rm(directory, { recursive: true, force: true }))

it('what was acknowledged is there, whole, and stays as it is, when each process of npm start is killed and connections are cut', async () => {
  directory = await scratchDirectory()
  const left = [...FAULTS]
  const drilled = await drill({
    ...{ seed: 31, directory, teams: 2, cutShare: 0.05, isStrict: true, pauseMs: 500 },
    nextFault: (_, noted) => left.shift() ?? (noted.counted('acknowledged') < ACKNOWLEDGED ? 'rest' : null),
  })
  const { ledger, violation, notDrilled } = drilled
  expect(violation && accountOf(drilled, 'npm run drill -- 2', '31')).toBeNull()
  expect(FAULTS.filter((fault) => notDrilled.includes(fault))).toEqual([])
  expect(ledger.counted('judged')).toBeGreaterThan(2 * 2 * 2)
}, 400_000)
