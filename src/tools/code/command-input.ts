import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_STDIN_BYTES } from '../../core/limits/command-input.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { bashLine } from '../../core/shell-quote.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import { optional } from '../arguments.ts'

/** The argument `stdin` of a tool that runs a command: see {@link readingInput}. */
export const STDIN_INPUT = optional(z.string()).describe(
  `Text on its standard input, of at most ${MAX_STDIN_BYTES / 1024} KiB. Default: none, it is at its end at once`,
)

/**
 * A script that reads a text from its standard input. The text stands in no command line, and the script's lines keep their numbers.
 * @throws FailureError `invalid_input` for NUL; `limit_exceeded` past MAX_STDIN_BYTES
 */
export function readingInput(script: string, stdin: string | undefined): string {
  if (stdin === undefined || stdin === '') return script
  if (stdin.includes('\0')) fail('invalid_input', say`${field('stdin')} has a NUL character; remove it`)
  const bytes = utf8Length(stdin)
  if (bytes > MAX_STDIN_BYTES) {
    fail(
      'limit_exceeded',
      say`${field('stdin')} has ${bytes} bytes; at most ${MAX_STDIN_BYTES} are taken (MAX_STDIN_BYTES): write it by ${tool('file_write')}, and begin the command with "exec < FILE;"`,
    )
  }
  // A builtin prints it, and a pipe holds all of it: no process is left that waits for a reader.
  return `exec < <(printf %s ${bashLine(stdin.toWellFormed())}); ${script}`
}
