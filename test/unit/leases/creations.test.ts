import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Creations } from '../../../src/leases/creations.ts'

const WAIT_MS = 30_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Turns of an account, and who had one at what time, in milliseconds from now. */
function bench(perSecond: number | null) {
  const start = Date.now()
  const creations = new Creations({ perSecond, now: Date.now })
  const turns: [string, number][] = []
  const refused: string[] = []
  const ask = (holder: string, waitMs = WAIT_MS) => {
    void creations.take(holder, waitMs).then((granted) => {
      if (granted) turns.push([holder, Date.now() - start])
      else refused.push(holder)
    })
  }
  return { creations, turns, refused, ask, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

it.each([
  [1, [0, 1_000, 2_000]],
  [5, [0, 200, 400]],
])('an account that makes %d in a second has them made one after the other', async (perSecond, times) => {
  const { ask, turns, pass } = bench(perSecond)
  for (const holder of ['a/1', 'a/2', 'a/3']) ask(holder)
  await pass(5_000)
  expect(turns).toEqual(['a/1', 'a/2', 'a/3'].map((holder, at) => [holder, times[at]]))
})

it('tenants have them in turn, however many one wants', async () => {
  const { ask, turns, pass } = bench(1)
  for (const holder of ['a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'b/2', 'c/1']) ask(holder)
  await pass(10_000)
  expect(turns.map(([holder]) => holder)).toEqual(['a/1', 'a/2', 'b/1', 'c/1', 'a/3', 'b/2', 'a/4'])
})

it('who asks without waiting, or leaves, takes no turn from the next', async () => {
  const { creations, ask, turns, refused, pass } = bench(1)
  for (const holder of ['a/1', 'a/2', 'a/3', 'a/4']) ask(holder)
  ask('b/1', 0)
  creations.leave('a/2')
  await pass(0)
  expect(refused).toEqual(['b/1', 'a/2'])
  await pass(5_000)
  expect(turns).toEqual([
    ['a/1', 0],
    ['a/3', 1_000],
    ['a/4', 2_000],
  ])
})

it('who got none in time hears so, and one that asks again has the place of a new one', async () => {
  const { ask, turns, refused, pass } = bench(1)
  for (const holder of ['a/1', 'a/2', 'a/3']) ask(holder)
  ask('a/4', 1_500)
  ask('a/2')
  await pass(10_000)
  expect(refused).toEqual(['a/2', 'a/4'])
  expect(turns.map(([holder]) => holder)).toEqual(['a/1', 'a/3', 'a/2'])
})

it('a spare takes a turn that nobody wants, and none while a session waits', async () => {
  const { creations, ask, turns, pass } = bench(1)
  expect(creations.takeFree()).toBe(true)
  expect(creations.takeFree()).toBe(false)
  ask('a/1')
  await pass(1_000)
  expect(turns).toEqual([['a/1', 1_000]])
  await pass(999)
  ask('a/2')
  ask('a/3')
  await pass(1)
  expect(creations.takeFree()).toBe(false)
  await pass(2_000)
  expect(creations.takeFree()).toBe(true)
})

it('an account whose limits are not known has no turns', async () => {
  const { creations, ask, turns, pass } = bench(null)
  for (const holder of ['a/1', 'a/2']) ask(holder)
  await pass(0)
  expect(turns).toEqual([
    ['a/1', 0],
    ['a/2', 0],
  ])
  expect(creations.takeFree()).toBe(true)
})
