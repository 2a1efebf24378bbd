import { fail } from '../../core/failure.ts'
import { CELL_INTERRUPT_MS, MAX_CONSOLE_INPUT_CHARS, NOTEBOOK_CELL_MS } from '../../core/limits/consoles.ts'
import type { Result } from '../../core/outcome.ts'
import type { Consoles } from '../../ports/consoles.ts'
import { consoleNotes } from '../console-notices.ts'
import { consoleReply } from '../console-reply.ts'
import { CellReply } from './cell-reply.ts'
import { extractCode } from './extract-code.ts'

/** Time from a cell's end to its answer. */
const SPARE_MS = 60_000

export type DoneCell = Extract<CellReply, { outputs: unknown }>

export interface ScratchCell {
  /** Code, or a text with code in it. */
  readonly command: string
  /** Time until the code is interrupted; cut at NOTEBOOK_CELL_MS. */
  readonly seconds: number
  readonly kernel: string | null
  /** Whether `str()` of the last expression is wanted. */
  readonly value: boolean
}

/** Runs code in a kernel that keeps its variables, and leaves no notebook. */
export async function runScratch(
  { command, seconds, kernel, value }: ScratchCell,
  consoles: Consoles,
): Promise<DoneCell> {
  const code = extractCode(command)
  if (code.length > MAX_CONSOLE_INPUT_CHARS) {
    fail(
      'limit_exceeded',
      `the code has ${code.length} characters; at most ${MAX_CONSOLE_INPUT_CHARS} are taken (MAX_CONSOLE_INPUT_CHARS). Put data into a file`,
    )
  }
  const limit = Math.min(seconds, NOTEBOOK_CELL_MS / 1000)
  const wait = (NOTEBOOK_CELL_MS + SPARE_MS / 2) / 1000
  const cell = { do: 'scratch', code, reset: false, seconds: limit, wait, kernel, value, run: null } as const
  const { reply, notices } = await consoles.ask(cell, NOTEBOOK_CELL_MS + SPARE_MS)
  const done = consoleReply(CellReply, reply)
  if ('pending' in done) return fail('timeout', STILL_WAITING)
  if ('reset' in done) return fail('upstream', 'the sandbox reset the kernel, which nobody asked for; run it again')
  return { ...done, notes: [...consoleNotes(notices), ...done.notes] }
}

/** Answer with Lagent's text. */
export const textAnswer = (text: string, notes: readonly string[]): Result => ({
  text: [text, ...notes].filter((line) => line !== '').join('\n'),
  data: { result: [{ type: 'text', content: text }], ...(notes.length > 0 && { notes }) },
})

export const failedAnswer = (error: string, notes: readonly string[]): Result => ({
  text: [error, ...notes].join('\n'),
  data: { error, ...(notes.length > 0 && { notes }) },
})

/** Why a cell did not come to its end, in the words of Lagent's asynchronous and interactive interpreters; null when it did. */
export function stopOf({ stopped, died }: DoneCell): string | null {
  if (stopped === 'timeout') return TIMED_OUT
  if (stopped === 'stopping') return `${TIMED_OUT} ${STOPPING}`
  if (stopped === 'killed') return `${TIMED_OUT} ${KILLED}`
  return stopped === 'reset' ? WAS_RESET : died
}

export const WAS_RESET = 'The interpreter was reset before this was done; run it again.'
const TIMED_OUT = 'The code interpreter encountered a timeout error.'
export const STOPPING = `It has not stopped yet since it was interrupted; if it does not within ${CELL_INTERRUPT_MS / 1000} seconds, its variables are gone, and the next answer says so.`
const KILLED = 'It did not stop when it was interrupted, so its variables are gone.'
const STILL_WAITING =
  'it waits for commands of this session that run longer than this call; try again when they are done'
