import { describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES, MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../../src/core/limits/requests.ts'
import { parseJson, readBody, readBodyText } from '../../../src/http/json.ts'
import { failureOf } from '../../support/failure-of.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'

const MEGABYTE = new Uint8Array(1024 * 1024).fill(0x61)

function post(body: BodyInit | null, headers: Record<string, string> = {}) {
  return new Request('http://test/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
}

/** A body without a length, of which `onRead` is told each time some of it is taken. */
function streamOf(chunks: Iterable<Uint8Array>, onRead = () => {}) {
  const iterator = chunks[Symbol.iterator]()
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = iterator.next()
        if (done) return controller.close()
        onRead()
        controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

describe('readBody()', () => {
  it('gives the bytes as they were sent, in however many pieces', async () => {
    const pieces = [Uint8Array.of(0, 255), Uint8Array.of(), Uint8Array.of(128)]
    expect(await readBody(post(streamOf(pieces)))).toEqual(Uint8Array.of(0, 255, 128))
  })

  it('gives nothing for no body', async () => {
    expect(await readBody(post(null))).toEqual(new Uint8Array())
    expect(await readBodyText(post(''))).toBe('')
  })

  it('takes a body of exactly the limit', async () => {
    const pieces = Array.from({ length: MAX_BODY_BYTES / MEGABYTE.length }, () => MEGABYTE)
    expect((await readBody(post(streamOf(pieces)))).byteLength).toBe(MAX_BODY_BYTES)
  })

  it('keeps nothing of an endless body past the limit, stops reading it at twice the limit, and names the limit', async () => {
    let reads = 0
    const endless = (function* () {
      for (;;) yield MEGABYTE
    })()
    const body = streamOf(endless, () => {
      reads++
    })
    const failure = await failureOf(readBody(post(body)))
    expect(failure).toMatchObject({ code: 'limit_exceeded', data: { limit: 'MAX_BODY_BYTES', max: MAX_BODY_BYTES } })
    expect(failure.message).toContain('MAX_BODY_BYTES')
    expect(reads).toBe((2 * MAX_BODY_BYTES) / MEGABYTE.length + 1)
  })

  it('refuses a body that says it is far too large before reading any of it', async () => {
    let reads = 0
    const body = streamOf([MEGABYTE], () => {
      reads++
    })
    const failure = await failureOf(readBody(post(body, { 'Content-Length': String(2 * MAX_BODY_BYTES + 1) })))
    expect(failure.code).toBe('limit_exceeded')
    expect(reads).toBe(0)
  })

  it('takes in and drops a body that says it is a little too large: its sender hears why when all is sent', async () => {
    let reads = 0
    const pieces = Array.from({ length: MAX_BODY_BYTES / MEGABYTE.length + 1 }, () => MEGABYTE)
    const body = streamOf(pieces, () => {
      reads++
    })
    const stated = { 'Content-Length': String(MAX_BODY_BYTES + MEGABYTE.length) }
    const failure = await failureOf(readBody(post(body, stated)))
    expect(failure.code).toBe('limit_exceeded')
    expect(reads).toBe(pieces.length)
  })
})

describe('readBodyText()', () => {
  it('reads characters that were cut in two on the way', async () => {
    const bytes = new TextEncoder().encode('数据 🛠')
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await readBodyText(post(streamOf(pieces)))).toBe('数据 🛠')
  })

  it('drops a byte order mark', async () => {
    expect(await readBodyText(post(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)))).toBe('{}')
  })

  it.each([
    ['a lone byte', [0xff]],
    ['a cut character', [0xe6, 0x95]],
    ['an overlong form', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('says that it wants UTF-8 when it gets %s', async (_, bytes) => {
    expect(await failureOf(readBodyText(post(Uint8Array.from(bytes))))).toMatchObject({
      code: 'invalid_input',
      message: 'the body is not valid UTF-8; send UTF-8',
    })
  })

  it('counts text as it counts bytes', async () => {
    const pieces = Array.from({ length: MAX_BODY_BYTES / MEGABYTE.length + 1 }, () => MEGABYTE)
    expect((await failureOf(readBodyText(post(streamOf(pieces))))).code).toBe('limit_exceeded')
  })
})

describe('parseJson()', () => {
  it.each(['{}', '[]', 'null', '"x"', '-1.5e3', ' {"a": [1, {"b": "\\u00e9"}]} '])('parses %s', (text) => {
    expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
  })

  it('keeps a field named __proto__ as a field', () => {
    const parsed = parseJson('{"__proto__": {"admin": true}}')
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(['__proto__'])
  })

  it('takes what is nested as deep as allowed and refuses one level more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(parseJson(nested(MAX_JSON_DEPTH)).ok).toBe(true)
    expect(parseJson(nested(MAX_JSON_DEPTH + 1))).toMatchObject({ ok: false, at: MAX_JSON_DEPTH })
    expect(parseJson('{"a":'.repeat(MAX_JSON_DEPTH + 1))).toMatchObject({ ok: false })
  })

  it.each([
    ['empty objects', '{},'],
    ['empty lists', '[],'],
    ['numbers', '1,'],
  ])('refuses a body of millions of %s before they are made, and names the limit', (_, one) => {
    const text = `[${one.repeat(MAX_JSON_VALUES)}0]`
    expect(parseJson(text)).toMatchObject({ ok: false, message: expect.stringMatching(/MAX_JSON_VALUES/) })
    expect(parseJson(`[${'0,'.repeat(MAX_JSON_VALUES - 2)}0]`).ok).toBe(true)
  })

  it('does not count brackets inside of strings', () => {
    const text = JSON.stringify({ code: `${'[{'.repeat(500)}"\\` })
    expect(parseJson(text)).toMatchObject({ ok: true })
    expect(parseJson(`["${'\\\\'.repeat(3)}", "${'['.repeat(100)}"]`)).toMatchObject({ ok: true })
  })

  it.each(['[', '{"a":', '[[]', '[{"":'])('refuses ten megabytes of %s soon', async (piece) => {
    const text = piece.repeat(10_000_000 / piece.length)
    await expectCost(() => expect(parseJson(text)).toMatchObject({ ok: false }), {
      below: () => 20 * plainPassMs(text.length),
    })
  })

  it('refuses ten megabytes of quotes and backslashes soon', async () => {
    for (const text of ['"'.repeat(10_000_000), `"${'\\'.repeat(10_000_000)}`, `"${'\\"'.repeat(5_000_000)}`]) {
      await expectCost(() => expect(parseJson(text)).toMatchObject({ ok: false }), {
        below: () => 20 * plainPassMs(text.length),
      })
    }
  })

  // Positions and words as Python 3.12 gives them.
  it.each([
    ['', 0, 'Expecting value'],
    ['   ', 3, 'Expecting value'],
    ['{', 1, 'Expecting property name enclosed in double quotes'],
    ['{bad', 1, 'Expecting property name enclosed in double quotes'],
    ["{'a': 1}", 1, 'Expecting property name enclosed in double quotes'],
    ['{"a"}', 4, "Expecting ':' delimiter"],
    ['{"a" 1}', 5, "Expecting ':' delimiter"],
    ['{"a":}', 5, 'Expecting value'],
    ['{"a": 1 "b": 2}', 8, "Expecting ',' delimiter"],
    ['[1 2]', 3, "Expecting ',' delimiter"],
    ['[1, 2', 5, "Expecting ',' delimiter"],
    ['[1}', 2, "Expecting ',' delimiter"],
    ['[1,', 3, 'Expecting value'],
    ['nul', 0, 'Expecting value'],
    ['{} {}', 3, 'Extra data'],
    ['01', 1, 'Extra data'],
    ['["abc', 1, 'Unterminated string starting at'],
    ['["🛠", "abc', 6, 'Unterminated string starting at'],
    ['["a\nb"]', 3, 'Invalid control character at'],
    ['["a\\x"]', 3, 'Invalid \\escape'],
    ['["a\\u12"]', 4, 'Invalid \\uXXXX escape'],
    ['{"a": [{"b": tru}]}', 13, 'Expecting value'],
  ])('says of %j that at %i: %s', (text, at, message) => {
    expect(parseJson(text)).toEqual({ ok: false, at, message })
  })

  it('agrees with JSON.parse on every cut and every changed character of a document', () => {
    const document = JSON.stringify({ a: [1, -2.5e3, true, null, 'x\n"\\/'], b: { c: {}, d: [] } })
    for (let at = 0; at < document.length; at++) {
      const variants = [
        document.slice(0, at),
        ...['"', '{', '}', ',', ':', '\\', '0', ' '].map(
          (char) => document.slice(0, at) + char + document.slice(at + 1),
        ),
      ]
      for (const text of variants) expect(parseJson(text).ok, text).toBe(parses(text))
    }
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
