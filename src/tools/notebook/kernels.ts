/** The kernel of `ipython_interactive_run`. */
export const INTERACTIVE_KERNEL = 'interactive'

/** The kernel of a `session_id`; without one it is that of `ipython_run`. */
export const sessionKernel = (sessionId: string | undefined) =>
  sessionId === undefined ? null : `session ${sessionId}`
