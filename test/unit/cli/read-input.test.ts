import { PassThrough, Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { explain } from '../../../src/cli/failure.ts'
import { readInput } from '../../../src/cli/read-input.ts'

const never = new AbortController().signal

it('reads all of standard input, up to its limit', async () => {
  expect(String(await readInput(Readable.from(['la', 'ke']), 4, 'the key', never))).toBe('lake')
  await expect(readInput(Readable.from(['la', 'kes']), 4, 'the key', never)).rejects.toThrow('more than 4 bytes')
})

it('ends at Ctrl-C, though standard input does not', async () => {
  const stop = new AbortController()
  const read = readInput(new PassThrough(), 4, 'the key', stop.signal).catch((error: unknown) => error)
  stop.abort(new Error('interrupted'))
  expect(explain(await read, stop.signal)).toEqual({ line: 'interrupted', exitCode: EXIT.interrupted })
})
