import { type Failure, failureWith } from './failure.ts'
import { operator, say } from './saying/saying.ts'

/** Failure of an object whose tables newer code made: this code must neither read nor change them. */
export const NEWER_STATE: Failure = failureWith(
  'unavailable',
  say`this was kept by a newer version of the server than the one that runs now, so nothing was done and nothing was changed; ask whoever runs the server to start the newer version again, then call again${operator(': the log says which tables are meant')}`,
)

/** Whether an error is {@link NEWER_STATE} on its way between objects, where the class of an error is lost. */
export const isNewerState = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message.includes(NEWER_STATE.message)
