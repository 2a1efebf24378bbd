import { describe, expect, it } from 'vitest'
import { HostReply } from '../../../src/session/python/reply.ts'

describe('how long a Python module ran, as its sandbox says', () => {
  const countedMs = (ms: number) => {
    const printed = { text: '', bytes: 0, file: null }
    const reply = { ms, warm: true, out: printed, err: printed, background: false, watched: null, how: 'timedOut' }
    const read = HostReply.parse(reply)
    return 'ms' in read ? read.ms : null
  }

  it.each([
    [12, 12],
    [1.4, 1],
    [-1e9, 0],
    [1e300, 86_400_000],
  ])('%s ms are %s to the tenant, who pays for them', (ms, counted) => {
    expect(countedMs(ms)).toBe(counted)
  })
})
