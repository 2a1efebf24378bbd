import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tenantId } from '../../../../src/core/ids.ts'
import {
  ADMISSION_RETRY_MS,
  CONTENTION_MS,
  LEASE_MS,
  LONE_REQUEST_SLOTS,
  MAX_EVENT_STREAMS,
  MAX_LONG_REQUESTS,
  MAX_REQUEST_WAIT_MS,
  MAX_WAITING_REQUESTS,
  SLOT_MS,
} from '../../../../src/core/limits/admission.ts'
import type { Permit } from '../../../../src/http/admission/permit.ts'
import { RequestScheduler } from '../../../../src/http/admission/scheduler.ts'

const [a, b, c] = [tenantId('a'), tenantId('b'), tenantId('c')]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A scheduler with two slots for several tenants, and requests to it by name, in the order in which they are at work. */
function bench() {
  const scheduler = new RequestScheduler({ clock: { now: Date.now }, slots: 2 })
  const working: string[] = []
  const permits = new Map<string, Permit>()
  const failed: unknown[] = []
  return {
    scheduler,
    working,
    failed,
    async ask(name: string, { slots = 1 } = {}) {
      const tenant = { a, b, c }[name.charAt(0)] ?? a
      scheduler.enter(tenant, slots).then(
        (permit) => {
          working.push(name)
          permits.set(name, permit)
        },
        (thrown: unknown) => failed.push(thrown),
      )
      await vi.advanceTimersByTimeAsync(0)
    },
    permit(name: string) {
      const permit = permits.get(name)
      if (!permit) throw new Error(`${name} is not at work`)
      return permit
    },
    async end(...names: string[]) {
      for (const name of names) permits.get(name)?.release()
      // A request that is served while several tenants have some lets the runtime look for new input first.
      await vi.advanceTimersByTimeAsync(1)
    },
  }
}

/** Ends requests as the runtime does when their clients are gone: nothing of them goes on. */
function loseClients(): void {
  const now = Date.now()
  vi.clearAllTimers()
  vi.setSystemTime(now + LEASE_MS)
}

const tooMany = (limit: string) =>
  expect.objectContaining({
    failure: expect.objectContaining({
      code: 'rate_limited',
      message: expect.stringContaining(limit),
      data: expect.objectContaining({ scope: 'tenant', kind: 'concurrency', retryAfterMs: ADMISSION_RETRY_MS }),
    }),
  })

describe('a tenant that is alone', () => {
  it('has as many requests at work as keep the thread busy, and one more whenever one ends', async () => {
    const { ask, working, end } = bench()
    for (let n = 0; n <= LONE_REQUEST_SLOTS; n++) await ask(`a${n}`)
    expect(working).toHaveLength(LONE_REQUEST_SLOTS)
    await end('a0')
    expect(working.at(-1)).toBe(`a${LONE_REQUEST_SLOTS}`)
  })

  it('is alone again when no other one has asked for a while', async () => {
    const { ask, working, end } = bench()
    await ask('b1')
    await ask('a1')
    await end('b1')
    await ask('a2')
    await ask('a3')
    expect(working).toEqual(['b1', 'a1', 'a2'])
    await vi.advanceTimersByTimeAsync(CONTENTION_MS)
    expect(working).toContain('a3')
  })
})

describe('tenants that ask at the same time', () => {
  it('begin at once while they have nothing at work, however much others have', async () => {
    const { ask, working } = bench()
    for (let n = 0; n < 100; n++) await ask(`a${n}`)
    await ask('b1')
    await ask('c1')
    expect(working.slice(LONE_REQUEST_SLOTS)).toEqual(['b1', 'c1'])
  })

  it('are served in turns, and each of them in the order in which it asked', async () => {
    const { ask, working, end } = bench()
    await ask('a1')
    await ask('b1')
    for (const name of ['a2', 'a3', 'a4', 'b2', 'b3']) await ask(name)
    expect(working).toEqual(['a1', 'b1'])
    await end('a1')
    await end('b1')
    await end('a2')
    await end('b2')
    expect(working).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  })

  it('give a free slot to the one that has the fewest', async () => {
    const { ask, working, end } = bench()
    await ask('b1')
    for (const name of ['a1', 'a2', 'b2', 'a3']) await ask(name)
    await end('b1')
    expect(working.slice(0, 2)).toEqual(['b1', 'a1'])
    expect(working[2]).toBe('b2')
  })

  it('let a request that needs more slots than there are work beside nothing else of its tenant', async () => {
    const { ask, working, end } = bench()
    await ask('b1')
    await ask('a1')
    await ask('a2', { slots: 28 })
    await ask('a3')
    await ask('b2')
    expect(working).toEqual(['b1', 'a1'])
    await end('a1')
    expect(working.slice(2)).toEqual(['a2'])
    await end('b1')
    expect(working.slice(3)).toEqual(['b2'])
    await end('a2')
    expect(working.slice(4)).toEqual(['a3'])
  })
})

describe('a request that waits for something else than the thread', () => {
  it('lets others of its tenant work meanwhile', async () => {
    const { ask, working, permit } = bench()
    await ask('b1')
    await ask('a1')
    await ask('a2')
    expect(working).not.toContain('a2')
    permit('a1').beginLongWait()
    await vi.advanceTimersByTimeAsync(1)
    expect(working).toContain('a2')
  })

  it('is found out when it did not say so', async () => {
    const { ask, working } = bench()
    await ask('b1')
    await ask('a1')
    await ask('a2')
    await vi.advanceTimersByTimeAsync(SLOT_MS + 1)
    expect(working).toContain('a2')
  })

  it('is refused when its tenant has too many of them, and another tenant’s is not', async () => {
    const { ask, permit } = bench()
    for (let n = 0; n < MAX_LONG_REQUESTS; n++) {
      await ask(`a${n}`)
      permit(`a${n}`).beginLongWait()
    }
    await ask('a')
    await ask('b')
    expect(() => permit('a').beginLongWait()).toThrow(tooMany('MAX_LONG_REQUESTS'))
    expect(() => permit('b').beginLongWait()).not.toThrow()
    permit('a7').release()
    expect(() => permit('a').beginLongWait()).not.toThrow()
  })

  it('is counted as long as it lives, and no longer when it ended without a word', async () => {
    const { scheduler, ask, permit, end } = bench()
    await ask('a1')
    permit('a1').beginLongWait()
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS)
    expect(scheduler.tenants).toBe(1)
    await end('a1')
    expect(scheduler.tenants).toBe(0)

    await ask('a2')
    permit('a2').beginLongWait()
    loseClients()
    for (let n = 0; n <= LONE_REQUEST_SLOTS; n++) await ask(`b${n}`)
    await vi.advanceTimersByTimeAsync(SLOT_MS)
    expect(scheduler.tenants).toBe(1)
  })
})

describe('a queue', () => {
  it('refuses who comes when it is full, and nobody else', async () => {
    const { ask, working, failed } = bench()
    await ask('b1')
    for (let n = 0; n <= MAX_WAITING_REQUESTS; n++) await ask(`a${n}`)
    expect(failed).toEqual([])
    await ask('a')
    expect(failed).toEqual([tooMany('MAX_WAITING_REQUESTS')])
    await ask('c1')
    expect(working).toContain('c1')
  })

  it('refuses who has waited too long', async () => {
    const { ask, failed, permit } = bench()
    for (let n = 0; n < MAX_LONG_REQUESTS; n++) {
      await ask(`a${n}`)
      permit(`a${n}`).beginLongWait()
    }
    await ask('a', { slots: LONE_REQUEST_SLOTS })
    await ask('a-next')
    await vi.advanceTimersByTimeAsync(MAX_REQUEST_WAIT_MS - SLOT_MS)
    expect(failed).toEqual([])
    await vi.advanceTimersByTimeAsync(SLOT_MS)
    expect(failed).toEqual([tooMany('MAX_REQUEST_WAIT_MS')])
  })

  it('loses who is gone without a word: nothing is kept of them', async () => {
    const { scheduler, ask, end, working } = bench()
    await ask('b1')
    await ask('a1')
    await ask('a2')
    loseClients()
    await end('a1', 'b1')
    expect(working).toEqual(['b1', 'a1'])
    expect(scheduler.tenants).toBe(0)
  })
})

describe('event streams', () => {
  it('are bounded for each tenant, and one more may be open when one ends', async () => {
    const { scheduler, ask, permit, end } = bench()
    await ask('a1')
    await ask('b1')
    const ends = Array.from({ length: MAX_EVENT_STREAMS }, () => permit('a1').openStream())
    expect(() => permit('a1').openStream()).toThrow(tooMany('MAX_EVENT_STREAMS'))
    expect(() => permit('b1').openStream()()).not.toThrow()
    ends[0]?.()
    ends[0]?.()
    permit('a1').openStream()()
    await end('a1', 'b1')
    expect(scheduler.tenants).toBe(1)
    for (const ended of ends) ended()
    expect(scheduler.tenants).toBe(0)
  })
})
