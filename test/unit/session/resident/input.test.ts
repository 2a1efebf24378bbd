import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Watched } from '../../../../src/ports/sandbox.ts'
import { ResidentInput } from '../../../../src/session/resident/input.ts'

const { signal } = new AbortController()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A program, and by which way each text came to it. */
function program() {
  const came: string[] = []
  const stream = { opened: 0, isOpen: true, isSpared: true }
  const watched: Watched = {
    pid: 1,
    write: async (text) => {
      came.push(`request ${text}`)
      return true
    },
    input: () => {
      if (!stream.isSpared) return null
      stream.opened++
      return {
        write: (text) => {
          if (stream.isOpen) came.push(`stream ${text}`)
          return stream.isOpen
        },
        close: () => undefined,
      }
    },
    leave: () => undefined,
  }
  const input = new ResidentInput(watched)
  /** Answers the question that went by the stream. */
  const answer = () => {
    const ping = came.find((text) => text.startsWith('stream {"do":"ping"')) ?? ''
    came.splice(came.indexOf(ping), 1)
    input.heard(JSON.parse(ping.slice('stream '.length)).id)
  }
  return { came, stream, input, answer }
}

/** A program that was proven to hear what goes by the stream. */
async function provenProgram() {
  const { came, stream, input, answer } = program()
  await input.write('first', signal)
  input.heard('first')
  await input.write('second', signal)
  answer()
  came.length = 0
  return { came, stream, input }
}

describe('what is written to a program', () => {
  it('goes by requests, and opens no stream, while nothing is heard of the program', async () => {
    const { came, stream, input } = program()
    await input.write('a', signal)
    await input.write('b', signal)
    expect(came).toEqual(['request a', 'request b'])
    expect(stream.opened).toBe(0)
  })

  it('goes by the stream once a question was answered that went by it, and not before', async () => {
    const { came, stream, input, answer } = program()
    await input.write('a', signal)
    input.heard('a')
    await input.write('b', signal)
    await input.write('c', signal)
    answer()
    await input.write('d', signal)
    expect(came).toEqual(['request a', 'request b', 'request c', 'stream d'])
    expect(stream.opened).toBe(1)
  })

  it('goes by requests where no question ever arrives by the stream, though the program answers others', async () => {
    const { came, input } = program()
    for (const text of ['a', 'b', 'c', 'd']) {
      await input.write(text, signal)
      input.heard(text)
    }
    expect(came.filter((text) => !text.includes('ping'))).toEqual(['request a', 'request b', 'request c', 'request d'])
  })

  it('goes by a request, which says whether it arrived, when the program was not heard for a second', async () => {
    const { came, input } = await provenProgram()
    await input.write('soon', signal)
    vi.advanceTimersByTime(1_000)
    await input.write('late', signal)
    input.heard('late')
    await input.write('soon again', signal)
    expect(came).toEqual(['stream soon', 'request late', 'stream soon again'])
  })

  it('goes by requests once the stream has ended, and no second one is opened', async () => {
    const { came, stream, input } = await provenProgram()
    stream.isOpen = false
    await input.write('a', signal)
    await input.write('b', signal)
    expect(came).toEqual(['request a', 'request b'])
    expect(stream.opened).toBe(1)
  })

  it('goes by requests while no connection can be spared for the stream, and by the stream later', async () => {
    const { came, stream, input, answer } = program()
    stream.isSpared = false
    for (const text of ['a', 'b', 'c']) {
      await input.write(text, signal)
      input.heard(text)
    }
    stream.isSpared = true
    await input.write('d', signal)
    answer()
    await input.write('e', signal)
    expect(came).toEqual(['request a', 'request b', 'request c', 'request d', 'stream e'])
    expect(stream.opened).toBe(1)
  })
})
