import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { exceededAt } from '../../core/json-bounds.ts'
import { MAX_CONSOLE_REPLY_DEPTH } from '../../core/limits/consoles.ts'
import type { Trace } from '../sandbox/session-runner.ts'

/**
 * Reads the host's JSON.
 * @returns null for other text: code of the task may have ended the program that prints it
 */
export function parseReply(text: string): unknown {
  if (exceededAt(text, { depth: MAX_CONSOLE_REPLY_DEPTH, values: Number.POSITIVE_INFINITY })) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Checks a reply. @throws FailureError `invalid_input` for a refusal of the host, `upstream` for no reply */
export function checkedReply(reply: unknown): unknown {
  if (reply === null) fail('upstream', NO_REPLY)
  const refused = Refused.safeParse(reply)
  if (refused.success) fail('invalid_input', refused.data.refused)
  return reply
}

/** Time that the host reports for the work, in milliseconds; null without a report. */
export function workMs(reply: unknown): number | null {
  const took = Took.safeParse(reply)
  return took.success ? took.data.took * 1_000 : null
}

/**
 * State of the sandbox after a reply, as the host reports it.
 * @param watched the watcher's count when the workspace last matched the sandbox
 */
export function traceOf(reply: unknown, watched: string | null): Trace {
  const traced = Traced.safeParse(reply)
  if (!traced.success) return { background: true, changed: true }
  const { trace } = traced.data
  const { background, file } = trace
  if (trace.watched === null) return { background, changed: true }
  return { background, changed: trace.watched !== watched, watched: trace.watched, ...(file && { file }) }
}

const Count = z.string().regex(/^\d{1,15}$/)
const Traced = z.object({
  trace: z.object({
    background: z.boolean(),
    watched: Count.nullable().catch(null),
    file: z
      .object({ before: Count, after: Count, record: z.string().max(1_000), text: z.string() })
      .nullable()
      .catch(null),
  }),
})
const Took = z.object({ took: z.number().min(0) })
const Refused = z.object({ refused: z.string().transform((text) => text.slice(0, MAX_REFUSAL_CHARS)) })
const MAX_REFUSAL_CHARS = 1_000

export const NOT_IN_TIME =
  'TimeoutError: it ran into its deadline, and the process in the sandbox that runs it does not answer: it may be stopped. It goes on now or is ended, and the next call waits for that; variables are there as long as no answer says otherwise'
export const NO_REPLY =
  'the notebook and the shells of the sandbox do not answer; its memory may be full, or it has no python3. Call again; if it stays so, reset or reconnect, which starts them anew'
