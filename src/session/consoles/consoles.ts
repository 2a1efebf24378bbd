import { z } from 'zod'
import { checksum } from '../../core/checksum.ts'
import { Deadline } from '../../core/deadline.ts'
import { fail } from '../../core/failure.ts'
import { exceededAt } from '../../core/json-bounds.ts'
import {
  CELL_STOP_MS,
  CONSOLE_REPLY_MS,
  CONSOLE_START_MS,
  MAX_CONSOLE_REPLY_BYTES,
  MAX_CONSOLE_REPLY_DEPTH,
} from '../../core/limits/consoles.ts'
import { SANDBOX_SCRIPT_MS } from '../../core/limits/sync.ts'
import { readAll } from '../../core/read-all.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { ROOT } from '../../core/workspace-path.ts'
import type { ConsoleNews, ConsoleRequest, Consoles } from '../../ports/consoles.ts'
import type { CommandResult, Runner } from '../../ports/runner.ts'
import { SandboxGone, SYSTEM_PATH } from '../../ports/sandbox.ts'
import type { Lane } from '../lane.ts'
import type { Caller, Machine } from '../machine/machine.ts'
import { STATE_DIRECTORY } from '../machine/place.ts'
import { CLIENT } from './client.ts'
import { HOST } from './host.ts'
import { KERNEL } from './kernel.ts'
import type { ConsolePace } from './pace.ts'

/** A sandbox may be older than this program: each version has a place, and so a host, of its own. */
const VERSION = checksum(CLIENT + HOST + KERNEL)
const DIRECTORY = `${STATE_DIRECTORY}/consoles-${VERSION}`

const NOT_INSTALLED = 91
/** A cell that has not begun is not asked for more often than this. */
const MIN_QUESTION_MS = 1_000
/** The host's own wait for a pause of a shell's output. */
const SHELL_SETTLE_MS = 1_000

interface ConsolesParts {
  readonly runner: Runner
  readonly machine: Machine
  readonly lane: Lane
  readonly caller: Caller
  readonly pace: ConsolePace
  readonly now: () => number
}

type CellRequest = Extract<ConsoleRequest, { do: 'cell' | 'scratch' }>
type HostRequest = (ConsoleRequest & { readonly stop?: number }) | typeof HELLO
const HELLO = { do: 'hello', wait: 0 } as const

/** The `Consoles` port for one call: asks the host in the sandbox by commands, as any other. */
export class SessionConsoles implements Consoles {
  readonly #parts: ConsolesParts
  #news: ConsoleNews = { conflicts: [], notes: [] }

  constructor(parts: ConsolesParts) {
    this.#parts = parts
  }

  async ask(request: ConsoleRequest, awakeMs: number) {
    this.#news = { conflicts: [], notes: [] }
    const reply = await this.#replyTo(request, awakeMs)
    return { reply, news: this.#news }
  }

  #replyTo(request: ConsoleRequest, awakeMs: number): Promise<unknown> {
    if (request.do !== 'cell' && request.do !== 'scratch') return this.#question(request, awakeMs)
    return isReset(request) ? this.#question({ ...request, stop: 0 }, awakeMs) : this.#cell(request, awakeMs)
  }

  /**
   * A cell's time begins when the cell does, which only the host knows: it is asked until the time that a cell which began
   * at once would end, and then for as long as it says that there is left.
   */
  async #cell(request: CellRequest, awakeMs: number): Promise<unknown> {
    const { now, pace } = this.#parts
    const until = now() + request.wait * 1_000
    const stopMs = CELL_STOP_MS + pace.ms
    // What the host says of it may be a lie, so it is believed once.
    let due: number | null = null
    let next: CellRequest = request
    for (;;) {
      const end = Math.min(until, (due ?? now() + Math.max(request.seconds * 1_000, MIN_QUESTION_MS)) + stopMs)
      const asked = now()
      const wait = Math.max(0, end - asked) / 1_000
      const reply = await this.#question({ ...next, stop: stopMs / 1_000, wait }, awakeMs)
      const pending = Pending.safeParse(reply)
      if (!pending.success || now() >= until) return reply
      if (due !== null && now() >= due + stopMs) return fail('timeout', NOT_IN_TIME)
      // The host waits that long for the cell's end. Another program in its place would be asked without a pause.
      if (now() - asked < (wait * 1_000) / 2) return fail('upstream', NO_REPLY)
      const { left } = pending.data
      if (left !== null) due ??= now() + Math.min(left, request.seconds) * 1_000
      next = { ...request, run: pending.data.pending }
    }
  }

  async #question(request: ConsoleRequest & { readonly stop?: number }, awakeMs: number): Promise<unknown> {
    const mostMs = replyMs(request)
    let reply = await this.#once(request, mostMs, awakeMs)
    if (reply === NOT_INSTALLED) {
      await this.#once(HELLO, CONSOLE_START_MS, awakeMs)
      reply = await this.#once(request, mostMs, awakeMs)
    }
    if (reply === NOT_INSTALLED) fail('upstream', NO_REPLY)
    return reply
  }

  /** @param mostMs how long the host takes for it at most */
  async #once(request: HostRequest, mostMs: number, awakeMs: number): Promise<unknown> {
    const { runner, pace } = this.#parts
    const result = await runner.run({
      cwd: ROOT,
      script: `${request === HELLO ? `${INSTALL}\n` : ''}${askScript(request)}`,
      timeoutMs: mostMs + CONSOLE_REPLY_MS + pace.ms,
      // What it would have printed is the reply, which is late.
      answerMs: 0,
      awakeMs,
      label: 'console',
    })
    const { conflicts, notes, restored } = result
    this.#news = {
      conflicts: [...this.#news.conflicts, ...conflicts],
      notes: [...this.#news.notes, ...notes],
      ...((restored ?? this.#news.restored) && { restored: restored ?? this.#news.restored }),
    }
    if (result.timedOut) fail('timeout', NOT_IN_TIME)
    if (result.exitCode === NOT_INSTALLED) {
      pace.measured(result.ms)
      return NOT_INSTALLED
    }
    const reply = await this.#reply(result)
    const took = Took.safeParse(reply)
    if (took.success && request !== HELLO) pace.measured(result.ms, took.data.took * 1_000)
    return reply
  }

  async #reply({ exitCode, stdout }: CommandResult): Promise<unknown> {
    const said = exitCode === 0 ? parsed(stdout.text) : null
    const file = Elsewhere.safeParse(said)
    const reply = file.success ? parsed(await this.#read(file.data.file)) : said
    if (reply === null) fail('upstream', NO_REPLY)
    const refused = Refused.safeParse(reply)
    if (refused.success) fail('invalid_input', refused.data.refused)
    return reply
  }

  async #read(name: string): Promise<string> {
    const { machine, lane, caller } = this.#parts
    const sandbox = await lane.run(() => machine.reach(machine.sandboxId ?? '', SANDBOX_SCRIPT_MS, caller.signal))
    const deadline = new Deadline(SANDBOX_SCRIPT_MS, caller.signal)
    try {
      const body = await sandbox?.readStream(`${DIRECTORY}/${name}`, deadline.signal)
      const bytes = body && (await deadline.race(readAll(body, MAX_CONSOLE_REPLY_BYTES)))
      return bytes ? new TextDecoder().decode(bytes) : fail('upstream', NO_REPLY)
    } catch (thrown) {
      // Its file may be none, or one that has no end.
      if (thrown instanceof SandboxGone || deadline.isOver) fail('upstream', NO_REPLY, { cause: thrown })
      throw thrown
    } finally {
      deadline.settle()
    }
  }
}

/** Prints something when a shell or the notebook has run something in the last twelve seconds: their host notes it every two. */
export const CONSOLES_AT_WORK = `find ${STATE_DIRECTORY}/consoles-*/busy -mmin -0.2 2>/dev/null`

/** Longest time that the host takes for a request, in milliseconds. */
function replyMs(request: ConsoleRequest): number {
  if (request.do === 'command' && !request.run_async) return Math.min(request.seconds, request.wait) * 1_000
  const isShell = request.do !== 'cell' && request.do !== 'scratch'
  return request.wait * 1_000 + (isShell ? SHELL_SETTLE_MS : 0)
}

const isReset = ({ reset, code }: CellRequest) => reset && code.trim() === ''

const askScript = (request: HostRequest) => `cd ${DIRECTORY} 2>/dev/null && [ -f host.py ] || exit ${NOT_INSTALLED}
export CONSOLE_PATH=$PATH; PATH=${SYSTEM_PATH}
exec python3 -I -S client.py ${request.wait} <<'TOOLYARD_REQUEST'
${JSON.stringify(request)}
TOOLYARD_REQUEST`

const INSTALL = `mkdir -p -m 700 ${DIRECTORY}
printf %s ${shellQuote(KERNEL)} > ${DIRECTORY}/kernel.py && printf %s ${shellQuote(CLIENT)} > ${DIRECTORY}/client.py &&
printf %s ${shellQuote(HOST)} > ${DIRECTORY}/host.new && mv ${DIRECTORY}/host.new ${DIRECTORY}/host.py`

const Elsewhere = z.object({ file: z.string().regex(/^[0-9a-f]{16}\.reply$/) })
const Pending = z.object({ pending: z.string(), left: z.number().nullable() })
const Took = z.object({ took: z.number().min(0) })
const Refused = z.object({ refused: z.string().transform((text) => text.slice(0, MAX_REFUSAL_CHARS)) })
const MAX_REFUSAL_CHARS = 1_000

const NOT_IN_TIME =
  'TimeoutError: it ran into its deadline, and the process in the sandbox that runs it does not answer: it may be stopped. It goes on now or is ended, and the next call waits for that; variables are there as long as no answer says otherwise'
const NO_REPLY =
  'the notebook and the shells of the sandbox do not answer; its memory may be full, or it has no python3. Call again; if it stays so, reset or reconnect, which starts them anew'

function parsed(text: string): unknown {
  if (exceededAt(text, { depth: MAX_CONSOLE_REPLY_DEPTH, values: Number.POSITIVE_INFINITY })) return null
  try {
    return JSON.parse(text)
  } catch {
    return null // code of the task may have ended the program that prints it
  }
}
