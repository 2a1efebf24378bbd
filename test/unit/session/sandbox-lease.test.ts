import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Failure } from '../../../src/core/failure.ts'
import { FailureError } from '../../../src/core/failure.ts'
import { NO_SPARES_MS } from '../../../src/core/limits/leases.ts'
import { E2B_PLANS } from '../../../src/core/limits/sandbox-plans.ts'
import { noSandboxFailure } from '../../../src/core/rate-limited.ts'
import type { LeaseRequest } from '../../../src/ports/sandbox-leases.ts'
import { SandboxLease } from '../../../src/session/sandbox/sandbox-lease.ts'

const WAIT_MS = 30_000
const FULL = { failure: noSandboxFailure('none') }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A session's lease, and who grants it as the test says. */
function bench(
  answer: (request: LeaseRequest, time: number) => Promise<{ failure?: Failure; noSpares?: true }> = async () => ({}),
  mayCreate: (waitMs: number) => Promise<boolean> = async () => true,
) {
  const messages: string[] = []
  const errors: unknown[] = []
  let times = 0
  const lease = new SandboxLease({
    leases: {
      acquire: (request) => {
        messages.push(request.hostIsFull ? 'acquire, host is full' : 'acquire')
        return answer(request, ++times)
      },
      renew: async () => void messages.push('renew'),
      release: async () => void messages.push('release'),
      mayCreate: (_, waitMs) => {
        messages.push(waitMs > 0 ? 'wait for a turn' : 'take a turn')
        return mayCreate(waitMs)
      },
      wantsBack: async () => false,
    },
    host: { plan: E2B_PLANS.hobby },
    holder: 'a/s',
    waitMs: WAIT_MS,
    now: Date.now,
    logError: (thrown) => errors.push(thrown),
  })
  let awake = false
  const need = (stop: AbortSignal[] = []) => ({ holdMs: 600_000, isAwake: () => awake, stop })
  return {
    lease,
    messages,
    errors,
    wake: () => {
      awake = true
    },
    /** A call that needs the sandbox. */
    call: (work: () => Promise<string> = async () => 'done', stop: AbortSignal[] = []) =>
      lease.within(need(stop), work).catch((thrown: unknown) => thrown),
  }
}

it('is not asked for while the sandbox is awake', async () => {
  const { call, wake, messages } = bench()
  expect(await call()).toBe('done')
  wake()
  for (let n = 0; n < 10; n++) expect(await call()).toBe('done')
  expect(messages).toEqual(['acquire'])
})

it('is asked for once by calls that come together', async () => {
  const { call, messages } = bench()
  expect(await Promise.all([call(), call(), call()])).toEqual(['done', 'done', 'done'])
  expect(messages).toEqual(['acquire'])
})

it('that there is not in time is told as it is', async () => {
  const { call } = bench(async () => FULL)
  expect(await call()).toMatchObject({ failure: FULL.failure })
})

it('is asked for again when the host had no room, until the deadline', async () => {
  const { call, messages } = bench()
  let times = 0
  const work = async () => {
    vi.advanceTimersByTime(WAIT_MS / 3)
    if (++times < 3) throw new FailureError(FULL.failure)
    return 'done'
  }
  expect(await call(work)).toBe('done')
  expect(messages).toEqual(['acquire', 'acquire, host is full', 'acquire, host is full'])
  const never = async () => {
    vi.advanceTimersByTime(WAIT_MS)
    throw new FailureError(FULL.failure)
  }
  expect(await call(never)).toMatchObject({ failure: FULL.failure })
})

it('of a call that fails otherwise is not asked for again', async () => {
  const { call, messages } = bench()
  const failure = new FailureError({ code: 'upstream', message: 'no' })
  expect(await call(() => Promise.reject(failure))).toBe(failure)
  expect(messages).toEqual(['acquire'])
})

it('is had without an answer when who grants it is out of order, but not where the host is full', async () => {
  const { call, messages, errors } = bench(() => Promise.reject(new Error('restarted')))
  expect(await call()).toBe('done')
  expect([messages, errors.length]).toEqual([['acquire', 'acquire'], 1])
  expect(await call(() => Promise.reject(new FailureError(FULL.failure)))).toMatchObject({
    failure: { code: 'rate_limited' },
  })
})

it('is had from one that was restarted while the call waited', async () => {
  const { call, errors } = bench((_, time) =>
    time === 1 ? Promise.reject(new Error('restarted')) : Promise.resolve(FULL),
  )
  expect(await call()).toMatchObject({ failure: FULL.failure })
  expect(errors).toEqual([])
})

it('is had when who grants it does not answer at all', async () => {
  const { call } = bench(() => new Promise(() => {}))
  const answer = call()
  await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
  expect(await answer).toBe('done')
})

it('that nobody waits for any more is withdrawn, and not before the last one has gone', async () => {
  const { call, messages } = bench(() => new Promise(() => {}))
  const [one, other] = [new AbortController(), new AbortController()]
  const answers = [call(undefined, [one.signal]), call(undefined, [other.signal])]
  one.abort(new Error('cancelled'))
  await vi.advanceTimersByTimeAsync(0)
  expect([await answers[0], messages]).toEqual([new Error('cancelled'), ['acquire']])
  other.abort(new Error('deleted'))
  await vi.advanceTimersByTimeAsync(0)
  expect([await answers[1], messages]).toEqual([new Error('deleted'), ['acquire', 'release']])
})

it('does not keep files waiting behind a call that waits for a sandbox', async () => {
  const { lease, call } = bench(() => new Promise(() => {}))
  void call()
  await vi.advanceTimersByTimeAsync(0)
  await expect(lease.ensure(1_000)).rejects.toMatchObject({ failure: { code: 'rate_limited' } })
})

it('a sandbox that may not be made yet is made at its turn, for which the session waits outside of its work', async () => {
  const turn = Promise.withResolvers<boolean>()
  const { call, lease, messages } = bench(undefined, async (waitMs) => (waitMs > 0 ? turn.promise : false))
  let atWork = 0
  const make = async () => {
    atWork += 1
    try {
      await lease.takeTurn()
      return 'made'
    } finally {
      atWork -= 1
    }
  }
  const made = [call(make), call(make)]
  await vi.advanceTimersByTimeAsync(0)
  expect(atWork).toBe(0)
  turn.resolve(true)
  // One turn is one sandbox: the second call waits for another.
  expect(await Promise.all(made)).toEqual(['made', 'made'])
  expect(messages.filter((message) => message === 'wait for a turn')).toHaveLength(2)
  expect(messages.filter((message) => message === 'acquire, host is full')).toEqual([])
})

it('tells that there is no spare for a while, or until an answer tells otherwise', async () => {
  const { lease, call } = bench(async (_, time) => (time === 3 ? {} : { noSpares: true }))
  expect(lease.mayHaveSpare).toBe(true)
  await call()
  expect(lease.mayHaveSpare).toBe(false)
  vi.advanceTimersByTime(NO_SPARES_MS)
  expect(lease.mayHaveSpare).toBe(true)
  await call()
  expect(lease.mayHaveSpare).toBe(false)
  await call()
  expect(lease.mayHaveSpare).toBe(true)
})

it('a session that had no turn in time is told as one that got no sandbox', async () => {
  const { call, lease } = bench(undefined, async (waitMs) => {
    vi.advanceTimersByTime(waitMs)
    return false
  })
  expect(await call(async () => `${await lease.takeTurn()}`)).toMatchObject({
    failure: { code: 'rate_limited', message: expect.stringMatching(/^many sandboxes are being made/) },
  })
})

it('a sandbox is made without a turn where nobody can be asked for one', async () => {
  const { lease, errors } = bench(undefined, async () => {
    throw new Error('out of reach')
  })
  await lease.takeTurn()
  expect(errors).toHaveLength(1)
})
