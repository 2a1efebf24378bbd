import { setTimeout as sleep } from 'node:timers/promises'
import { FLUSH_AFTER_MS } from '../src/core/limits/workspace.ts'

/** Time without work that is waited for: what a session puts off begins within it. */
const QUIET_MS = FLUSH_AFTER_MS + 2_000
const LOOK_EACH_MS = 500
/** Share of one processor that a server without work has in a look. */
const IDLE_SHARE = 0.08
const LONGEST_MS = 30 * 60_000

/**
 * Waits until the server has done nothing for a while, so that what sessions put off is not measured with what comes next.
 * @param processorMs what the server's process has had of the processor until now, in milliseconds
 * @throws Error when there is no such while in half an hour
 */
export async function untilQuiet(processorMs: () => number): Promise<void> {
  const end = performance.now() + LONGEST_MS
  let since = performance.now()
  let used = processorMs()
  while (performance.now() - since < QUIET_MS) {
    if (performance.now() > end) throw new Error('the server did not become quiet')
    await sleep(LOOK_EACH_MS)
    const now = processorMs()
    if (now - used > LOOK_EACH_MS * IDLE_SHARE) since = performance.now()
    used = now
  }
}
