import { expect, it, onTestFinished, vi } from 'vitest'
import {
  CONNECTION_KNOWN_MS,
  CONNECTION_REST_MS,
  MAX_KNOWN_CONNECTIONS,
} from '../../../../src/core/limits/connections.ts'
import { KnownConnections } from '../../../../src/http/dialects/mcp/legacy/known-connections.ts'

it('takes a connection to be there for its owner alone, and for CONNECTION_KNOWN_MS', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const known = new KnownConnections()
  known.add('t/1', 'owner')
  expect([known.has('t/1', 'owner'), known.has('t/1', 'other'), known.has('t/2', 'owner')]).toEqual([
    true,
    false,
    false,
  ])
  vi.setSystemTime(Date.now() + CONNECTION_KNOWN_MS)
  expect(known.has('t/1', 'owner')).toBe(false)
})

it('forgets the one that it knows longest where there are too many', () => {
  const known = new KnownConnections()
  for (let at = 0; at <= MAX_KNOWN_CONNECTIONS; at++) known.add(`t/${at}`, 'owner')
  expect([known.has('t/0', 'owner'), known.has('t/1', 'owner')]).toEqual([false, true])
})

it('is looked for again before its connection may be taken for one that rests', () => {
  expect(CONNECTION_KNOWN_MS).toBeLessThan(CONNECTION_REST_MS)
})
