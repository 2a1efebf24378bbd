import { describe, expect, it } from 'vitest'
import { FrameReader, frame } from '../../../../src/adapters/e2b/connect-frames.ts'
import { costOf, expectCost } from '../../../support/processor-time.ts'

const MESSAGES = [{ text: 'first' }, {}, { text: 'ü ✓ 日本語'.repeat(100) }, { n: 4 }]
const bytes = Buffer.concat(MESSAGES.map(frame))

function heardFrom(pieces: Iterable<Uint8Array>): unknown[] {
  const heard: unknown[] = []
  const reader = new FrameReader((message) => heard.push(message))
  for (const piece of pieces) reader.take(piece)
  return heard
}

function* inPieces(whole: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}

describe('messages of a stream', () => {
  it.each([1, 2, 4, 5, 6, 7, 100, bytes.length])('are heard whole and in order in pieces of %i bytes', (size) => {
    expect(heardFrom(inPieces(bytes, size))).toEqual(MESSAGES)
  })

  it('are heard as soon as their last byte is there', () => {
    expect(heardFrom([bytes.subarray(0, -1)])).toEqual(MESSAGES.slice(0, -1))
  })

  it('beyond the size of any message of an agent are refused before they are there', () => {
    const head = new Uint8Array([0, 0xff, 0xff, 0xff, 0xff])
    expect(() => heardFrom([head])).toThrow('sends no messages')
  })

  it('cost a time that grows with their length and no faster, in however many pieces they come', async () => {
    const hearing = (chars: number) => {
      const whole = frame({ text: 'x'.repeat(chars) })
      return () => {
        for (let n = 0; n < 4_000_000 / chars; n++) heardFrom(inPieces(whole, 50))
      }
    }
    const short = hearing(100_000)
    await expectCost(hearing(2_000_000), { below: async () => 10 * (await costOf(short)) + 100 })
  })
})
