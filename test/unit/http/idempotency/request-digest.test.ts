import { describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES } from '../../../../src/core/limits/requests.ts'
import { requestDigest } from '../../../../src/http/idempotency/request-digest.ts'
import { grownMib } from '../../../support/grown-memory.ts'
import { expectCost } from '../../../support/processor-time.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function digestOf(body: Uint8Array, boundary: string | null = null, key = 'k'): string {
  const type = boundary === null ? 'application/json' : `multipart/form-data; boundary=${boundary}`
  const request = new Request('http://test/v1/x', { method: 'POST', headers: { 'Content-Type': type } })
  return requestDigest(key, request, body)
}

const form = (boundary: string, value = 'hello') =>
  bytesOf(`--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${value}\r\n--${boundary}--\r\n`)

describe('two requests with one idempotency key', () => {
  it('are the same with another boundary of their form, and not with another value in it', () => {
    const first = digestOf(form('abc'), 'abc')
    expect(digestOf(form('a-longer-one'), 'a-longer-one')).toBe(first)
    expect(digestOf(form('abc', 'hullo'), 'abc')).not.toBe(first)
  })

  it('are not the same when a boundary in one parts what is together in the other', () => {
    expect(digestOf(bytesOf('one--btwo'), 'b')).not.toBe(digestOf(bytesOf('onetwo'), 'b'))
    expect(digestOf(bytesOf('one--btwo'), 'b')).not.toBe(digestOf(bytesOf('on--betwo'), 'b'))
  })

  it('do not show by their digest what a body of few possible ones was, without the key', () => {
    expect(digestOf(bytesOf('{"value":"1234"}'), null, 'one')).not.toBe(
      digestOf(bytesOf('{"value":"1234"}'), null, 'other'),
    )
  })

  it('take memory of the size of a body that is boundaries from end to end', async () => {
    const body = bytesOf('--b'.repeat(Math.floor(MAX_BODY_BYTES / 8 / 3)))
    // An object for each place would take more than a hundred bytes where the body has three.
    const twentyBodies = (20 * body.length) / 1024 / 1024
    await expectCost(() => digestOf(body, 'b'), { below: () => twentyBodies, measure: grownMib })
  })
})
