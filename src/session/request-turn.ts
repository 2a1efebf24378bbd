import { newCallId } from '../core/ids.ts'
import type { QueuedCall } from './scheduler.ts'
import { Stopwatch } from './stopwatch.ts'

/**
 * Place among the calls of a request that is none.
 * @param looks false: files are enough as they are known, and the sandbox is not looked at
 */
export const requestTurn = (now: () => number, looks = true): QueuedCall => ({
  callId: newCallId(now()),
  stopwatch: new Stopwatch(now),
  ...(!looks && { hasFiles: () => true }),
})
