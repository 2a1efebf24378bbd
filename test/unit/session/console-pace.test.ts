import { expect, it } from 'vitest'
import { MAX_CONSOLE_PACE_MS } from '../../../src/core/limits/consoles.ts'
import { ConsolePace } from '../../../src/session/consoles/pace.ts'

it('a question is allowed the time of a slow one before it, for some questions, and never more than the most', () => {
  const pace = new ConsolePace()
  pace.measured(900, 100)
  pace.measured(5)
  expect([pace.ms, pace.allowedMs]).toEqual([5, 600])
  for (let question = 0; question < 20; question++) pace.measured(5)
  expect(pace.allowedMs).toBeLessThan(10)
  pace.measured(60_000)
  expect(pace.allowedMs).toBe(MAX_CONSOLE_PACE_MS)
})
