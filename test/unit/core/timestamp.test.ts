import { expect, it } from 'vitest'
import { pythonTimestamp } from '../../../src/core/timestamp.ts'

it('writes a time as Python does: UTC, six digits, no zone', () => {
  expect(pythonTimestamp(Date.UTC(2026, 10, 20, 11, 8, 41, 368))).toBe('2026-11-20T11:08:41.368000')
  expect(pythonTimestamp(Date.UTC(2026, 10, 20, 11, 8, 41) + 0.007)).toBe('2026-11-20T11:08:41.000007')
})

it('leaves the fraction out when it is zero', () => {
  expect(pythonTimestamp(Date.UTC(2026, 10, 20, 11, 8, 41))).toBe('2026-11-20T11:08:41')
})

it('carries rounding into the next second', () => {
  expect(pythonTimestamp(Date.UTC(2026, 10, 20, 23, 59, 59) + 999.9999)).toBe('2026-11-21T00:00:00')
})
