import type * as z from 'zod'
import { fail } from '../core/failure.ts'
import { safeRead } from '../core/safe-read.ts'

/**
 * Reads a console's reply, which code of the task may have forged.
 * @throws FailureError `upstream` when the reply does not fit the schema
 */
export function consoleReply<S extends z.ZodType>(schema: S, reply: unknown): z.output<S> {
  const read = safeRead(schema, reply)
  if (read.success) return read.data
  return fail(
    'upstream',
    'what holds the notebook and the shells in the sandbox answered something else than it should: code of your own may ' +
      'have taken its place. Call again; if it stays so, reset or reconnect, which starts it anew',
  )
}
