import { expect, it } from 'vitest'
import { partOf } from '../../../src/session/jobs/log-part.ts'

const log = new TextEncoder().encode('aü€😀z')

it('cuts a log into parts that are together the whole, with no character in two of them', () => {
  let text = ''
  let from = 0
  while (from < log.byteLength) {
    const part = partOf(log, from, 4)
    expect(part.text).not.toContain('\ufffd')
    expect(part.next).toBeGreaterThan(from)
    text += part.text
    from = part.next
  }
  expect(text).toBe('aü€😀z')
})

it('counts a negative begin from the end, and has nothing behind it', () => {
  expect(partOf(log, -5, 100)).toEqual({ text: '😀z', from: 6, next: 11 })
  expect(partOf(log, -100, 3)).toEqual({ text: 'aü', from: 0, next: 3 })
  expect(partOf(log, 500, 3)).toEqual({ text: '', from: 11, next: 11 })
  expect(partOf(new Uint8Array([0xff, 0xff, 0xff, 0xff, 0xff]), 0, 2)).toMatchObject({ next: 2 })
})
