import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Failure } from '../../../src/core/failure.ts'
import { FailureError } from '../../../src/core/failure.ts'
import { noSandboxFailure } from '../../../src/core/rate-limited.ts'
import type { LeaseRequest } from '../../../src/ports/sandbox-leases.ts'
import { SandboxLease } from '../../../src/session/sandbox/sandbox-lease.ts'

const WAIT_MS = 30_000
const FULL = { failure: noSandboxFailure('none') }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A session's lease, and who grants it as the test says. */
function bench(answer: (request: LeaseRequest, time: number) => Promise<{ failure?: Failure }> = async () => ({})) {
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
      mayCreate: async () => true,
      wantsBack: async () => false,
    },
    host: { plan: null },
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
