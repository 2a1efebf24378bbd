import * as z from 'zod'
import { withAnySignal } from '../../core/any-signal.ts'
import { FailureError, fail } from '../../core/failure.ts'
import { CONSOLE_START_MS } from '../../core/limits/consoles.ts'
import type { LiveFollower } from '../../ports/runner.ts'
import { liveReader } from '../live/live-reader.ts'
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
  /** Takes what the call prints while it runs; left out where nobody follows it. */
  readonly live?: LiveFollower
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
    // The trace of a reply that comes by another way says how it was before that.
    const ended = traceOf('isAgain' in reported ? null : reply, ready.state.watched)
    return { answered: { isThere: true, reply, ms }, ended } as const
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

interface Passing {
  readonly signal: AbortSignal
  readonly sent: () => void
}

/** Asks once, and once more when the supervisor ends before the reply: the host knows the question by its id. */
async function ask(parts: Parts, ready: Ready, question: Question, { signal, sent }: Passing) {
  const id = crypto.randomUUID()
  let sentAt: number | null = null
  const note = () => {
    sentAt = parts.now()
    sent()
  }
  try {
    return await passOn(parts, ready, { question, id }, { signal, sent: note })
  } catch (thrown) {
    if (sentAt === null && thrown instanceof FailureError) throw new NotSent('', { cause: thrown })
    if (!(thrown instanceof ResidentGone) || signal.aborted) throw thrown
    return askAgain(parts, ready, { question, id, sentAt: sentAt ?? parts.now() }, signal).catch(notAgain)
  }
}

/** Time that another host takes to start at least, in seconds: one that is not older may not be the one that was asked. */
const LEAST_AGE_SECONDS = 0.2

async function askAgain(
  parts: Parts,
  ready: Ready,
  { question, id, sentAt }: { readonly question: Question; readonly id: string; readonly sentAt: number },
  signal: AbortSignal,
) {
  // Another supervisor takes a while to start.
  await parts.link.open(ready.sandbox, signal)
  const again = (parts.now() - sentAt) / 1_000 + LEAST_AGE_SECONDS
  const reply = await passOn(parts, ready, { question, id, again }, { signal, sent: () => undefined })
  // A host that is started now would do again what may have ended the one before.
  return 'missing' in reply ? fail('upstream', NO_REPLY) : { ...reply, isAgain: true }
}

function notAgain(thrown: unknown): never {
  if (thrown instanceof ResidentGone) fail('upstream', NO_REPLY, { cause: thrown })
  throw thrown
}

/** @param attempt `again` is the time in seconds since the question was first asked */
async function passOn(
  { link, live }: Parts,
  { sandbox, state }: Ready,
  { question, ...attempt }: { readonly question: Question; readonly id: string; readonly again?: number },
  { signal, sent }: Passing,
) {
  // Asked again, it has printed to nobody meanwhile.
  const follow = live && attempt.again === undefined ? { live: live.afterSeconds } : {}
  const message = {
    id: crypto.randomUUID(),
    do: 'console',
    seconds: question.timeoutMs / 1000,
    socket: SOCKET,
    ...follow,
    ask: JSON.stringify({ ...question.request, ...attempt, ...follow, watch: state.watchPort }),
  }
  const heard = live && liveReader(live.print)
  const reply = SupervisorReply.safeParse(await link.ask(sandbox, message, signal, sent, heard))
  return reply.success ? reply.data : fail('upstream', NO_REPLY)
}

const SupervisorReply = z.union([
  z.object({ said: z.string() }),
  z.object({ missing: z.literal(true) }),
  z.object({ stopped: z.literal(true) }),
])

const NO_TRACE = { background: false, changed: false }
const NEVER = new AbortController().signal
