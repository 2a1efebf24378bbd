import { describe, expect, it } from 'vitest'
import { MAX_PYTHON_RESULT_BYTES } from '../../../src/core/limits/python.ts'
import type { Sandbox, WatchOptions } from '../../../src/ports/sandbox.ts'
import { pythonLink } from '../../../src/session/python/link.ts'
import { ResidentGone } from '../../../src/session/resident/link.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'
import { NodeSql } from '../../support/sql-node.ts'

/** A link to a host that prints what it is told to when it is asked. */
function linkTo(answer: (options: WatchOptions, id: string) => void) {
  let begun = 0
  const begin = async (_script: string, options: WatchOptions) => {
    begun++
    return {
      pid: 1,
      write: async (text: string) => {
        if (text.startsWith('{')) answer(options, JSON.parse(text).id)
        return true
      },
      leave: () => undefined,
    }
  }
  const sandbox = { id: 'box', begin, watch: async () => null } as unknown as Sandbox
  const link = pythonLink(new NodeSql(), {})
  const ask = (id: string) => link.ask(sandbox, { id, seconds: 20 }, new AbortController().signal)
  return { ask, begun: () => begun, close: () => link.close() }
}

const inPieces = (text: string, size: number, print: (piece: string) => void) => {
  for (let at = 0; at < text.length; at += size) print(text.slice(at, at + size))
}

describe('what the host of Python modules prints', () => {
  it('is read in a time that grows with its length and no faster, in however many pieces it comes', async () => {
    const text = 'x'.repeat(2 * MAX_PYTHON_RESULT_BYTES)
    const link = linkTo(({ printed }, id) => {
      inPieces(`${JSON.stringify({ id, text })}\n{"id":"b","n":1}\n{"id":"c",`, 1_000, printed)
    })
    await expectCost(async () => expect(await link.ask('a')).toEqual({ id: 'a', text }), {
      below: () => 500 * plainPassMs(1_000_000),
    })
    link.close()
  })

  it('is not held without end: a line that never ends is given up, and another host begun', async () => {
    let printed = 0
    const link = linkTo((options, id) => {
      if (id === 'good') return options.printed('{"id":"good"}\n')
      for (; printed < 20 * MAX_PYTHON_RESULT_BYTES; printed += 65_536) options.printed('x'.repeat(65_536))
    })
    await expect(link.ask('a')).rejects.toThrow(ResidentGone)
    expect(await link.ask('good')).toEqual({ id: 'good' })
    expect(link.begun()).toBe(2)
    link.close()
  })

  it('is not held without end in lines that nobody waits for either', async () => {
    let printed = 0
    const piece = `${JSON.stringify({ id: 'nobody', text: 'x'.repeat(1_000_000) })}\n`
    const link = linkTo((options, id) => {
      if (id === 'good') return options.printed('{"id":"good"}\n')
      for (; printed < 200_000_000; printed += piece.length) options.printed(piece)
    })
    await expect(link.ask('a')).rejects.toThrow(ResidentGone)
    expect(await link.ask('good')).toEqual({ id: 'good' })
    expect(link.begun()).toBe(2)
    link.close()
  })

  it('is heard by a call that waits long, however much was said to others meanwhile', async () => {
    const heard: WatchOptions[] = []
    const opened = (options: WatchOptions) => {
      heard.push(options)
      return {
        pid: 1,
        write: async (text: string) => {
          const { id } = text.startsWith('{') ? JSON.parse(text) : { id: 'slow' }
          if (id !== 'slow')
            for (const { printed } of heard.slice(-2))
              printed(`${JSON.stringify({ id, text: 'x'.repeat(1_000_000) })}\n`)
          return true
        },
        leave: () => undefined,
      }
    }
    const sandbox = {
      id: 'box',
      begin: async (_script: string, options: WatchOptions) => opened(options),
      watch: async (_pid: number, options: WatchOptions) => opened(options),
    } as unknown as Sandbox
    const link = pythonLink(new NodeSql(), {})
    const ask = (id: string) => link.ask(sandbox, { id, seconds: 20 }, new AbortController().signal)
    const slow = ask('slow')
    for (let n = 0; n < 70; n++) await ask(`quick-${n}`)
    heard.at(-1)?.printed('{"id":"slow","n":1}\n')
    expect(await slow).toEqual({ id: 'slow', n: 1 })
    link.close()
  })
})
