import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { withAnySignal } from '../../../src/core/any-signal.ts'

const pair = () => [new AbortController(), new AbortController()] as const

it('aborts with the reason of the signal that aborts first', async () => {
  const [one, other] = pair()
  const reason = await withAnySignal([one.signal, other.signal], async (signal) => {
    other.abort(new Error('the other'))
    one.abort(new Error('the one'))
    return signal.reason
  })
  expect(reason).toEqual(new Error('the other'))
})

it('is aborted from the start when one of them is', async () => {
  const [one, other] = pair()
  other.abort(new Error('before'))
  expect(await withAnySignal([one.signal, other.signal], async (signal) => signal.reason)).toEqual(new Error('before'))
})

it('leaves nothing with its signals, however the work ends', async () => {
  const signals = pair().map(({ signal }) => signal)
  await withAnySignal(signals, async () => undefined)
  await withAnySignal(signals, () => Promise.reject(new Error('failed'))).catch(() => undefined)
  expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0])
})
