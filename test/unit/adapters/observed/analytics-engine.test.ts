import { expect, it } from 'vitest'
import { openRequests } from '../../../../src/adapters/open-requests.ts'
import { readConfig } from '../../../../src/config.ts'
import type { TenantId } from '../../../../src/core/ids.ts'
import { callObservers } from '../../../../src/observers.ts'
import { observedCall } from './calls.ts'

const BINDINGS = { SESSIONS: {}, TENANTS: {}, LEASES: {}, CONNECTIONS: {}, BLOBS: {}, DB: {}, ASSETS: {} }
const observersOf = (given: object) =>
  callObservers(readConfig({ ...BINDINGS, ...given }), {
    tenant: 'acme' as TenantId,
    open: openRequests(),
    goOn: () => undefined,
  })

it('a bound dataset gets a point for each call, in the columns of docs/operating.md', () => {
  const points: unknown[] = []
  const [observer] = observersOf({ ANALYTICS: { writeDataPoint: (point: unknown) => points.push(point) } })
  observer?.ended(observedCall())
  observer?.ended(observedCall({ tool: 'registered', outcome: 'failed', reason: 'timeout', origin: null }))
  expect(points).toEqual([
    { indexes: ['acme'], blobs: ['mcp', 'file_read', 'done', ''], doubles: [12, 3, 2, 40, 500] },
    { indexes: ['acme'], blobs: ['', 'registered', 'failed', 'timeout'], doubles: [12, 3, 2, 40, 500] },
  ])
})

it('nothing observes calls where nothing is set', () => {
  expect(observersOf({})).toEqual([])
})
