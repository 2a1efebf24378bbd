import { expect, it } from 'vitest'
import { WakeUp } from '../../../src/session/wake-up.ts'

/** An alarm whose times are noted as they are set. */
function alarm() {
  const clock = { at: 0, now: () => clock.at }
  const set: number[] = []
  const wakeUp = new WakeUp(clock, async (time) => void set.push(time))
  return { clock, set, wakeUp }
}

it('is set once for many calls, and anew only for an earlier time', async () => {
  const { clock, set, wakeUp } = alarm()
  for (const at of [0, 10, 9_000]) {
    clock.at = at
    await wakeUp.within(10_000)
  }
  await wakeUp.within(500)
  expect(set).toEqual([10_000, 9_500])
})

it('is not put off by calls that come when it is due and has not come yet', async () => {
  const { clock, set, wakeUp } = alarm()
  await wakeUp.within(10_000)
  for (const at of [10_000, 10_001, 25_000]) {
    clock.at = at
    await wakeUp.within(10_000)
  }
  expect(set).toEqual([10_000])
  wakeUp.over()
  await wakeUp.within(10_000)
  expect(set).toEqual([10_000, 35_000])
})

it('is set again when it was lost', async () => {
  const { clock, set, wakeUp } = alarm()
  await wakeUp.within(10_000)
  clock.at = 70_000
  await wakeUp.within(10_000)
  expect(set).toEqual([10_000, 80_000])
})
