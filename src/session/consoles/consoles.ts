import { z } from 'zod'
import { checksum } from '../../core/checksum.ts'
import { Deadline } from '../../core/deadline.ts'
import { fail } from '../../core/failure.ts'
import { exceededAt } from '../../core/json-bounds.ts'
import { MAX_CONSOLE_REPLY_BYTES, MAX_CONSOLE_REPLY_DEPTH } from '../../core/limits/consoles.ts'
import { readAll } from '../../core/read-all.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { ROOT } from '../../core/workspace-path.ts'
import type { ConsoleRequest, Consoles } from '../../ports/consoles.ts'
import type { CommandResult, Runner } from '../../ports/runner.ts'
import { SandboxGone, SYSTEM_PATH } from '../../ports/sandbox.ts'
import type { Lane } from '../lane.ts'
import type { Caller, Machine } from '../machine/machine.ts'
import { STATE_DIRECTORY } from '../machine/place.ts'
import { CLIENT } from './client.ts'
import { HOST } from './host.ts'
import { KERNEL } from './kernel.ts'

/** A sandbox may be older than this program: each version has a place, and so a host, of its own. */
const VERSION = checksum(CLIENT + HOST + KERNEL)
const DIRECTORY = `${STATE_DIRECTORY}/consoles-${VERSION}`

const NOT_INSTALLED = 91
const SCRIPT_MS = 20_000

interface ConsolesParts {
  readonly runner: Runner
  readonly machine: Machine
  readonly lane: Lane
  readonly caller: Caller
}

/** The `Consoles` port for one call: asks the host in the sandbox by a command, as any other. */
export class SessionConsoles implements Consoles {
  readonly #parts: ConsolesParts

  constructor(parts: ConsolesParts) {
    this.#parts = parts
  }

  async ask(request: ConsoleRequest, awakeMs: number) {
    const { runner } = this.#parts
    const command = { cwd: ROOT, timeoutMs: awakeMs, label: 'console' }
    let result = await runner.run({ ...command, script: askScript(request) })
    if (result.exitCode === NOT_INSTALLED) {
      const first = result
      result = await runner.run({ ...command, script: `${INSTALL}\n${askScript(request)}` })
      result = {
        ...result,
        ...(first.restored && { restored: first.restored }),
        notes: [...first.notes, ...result.notes],
      }
    }
    const { conflicts, notes, restored } = result
    return { reply: await this.#reply(result), news: { conflicts, notes, ...(restored && { restored }) } }
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
    const sandbox = await lane.run(() => machine.reach(machine.sandboxId ?? '', SCRIPT_MS, caller.signal))
    const deadline = new Deadline(SCRIPT_MS, caller.signal)
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

const askScript = (request: ConsoleRequest) => `cd ${DIRECTORY} 2>/dev/null && [ -f host.py ] || exit ${NOT_INSTALLED}
export CONSOLE_PATH=$PATH; PATH=${SYSTEM_PATH}
exec python3 -I -S client.py ${request.wait} <<'TOOLYARD_REQUEST'
${JSON.stringify(request)}
TOOLYARD_REQUEST`

const INSTALL = `mkdir -p -m 700 ${DIRECTORY}
printf %s ${shellQuote(KERNEL)} > ${DIRECTORY}/kernel.py && printf %s ${shellQuote(CLIENT)} > ${DIRECTORY}/client.py &&
printf %s ${shellQuote(HOST)} > ${DIRECTORY}/host.new && mv ${DIRECTORY}/host.new ${DIRECTORY}/host.py`

const Elsewhere = z.object({ file: z.string().regex(/^[0-9a-f]{16}\.reply$/) })
const Refused = z.object({ refused: z.string().transform((text) => text.slice(0, MAX_REFUSAL_CHARS)) })
const MAX_REFUSAL_CHARS = 1_000

const NO_REPLY =
  'the notebook and the shells of the sandbox do not answer; its memory may be full, or it has no python3. Call again: they are started anew'

function parsed(text: string): unknown {
  if (exceededAt(text, { depth: MAX_CONSOLE_REPLY_DEPTH, values: Number.POSITIVE_INFINITY })) return null
  try {
    return JSON.parse(text)
  } catch {
    return null // code of the task may have ended the program that prints it
  }
}
