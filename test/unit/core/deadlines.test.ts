import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Deadlines } from '../../../src/core/deadlines.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const open = () => new Deadlines(() => Date.now())
const NEVER = new AbortController().signal

it('each deadline of an object is over at its own time, whichever was opened first', () => {
  const deadlines = open()
  const [late, soon] = [deadlines.open(30_000, NEVER), deadlines.open(1_500, NEVER)]
  vi.advanceTimersByTime(1_499)
  expect([late.isOver, soon.isOver]).toEqual([false, false])
  vi.advanceTimersByTime(1)
  expect([late.isOver, soon.isOver]).toEqual([false, true])
  expect(soon.signal.reason).toMatchObject({ name: 'TimeoutError' })
  vi.advanceTimersByTime(28_499)
  expect(late.isOver).toBe(false)
  vi.advanceTimersByTime(1)
  expect(late.isOver).toBe(true)
})

it('a thousand deadlines have one timer, and none when all are settled', () => {
  const deadlines = open()
  const all = Array.from({ length: 1_000 }, () => deadlines.open(30_000, NEVER))
  expect(vi.getTimerCount()).toBe(1)
  for (const deadline of all) deadline.settle()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(all.some(({ signal }) => signal.aborted)).toBe(false)
})

it('a deadline that is opened after the timer of others has gone is over at its time', () => {
  const deadlines = open()
  deadlines.open(5_000, NEVER).settle()
  vi.advanceTimersByTime(10_000)
  const next = deadlines.open(200, NEVER)
  vi.advanceTimersByTime(200)
  expect(next.isOver).toBe(true)
})

it('work of a deadline that is aborted from outside is told why, and its time does not come', async () => {
  const outer = new AbortController()
  const deadline = open().open(1_000, outer.signal)
  const raced = deadline.race(new Promise<never>(() => {}))
  outer.abort(new Error('cancelled'))
  await expect(raced).rejects.toThrow('cancelled')
  vi.advanceTimersByTime(2_000)
  expect(deadline.isOver).toBe(false)
})
