import * as z from 'zod'
import { MAX_IPYTHON_SESSION_CHARS } from '../../core/limits/consoles.ts'
import { optional } from '../arguments.ts'

/** Session id. Lagent's agents count their sessions, so numbers come too. */
export const sessionIdInput = optional(
  z.preprocess(
    (given) => (typeof given === 'number' ? String(given) : given),
    z
      .string()
      .max(
        MAX_IPYTHON_SESSION_CHARS,
        `has at most ${MAX_IPYTHON_SESSION_CHARS} characters (MAX_IPYTHON_SESSION_CHARS)`,
      ),
  ),
)

/** Kernel of `ipython_interactive_run`. */
export const INTERACTIVE_KERNEL = 'interactive'

/** Kernel of a `session_id`; without one it is that of `ipython_run`. */
export const sessionKernel = (sessionId: string | undefined) =>
  sessionId === undefined ? null : `session ${sessionId}`
