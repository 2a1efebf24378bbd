import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BeginNotes } from '../../../src/session/begin-note.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const notes = () => new BeginNotes(1_000, () => Date.now())

describe('the note that a call has begun', () => {
  it('is made once its call has lasted so long, and once only', () => {
    const make = vi.fn()
    const note = notes().open(make, true)
    vi.advanceTimersByTime(999)
    expect([make.mock.calls.length, note.isMade]).toEqual([0, false])
    vi.advanceTimersByTime(1)
    expect([make.mock.calls.length, note.isMade]).toEqual([1, true])
    note.now()
    note.settle()
    vi.advanceTimersByTime(10_000)
    expect([make.mock.calls.length, note.isMade]).toEqual([1, true])
  })

  it('is not made of a call that has ended before', () => {
    const make = vi.fn()
    const note = notes().open(make, true)
    note.settle()
    note.now()
    vi.advanceTimersByTime(10_000)
    expect([make.mock.calls.length, note.isMade]).toEqual([0, false])
  })

  it('leaves no timer behind its call, which would keep the object awake', () => {
    const made: string[] = []
    const open = notes()
    const first = open.open(() => made.push('first'), true)
    vi.advanceTimersByTime(400)
    const second = open.open(() => made.push('second'), true)
    first.settle()
    expect(vi.getTimerCount()).toBe(1)
    second.settle()
    expect(vi.getTimerCount()).toBe(0)
    open.open(() => made.push('third'), true)
    vi.advanceTimersByTime(999)
    expect(made).toEqual([])
    vi.advanceTimersByTime(1)
    expect([made, vi.getTimerCount()]).toEqual([['third'], 0])
  })

  it('is made at once when something must be known, also of a call that does not wait for it', () => {
    const make = vi.fn()
    const open = notes()
    const waits = open.open(make, true)
    const never = open.open(make, false)
    vi.advanceTimersByTime(500)
    waits.now()
    never.now()
    expect([make.mock.calls.length, waits.isMade, never.isMade]).toEqual([2, true, true])
  })

  it('is made in time for each of many calls, by one timer for all of them', () => {
    const open = notes()
    const made: number[] = []
    const opened = Array.from({ length: 50 }, (_, at) => {
      vi.advanceTimersByTime(10)
      return open.open(() => made.push(at), true)
    })
    expect(vi.getTimerCount()).toBe(1)
    for (const [at, note] of opened.entries()) if (at % 2 === 0) note.settle()
    vi.advanceTimersByTime(1_000 - 490 + 100)
    expect(made).toEqual([1, 3, 5, 7, 9])
    vi.advanceTimersByTime(10_000)
    expect(made).toEqual(Array.from({ length: 25 }, (_, at) => 2 * at + 1))
    expect(vi.getTimerCount()).toBe(0)
  })
})
