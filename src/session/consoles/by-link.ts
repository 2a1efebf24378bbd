import * as z from 'zod'
import { withAnySignal } from '../../core/any-signal.ts'
import { FailureError, fail } from '../../core/failure.ts'
import { CONSOLE_START_MS } from '../../core/limits/consoles.ts'
import { ResidentGone, type ResidentLink } from '../resident/link.ts'
import type { SessionRunner } from '../sandbox/session-runner.ts'
import type { Ready } from '../sandbox/session-sandbox.ts'
import { Watchdog } from '../sandbox/watchdog.ts'
import type { Answered, Question } from './question.ts'
import { NO_REPLY, NOT_IN_TIME, parseReply, traceOf } from './reply.ts'
import { SOCKET } from './scripts.ts'

interface Parts {
  readonly runner: SessionRunner
  readonly link: ResidentLink
  readonly now: () => number
  /** Signals that end the call. */
  readonly signals: readonly AbortSignal[]
}

/** Error for a question that the supervisor never received: nothing of it was done. */
class NotSent extends Error {
  override readonly name = 'NotSent'
}

/**
 * Asks the host of notebook and shells by the sandbox's supervisor, which runs already: no program is started.
 * @returns null when no supervisor takes the question: nothing was done then
 */
export async function askByLink(parts: Parts, question: Question): Promise<Answered | null> {
  const { runner, now, signals } = parts
  const watchdog = new Watchdog(NEVER, 0)
  const neededMs = Math.max(question.awakeMs, question.timeoutMs)
  let began = now()
  const sent = () => {
    began = now()
    watchdog.start(question.timeoutMs)
  }
  const work = async (ready: Ready) => {
    watchdog.onOver(() => runner.noteOverdue(ready.sandbox, true))
    watchdog.start(question.timeoutMs + CONSOLE_START_MS)
    const asking = withAnySignal([...signals, watchdog.signal], (stopped) => {
      stopped.addEventListener('abort', () => watchdog.expire())
      return ask(parts, ready, question, { signal: stopped, sent })
    })
    const reported = await watchdog.untilDeadline(asking)
    const ms = now() - began
    if (reported === null || 'stopped' in reported) {
      asking.catch(() => undefined)
      await runner.endMarked(ready.sandbox)
      return { answered: null, ended: { background: true, changed: true } }
    }
    if ('missing' in reported) return { answered: { isThere: false, ms }, ended: NO_TRACE } as const
    const reply = parseReply(reported.said)
    return { answered: { isThere: true, reply, ms }, ended: traceOf(reply, ready.state.watched) } as const
  }
  try {
    const done = await runner.within(neededMs, watchdog, work)
    if (!done?.answered) return fail('timeout', NOT_IN_TIME)
    return { ...done.answered, notices: done.notices }
  } catch (thrown) {
    if (thrown instanceof NotSent) return null
    throw thrown
  }
}

async function ask(
  { link }: Parts,
  { sandbox, state }: Ready,
  { request, timeoutMs }: Question,
  { signal, sent }: { readonly signal: AbortSignal; readonly sent: () => void },
) {
  let wasSent = false
  const message = {
    id: crypto.randomUUID(),
    do: 'console',
    seconds: timeoutMs / 1000,
    socket: SOCKET,
    ask: JSON.stringify({ ...request, watch: state.watchPort }),
  }
  const note = () => {
    wasSent = true
    sent()
  }
  try {
    const reply = SupervisorReply.safeParse(await link.ask(sandbox, message, signal, note))
    return reply.success ? reply.data : fail('upstream', NO_REPLY)
  } catch (thrown) {
    if (!wasSent && thrown instanceof FailureError) throw new NotSent('', { cause: thrown })
    if (thrown instanceof ResidentGone && !signal.aborted) return fail('upstream', NO_REPLY, { cause: thrown })
    throw thrown
  }
}

const SupervisorReply = z.union([
  z.object({ said: z.string() }),
  z.object({ missing: z.literal(true) }),
  z.object({ stopped: z.literal(true) }),
])

const NO_TRACE = { background: false, changed: false }
const NEVER = new AbortController().signal
