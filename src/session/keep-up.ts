import { BEGUN_LOOK_MS } from '../core/limits/calls.ts'
import { JOB_LOOK_MS } from '../core/limits/jobs.ts'
import { SESSION_IDLE_MS } from '../core/limits/sessions.ts'
import {
  EXPIRE_AGAIN_MS,
  EXPIRE_BATCHES,
  FLUSH_AFTER_MS,
  FLUSH_AGAIN_MS,
  FLUSH_BATCHES,
  HISTORY_UPKEEP_MS,
} from '../core/limits/workspace.ts'
import type { SessionWorkspace } from '../workspace/workspace.ts'
import type { Session } from './session.ts'

/** Time until failed background work is tried again. */
export const RETRY_AFTER_MS = 60_000

/**
 * Does the work due in a session without calls: reports completions, looks after jobs, sends contents to the blob store, gives an
 * idle sandbox back.
 * @param wakeWithin schedules the next call of this within so many milliseconds
 */
export async function keepUp(
  session: Session,
  workspace: SessionWorkspace,
  wakeWithin: (ms: number) => Promise<void>,
): Promise<void> {
  const { outbox } = session.accounting
  await outbox.tell()
  outbox.forgetHeard()
  await session.settle()
  await session.keepUpJobs()
  if (session.hasJobs) await wakeWithin(JOB_LOOK_MS)
  if (session.begun.areRunning || session.lasting.areNoted) await wakeWithin(BEGUN_LOOK_MS)
  let expires = true
  for (let batch = 0; expires && batch < EXPIRE_BATCHES; batch++) expires = workspace.expire()
  // A search reads for some tenths of a second, and takes several times as long beside this; what waits is safe where it is.
  let flushes = await workspace.flush()
  for (let batch = 1; flushes && batch < FLUSH_BATCHES && !session.hasFileCall; batch++)
    flushes = await workspace.flush()
  const idleFor = Date.now() - session.lastUsed
  if (idleFor >= SESSION_IDLE_MS) await session.rest()
  const nextCheck = await session.fileCheck.keepUp()
  if (nextCheck !== null) await wakeWithin(nextCheck)
  const nextLook = await session.quiet.keepUp()
  await outbox.tell() // what the sandbox took
  if (nextLook !== null) await wakeWithin(nextLook)
  if (expires) await wakeWithin(EXPIRE_AGAIN_MS)
  else if (flushes) await wakeWithin(FLUSH_AGAIN_MS)
  else if (workspace.needsFlush() || outbox.hasUnacknowledged) await wakeWithin(FLUSH_AFTER_MS)
  else if (session.hasSandbox) await wakeWithin(Math.max(SESSION_IDLE_MS - idleFor, RETRY_AFTER_MS))
  else if (workspace.commits({ limit: 1 }).commits.length > 0) await wakeWithin(HISTORY_UPKEEP_MS)
}
