import { describe, expect, it } from 'vitest'
import { MAX_CODE_CALLS, MAX_CODE_CALLS_AT_ONCE, MAX_REFUSED_CODE_CALLS } from '../../../src/core/limits/code-mode.ts'
import { callReader } from '../../../src/session/supervisor/call-reader.ts'

/** A reader, the lines that reached the session, and the answers that were sent. */
function opened(calls = async (line: string) => line.toUpperCase()) {
  const lines: string[] = []
  const answers: [number, string][] = []
  const hear = callReader(
    (line) => {
      lines.push(line)
      return calls(line)
    },
    async (n, text) => {
      answers.push([n, text])
    },
  )
  return { hear, lines, answers }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('calls of a program in the sandbox', () => {
  it('are made once each, though two connections hear them, in any order', async () => {
    const { hear, answers } = opened()
    for (const n of [2, 1, 2, 1]) hear({ of: 'c', n, call: `line ${n}`, watched: null })
    await settled()
    expect(answers).toEqual([
      [2, 'LINE 2'],
      [1, 'LINE 1'],
    ])
  })

  it('count for nothing where the supervisor would not send them', async () => {
    const { hear, lines } = opened()
    for (const message of [
      null,
      'x',
      { n: 0, call: 'a', watched: null },
      { n: 1, call: 1, watched: null },
      { n: 1, call: 'a' },
    ])
      hear(message)
    await settled()
    expect(lines).toEqual([])
  })

  it('are taken so many at once, and so many in all, however many are forged', async () => {
    const waiting = opened(() => new Promise(() => {}))
    for (let n = 1; n <= 100; n++) waiting.hear({ n, call: 'a', watched: null })
    expect(waiting.lines).toHaveLength(MAX_CODE_CALLS_AT_ONCE)
    const quick = opened()
    for (let n = 1; n <= 2_000; n++) {
      quick.hear({ n, call: 'a', watched: null })
      await settled()
    }
    expect(quick.lines).toHaveLength(MAX_CODE_CALLS + MAX_REFUSED_CODE_CALLS)
  })
})
