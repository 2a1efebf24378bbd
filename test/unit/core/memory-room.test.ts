import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ROOM_LEASE_MS, ROOM_LOOK_MS, ROOM_RENEWED_MS } from '../../../src/core/limits/memory.ts'
import { type GiveBack, MemoryRoom } from '../../../src/core/memory-room.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const WAIT_MS = 20_000
const makeRoom = () => new MemoryRoom({ bytes: 10, ownBytes: 7, waiting: 3, waitMs: WAIT_MS }, () => Date.now())

/** What became of a request for room so far. */
function requested(taking: Promise<GiveBack | null>) {
  const request: { state: 'waits' | 'has room' | 'refused'; giveBack: GiveBack } = { state: 'waits', giveBack() {} }
  void taking.then((giveBack) => {
    request.state = giveBack ? 'has room' : 'refused'
    if (giveBack) request.giveBack = giveBack
  })
  return request
}
const settle = () => vi.advanceTimersByTimeAsync(0)

it('what does not fit waits, and goes on as soon as there is room', async () => {
  const room = makeRoom()
  const [first, second, third] = ['a', 'b', 'c'].map((owner) => requested(room.take(owner, 5)))
  await settle()
  expect([first?.state, second?.state, third?.state]).toEqual(['has room', 'has room', 'waits'])
  first?.giveBack()
  await settle()
  expect(third?.state).toBe('has room')
})

it('one owner leaves room for others, who do not wait behind its further requests', async () => {
  const room = makeRoom()
  const own = [requested(room.take('a', 100)), requested(room.take('a', 1))]
  const other = requested(room.take('b', 3))
  await settle()
  expect([own[0]?.state, own[1]?.state, other.state]).toEqual(['has room', 'waits', 'has room'])
})

it('small ones of others pass a large one that would wait for longer anyway, and no more than that', async () => {
  const room = makeRoom()
  const held = requested(room.take('a', 6))
  const large = requested(room.take('b', 7))
  const [own, early] = [requested(room.take('b', 1)), requested(room.take('c', 4))]
  await settle()
  expect([large.state, own.state, early.state]).toEqual(['waits', 'waits', 'has room'])
  held.giveBack()
  // From now on it waits only for what has passed it.
  const late = requested(room.take('d', 3))
  await settle()
  expect([large.state, late.state]).toEqual(['waits', 'waits'])
  early.giveBack()
  await settle()
  expect([large.state, late.state]).toEqual(['has room', 'has room'])
})

it('what has room at once is not refused because others wait', async () => {
  const room = makeRoom()
  const own = Array.from({ length: 4 }, () => requested(room.take('a', 7)))
  const other = requested(room.take('b', 3))
  await settle()
  expect([...own, other].map(({ state }) => state)).toEqual(['has room', 'waits', 'waits', 'waits', 'has room'])
})

it('an owner with many that wait leaves places to others, and what was refused for them takes none again', async () => {
  const room = makeRoom()
  const [held, ...own] = Array.from({ length: 5 }, () => requested(room.take('a', 7)))
  const [other, third] = [requested(room.take('b', 5)), requested(room.take('c', 5))]
  await settle()
  const states = () => [...own, other, third].map(({ state }) => state)
  expect(states()).toEqual(['waits', 'refused', 'refused', 'refused', 'waits', 'waits'])
  // Each has one now: none is taken for another.
  const late = requested(room.take('d', 5))
  await vi.advanceTimersByTimeAsync(2 * ROOM_LOOK_MS)
  expect([...states(), late.state]).toEqual(['waits', 'refused', 'refused', 'refused', 'waits', 'waits', 'refused'])
  held?.giveBack()
  await settle()
  expect(states()).toEqual(['has room', 'refused', 'refused', 'refused', 'waits', 'waits'])
})

it('a refused request to which the runtime comes late takes no room meanwhile', async () => {
  const room = makeRoom()
  const held = requested(room.take('a', 7))
  const timers = vi.spyOn(globalThis, 'setInterval')
  const own = Array.from({ length: 3 }, () => requested(room.take('a', 7)))
  const lookOfLast = timers.mock.calls.at(-1)?.[0]
  timers.mockRestore()
  const other = requested(room.take('b', 5))
  lookOfLast?.() // before the code that waits for its turn
  await settle()
  expect(own.map(({ state }) => state)).toEqual(['waits', 'waits', 'refused'])
  for (const { giveBack } of [held, ...own, other]) {
    giveBack()
    await settle()
  }
  const next = [requested(room.take('c', 7)), requested(room.take('d', 3))]
  await settle()
  expect(next.map(({ state }) => state)).toEqual(['has room', 'has room'])
})

it('who waits for too long, or behind too many, is refused and leaves nothing behind', async () => {
  const room = makeRoom()
  const held = ['a', 'b'].map((owner) => requested(room.take(owner, 5)))
  const waiting = ['c', 'd', 'e'].map((owner) => requested(room.take(owner, 5)))
  const late = requested(room.take('f', 5))
  await settle()
  expect(late.state).toBe('refused')
  await vi.advanceTimersByTimeAsync(WAIT_MS + ROOM_LOOK_MS)
  expect(waiting.map(({ state }) => state)).toEqual(['refused', 'refused', 'refused'])
  for (const { giveBack } of held) giveBack()
  expect(vi.getTimerCount()).toBe(0)
  const next = requested(room.take('g', 7))
  await settle()
  expect(next.state).toBe('has room')
  next.giveBack()
})

it('room of a request whose code has ended without a word is taken back, and no other’s', async () => {
  const room = makeRoom()
  const timers = vi.spyOn(globalThis, 'setInterval')
  const gone = requested(room.take('a', 5))
  await settle()
  clearInterval(timers.mock.results.at(-1)?.value) // the runtime ends its timers with it
  timers.mockRestore()
  const alive = requested(room.take('b', 5))
  await settle()
  const waits = requested(room.take('c', 5))
  await settle()
  expect([gone.state, alive.state, waits.state]).toEqual(['has room', 'has room', 'waits'])
  await vi.advanceTimersByTimeAsync(ROOM_LEASE_MS + 2 * ROOM_RENEWED_MS)
  expect(waits.state).toBe('has room')
  const another = requested(room.take('d', 5))
  await settle()
  expect(another.state).toBe('waits')
})

it('a long piece of work on the thread costs those that wait neither their turn nor their room', async () => {
  const room = makeRoom()
  const held = ['a', 'b'].map((owner) => requested(room.take(owner, 5)))
  const waits = requested(room.take('c', 5))
  await settle()
  // No timer fires meanwhile.
  vi.setSystemTime(Date.now() + ROOM_LEASE_MS + 5_000)
  const next = requested(room.take('d', 5))
  await settle()
  expect([waits.state, next.state]).toEqual(['waits', 'waits'])
  held[0]?.giveBack()
  await vi.advanceTimersByTimeAsync(ROOM_LOOK_MS)
  expect([waits.state, next.state]).toEqual(['has room', 'waits'])
  await vi.advanceTimersByTimeAsync((3 * ROOM_LEASE_MS) / 2)
  expect(next.state).toBe('waits')
})
