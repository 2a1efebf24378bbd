import { describe, expect, it } from 'vitest'
import { newSpanId, newTrace, readTraceparent, writeTraceparent } from '../../../src/core/trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('readTraceparent()', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
    [`cc-${TRACE}-${SPAN}-01`, true],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-brings`, true],
  ])('takes %s', (header, isSampled) => {
    expect(readTraceparent(header)).toEqual({ traceId: TRACE, parentId: SPAN, isSampled })
  })

  it.each([
    null,
    '',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `cc-${TRACE}-${SPAN}-01more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-0x`,
    ` 00-${TRACE}-${SPAN}-01`,
  ])('ignores %j', (header) => {
    expect(readTraceparent(header)).toBe(null)
  })
})

it('a trace that begins here is one that others can go on with', () => {
  const trace = newTrace(1)
  const spanId = newSpanId()
  expect(readTraceparent(writeTraceparent(trace, spanId))).toEqual({ ...trace, parentId: spanId })
  expect(newTrace(0).isSampled).toBe(false)
  expect(newTrace(1).traceId).not.toBe(trace.traceId)
})
