import * as z from 'zod'
import { Deadline } from '../../core/deadline.ts'
import { fail } from '../../core/failure.ts'
import { MAX_CONSOLE_REPLY_BYTES } from '../../core/limits/consoles.ts'
import { SANDBOX_SCRIPT_MS } from '../../core/limits/sync.ts'
import { readAll } from '../../core/read-all.ts'
import { ROOT } from '../../core/workspace-path.ts'
import type { CommandResult, Runner } from '../../ports/runner.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import type { Mutex } from '../mutex.ts'
import type { CallContext, SessionSandbox } from '../sandbox/session-sandbox.ts'
import type { Answered, Question } from './question.ts'
import { NO_REPLY, NOT_IN_TIME, parseReply } from './reply.ts'
import { askScript, DIRECTORY, INSTALL, NOT_INSTALLED } from './scripts.ts'

interface Parts {
  readonly runner: Runner
  readonly sessionSandbox: SessionSandbox
  readonly mutex: Mutex
  readonly caller: CallContext
}

/**
 * Asks the host of notebook and shells by a command of its own, which starts the host when none runs.
 * @param installs puts the host's programs there first
 */
export async function askByCommand(
  parts: Parts,
  { request, timeoutMs, awakeMs }: Question,
  installs: boolean,
): Promise<Answered> {
  const result = await parts.runner.run({
    cwd: ROOT,
    script: `${installs ? `${INSTALL}\n` : ''}${askScript(request)}`,
    timeoutMs,
    // The output would have been the reply, which is late.
    answerMs: 0,
    awakeMs,
    label: 'console',
  })
  if (result.timedOut) fail('timeout', NOT_IN_TIME)
  const { conflicts, notes, restored, ms } = result
  const notices = { conflicts, notes, ...(restored && { restored }) }
  if (result.exitCode === NOT_INSTALLED) return { isThere: false, notices, ms }
  return { isThere: true, reply: await replyOf(result, parts), notices, ms }
}

async function replyOf({ exitCode, stdout }: CommandResult, parts: Parts): Promise<unknown> {
  const printed = exitCode === 0 ? parseReply(stdout.text) : null
  const file = Elsewhere.safeParse(printed)
  return file.success ? parseReply(await readReply(file.data.file, parts)) : printed
}

async function readReply(name: string, { sessionSandbox, mutex, caller }: Parts): Promise<string> {
  const sandbox = await mutex.run(() =>
    sessionSandbox.reach(sessionSandbox.sandboxId ?? '', SANDBOX_SCRIPT_MS, caller.signal),
  )
  const deadline = new Deadline(SANDBOX_SCRIPT_MS, caller.signal)
  try {
    const body = await sandbox?.readStream(`${DIRECTORY}/${name}`, deadline.signal)
    const bytes = body && (await deadline.race(readAll(body, MAX_CONSOLE_REPLY_BYTES)))
    return bytes ? new TextDecoder().decode(bytes) : fail('upstream', NO_REPLY)
  } catch (thrown) {
    // The output may have no file, or one without an end.
    if (thrown instanceof SandboxGone || deadline.isOver) fail('upstream', NO_REPLY, { cause: thrown })
    throw thrown
  } finally {
    deadline.settle()
  }
}

const Elsewhere = z.object({ file: z.string().regex(/^[0-9a-f]{16}\.reply$/) })
