import type { Readable } from 'node:stream'
import { EXIT } from './exit-codes.ts'
import { CliError } from './failure.ts'
import type { Output } from './output/output.ts'

/** A terminal that somebody types at. */
type Typed = Readable & { setRawMode?(isRaw: boolean): unknown }

/** Most characters of an answer. */
const MAX_ANSWER_CHARS = 16_384

/** Line that a person types, shown as it is typed. @throws the reason of the signal */
export async function visibleLine(
  stdin: Typed,
  output: Output,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  await output.prompt(question)
  return typedLine(stdin, signal, (chunk, line) => line + chunk)
}

/** Line that a person types, of which nothing is shown. @throws CliError at Ctrl-C and Ctrl-D, or the reason of the signal */
export async function hiddenLine(stdin: Typed, output: Output, question: string, signal: AbortSignal): Promise<string> {
  if (!stdin.setRawMode)
    throw new CliError('this terminal cannot hide what is typed', 'give the key by standard input or TOOLYARD_API_KEY')
  // Before the question: what is pasted early is not shown either.
  stdin.setRawMode(true)
  try {
    await output.prompt(question)
    return await typedLine(stdin, signal, (chunk, line) => {
      let typed = line
      for (const character of chunk) {
        if (character === '\x03' || character === '\x04') throw new CliError('interrupted', '', EXIT.interrupted)
        else if (character === '\x7f' || character === '\b') typed = typed.slice(0, -1)
        else typed += character
      }
      return typed
    })
  } finally {
    stdin.setRawMode(false)
    await output.note('')
  }
}

/** Reads up to the end of a line. @param added the line with a piece that was typed */
function typedLine(stdin: Typed, signal: AbortSignal, added: (chunk: string, line: string) => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = ''
    const end = (settle: () => void) => {
      stdin.off('data', onData)
      stdin.off('end', onEnd)
      signal.removeEventListener('abort', onAbort)
      stdin.pause()
      settle()
    }
    const onAbort = () => end(() => reject(signal.reason))
    const onEnd = () => end(() => resolve(line))
    const onData = (chunk: Buffer | string) => {
      const [first = '', ...others] = chunk.toString().split(/[\r\n]/)
      try {
        line = added(first, line)
      } catch (thrown) {
        end(() => reject(thrown))
        return
      }
      if (others.length > 0 || line.length > MAX_ANSWER_CHARS) end(() => resolve(line))
    }
    stdin.on('data', onData)
    stdin.on('end', onEnd)
    signal.addEventListener('abort', onAbort)
    stdin.resume()
  })
}
