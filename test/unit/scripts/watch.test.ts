import { setTimeout as after } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { answers, SILENCE_MS } from '../../../scripts/start/watch.ts'

const never = (signal: AbortSignal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
const refused = async () => {
  throw new Error('connection refused')
}
const soon = { tries: 3, tryMs: 40, lateMs: 60_000 }

it('a server that answers at once is asked once', async () => {
  const ask = vi.fn(async () => 200)
  expect(await answers(ask)).toBe(true)
  expect(ask).toHaveBeenCalledTimes(1)
})

it('a server that answers late, to the first try or to a later one, is not hung', async () => {
  for (const answering of [0, 1, 2]) {
    let tries = 0
    const late = (signal: AbortSignal) => (tries++ === answering ? after(soon.tryMs / 2) : never(signal))
    expect(await answers(late, soon)).toBe(true)
  }
  let tries = 0
  expect(await answers(() => (tries++ === 0 ? after(2.5 * soon.tryMs) : refused()), soon)).toBe(true)
})

it('a server that answers no try is hung, and no try stays open', async () => {
  const signals: AbortSignal[] = []
  const ask = (signal: AbortSignal) => {
    signals.push(signal)
    return never(signal)
  }
  expect(await answers(ask, soon)).toBe(false)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
  expect(await answers(refused, soon)).toBe(false)
})

it('nothing is said of a server by a process that had no time itself', async () => {
  expect(await answers(refused, { ...soon, lateMs: -1 })).toBe(true)
})

it('leaves time for the rest: silence, a start and the look before are less than 15 s', () => {
  expect(SILENCE_MS).toBeLessThanOrEqual(10_000)
})
