import { FailureError } from '../../core/failure.ts'
import { KILL_GRACE_MS } from '../../core/limits/sandbox.ts'
import { type RunResult, type Sandbox, SandboxGone, SandboxNotThere } from '../../ports/sandbox.ts'
import { type Ended, killScript, readEnd, type Unable, type Wrapped, wrapUp } from './exec-script.ts'
import { fetchOutputs } from './printed.ts'

/** Pause between two attempts to end a command, where there is no room for the process that does it. */
const KILL_AGAIN_MS = 250

interface Ending {
  readonly now: () => number
  readonly signal: AbortSignal
}

/**
 * Ends a command whose deadline came or whose shell was killed, from inside of its sandbox.
 * @param by as {@link wrapUp} takes it
 * @returns null when nothing in the sandbox could end it
 */
export async function endCommand(
  sandbox: Sandbox,
  wrapped: Wrapped,
  by: { readonly pid: number | null } | null,
  ending: Ending,
): Promise<Ended | Unable | null> {
  const printed = await insist(sandbox, wrapUp(wrapped, by), ending)
  const ended = printed && readEnd(printed, wrapped)
  if (ended) return ended
  // Long outputs may have taken it too long.
  if (!(await endMarked(sandbox, wrapped.callId, by, ending))) return null
  const { stdout, stderr } = await fetchOutputs(sandbox, wrapped.callId)
  return { exitCode: 137, stdout, stderr, background: true, changed: true }
}

/** Ends all processes of a call, and lets our own programs continue. @returns false when nothing in the sandbox could */
export async function endMarked(
  sandbox: Sandbox,
  callId: string,
  by: { readonly pid: number | null } | null,
  ending: Ending,
): Promise<boolean> {
  const resume = by?.pid ? `kill -CONT ${by.pid} 2>/dev/null\n` : ''
  return (await insist(sandbox, resume + killScript(callId), ending))?.exitCode === 0
}

/**
 * Runs one of our scripts, again where there is no room for another process just now.
 * @returns null when the sandbox did not run it in time
 */
async function insist(sandbox: Sandbox, script: string, { now, signal }: Ending): Promise<RunResult | null> {
  for (const until = now() + KILL_GRACE_MS; ; ) {
    const next = now() + KILL_AGAIN_MS
    try {
      return await withinDeadline(sandbox.run(script, { timeoutMs: Math.max(1, until - now()), signal }))
    } catch (thrown) {
      if (!(thrown instanceof SandboxGone)) throw thrown
      if (thrown instanceof SandboxNotThere || next >= until) return null
    }
    await sleep(next - now())
  }
}

/** Result of a script. @returns null when the deadline came */
export const withinDeadline = (run: Promise<RunResult>): Promise<RunResult | null> =>
  run.catch((thrown) => (isTimeout(thrown) ? null : Promise.reject(thrown)))

const isTimeout = (thrown: unknown) => thrown instanceof FailureError && thrown.failure.code === 'timeout'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
