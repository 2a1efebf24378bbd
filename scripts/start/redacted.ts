import type { Readable, Writable } from 'node:stream'
import { REDACT_AHEAD_CHARS, redact } from '../../src/core/redact.ts'
import { WorkerNoise } from './worker-noise.ts'

/** Longest line of a process that is printed whole: stacks fit, documents do not. */
const MAX_LINE_CHARS = 8_000
/** A key in a path, whatever it looks like: `/k/<key>/…`. */
const PATH_KEY = /(\/(?:k|%6b)\/{1,9})[^\s/?#"'\\]{1,1000}/gi

/** Prints what the worker says, line by line, without the keys in it and without its noise. */
export function printRedacted(from: Readable, to: Writable): void {
  const noise = new WorkerNoise()
  let line = ''
  let length = 0
  const print = () => {
    if (!noise.has(line)) to.write(`${shownLine(line, length)}\n`)
    line = ''
    length = 0
  }
  const take = (text: string) => {
    length += text.length
    // A key that begins before the cut is whole here, so that it is known as one.
    line = (line + text).slice(0, MAX_LINE_CHARS + REDACT_AHEAD_CHARS)
  }
  from.setEncoding('utf8')
  from.on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n')
    take(first)
    for (const text of others) {
      print()
      take(text)
    }
  })
  from.on('end', () => {
    if (length > 0) print()
  })
}

function shownLine(line: string, length: number): string {
  const shown = redact(line.replace(PATH_KEY, '$1***')).slice(0, MAX_LINE_CHARS)
  return length > MAX_LINE_CHARS ? `${shown} … (a line of ${length} characters)` : shown
}
