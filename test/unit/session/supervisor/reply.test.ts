import { describe, expect, it } from 'vitest'
import { MAX_OUTPUT_BYTES } from '../../../../src/core/limits/sandbox.ts'
import { readReply } from '../../../../src/session/supervisor/reply.ts'

const text = (head = '', bytes = head.length) => ({ head, tail: '', bytes })
const ran = {
  id: 'c1',
  code: 0,
  out: text('hi'),
  err: text(),
  background: false,
  watched: '5',
  late: false,
  flooded: false,
}

describe('what the supervisor says of a command', () => {
  it('is its end: exit code, outputs, and whether anything changed since the last look', () => {
    expect(readReply(ran, '5')).toMatchObject({ exitCode: 0, stdout: { head: 'hi', bytes: 2 }, changed: false })
    expect(readReply(ran, '4')).toMatchObject({ changed: true, watched: '5' })
    expect(readReply({ ...ran, watched: null }, null)).toMatchObject({ changed: true })
  })

  it('has head and tail without halves of characters where the output was long', () => {
    const out = { head: 'a\ufffd', tail: '\ufffd\ufffdb', bytes: MAX_OUTPUT_BYTES + 1 }
    expect(readReply({ ...ran, out }, '5')).toMatchObject({ stdout: { head: 'a', tail: 'b', capped: true } })
  })

  it('says that a command has not begun and can be run in another way', () => {
    expect(readReply({ id: 'c1', unable: 'unable' }, '5')).toBe('elsewhere')
    expect(readReply({ id: 'c1', unable: 'cwd' }, '5')).toBe('cwd')
  })

  it.each([
    ['nothing', null],
    ['no object', 'ran'],
    ['something else', { id: 'c1', pong: true }],
    ['an exit code that none is', { ...ran, code: 3_000 }],
    ['a count of bytes below zero', { ...ran, out: text('', -1) }],
    ['more text than an answer holds', { ...ran, out: text('x'.repeat(MAX_OUTPUT_BYTES + 1)) }],
    ['no text', { ...ran, err: { head: 1, tail: '', bytes: 1 } }],
    ['that its place was taken, which only who gave it up knows', { id: 'c1', unable: 'taken' }],
  ])('is not believed when it is %s', (_, given) => {
    expect(readReply(given, '5')).toBeNull()
  })
})
