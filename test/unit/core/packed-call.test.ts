import { serialize } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { MAX_PLAIN_RPC_CHARS, MAX_RPC_BYTES } from '../../../src/core/limits/requests.ts'
import { packCall, unpackCall } from '../../../src/core/packed-call.ts'
import { costOf, expectCost } from '../../support/processor-time.ts'

const call = (args: unknown) => ({ tool: 'file_write', args })
const long = 'x'.repeat(MAX_PLAIN_RPC_CHARS)

describe('a call on its way to its session', () => {
  it('stays as it is when its texts are short, in any script', () => {
    const short = call({ content: '中'.repeat(1_000), n: 1, list: [null, true] })
    expect(packCall(short)).toBe(short)
    expect(unpackCall(short)).toEqual(short)
  })

  it.each([
    ['one character beyond Latin-1 at the end', { content: `${long}中` }],
    ['a byte order mark', { content: `\ufeff${long}` }],
    ['half of a surrogate pair', { content: `${long}\ud83d` }],
    ['texts within lists and objects', { files: [{ name: 'α', content: long }, ['β', null, 1.5, true]] }],
    ['long names', { [`${long}中`]: 'γ' }],
    ['a name that objects have', JSON.parse(`{"__proto__":"δ","content":"${long}"}`)],
  ])('arrives as it was: %s', (_, args) => {
    expect(unpackCall(structuredClone(packCall(call(args))))).toEqual(call(args))
  })

  it('is no larger than its UTF-8 and a little', () => {
    const texts = Array.from({ length: 30_000 }, (_, n) => `${'x'.repeat(800)}${n}中`)
    const utf8 = Buffer.byteLength(JSON.stringify(texts))
    expect(serialize(packCall(call({ texts })).args).length).toBeLessThan(utf8 * 1.02)
  })

  it('is looked through for little more than it takes to write it down, also when it is a million numbers', async () => {
    const numbers = call(JSON.parse(`[${'0,'.repeat(999_999)}0]`))
    // Once takes some milliseconds, and the processor's clock goes by four.
    const tenTimes = (work: () => unknown) => () => {
      for (let time = 0; time < 10; time++) work()
    }
    await expectCost(
      tenTimes(() => packCall(numbers)),
      { below: async () => 3 * (await costOf(tenTimes(() => JSON.stringify(numbers)))) },
    )
  })

  it('is refused in words when its arguments are more than an RPC carries', () => {
    const args = { [`${'n'.repeat(MAX_RPC_BYTES / 2)}中`]: '' }
    expect(() => packCall(call(args))).toThrow(/MAX_RPC_BYTES/)
  })
})
