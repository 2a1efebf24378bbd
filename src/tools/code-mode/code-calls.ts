import * as z from 'zod'
import { parseExactly } from '../../core/exact-json.ts'
import { type Failure, FailureError, fail, toFailure } from '../../core/failure.ts'
import { exceededAt } from '../../core/json-bounds.ts'
import {
  CODE_CALLS_END_MS,
  MAX_CODE_ANSWER_CHARS,
  MAX_CODE_ANSWERS_CHARS,
  MAX_CODE_CALL_BYTES,
  MAX_CODE_CALLS,
} from '../../core/limits/code-mode.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../core/limits/requests.ts'
import type { Result } from '../../core/outcome.ts'
import { rateLimitedOf } from '../../core/rate-limited.ts'
import { settledWithin } from '../../core/settled-within.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import type { HasFiles } from '../../ports/runner.ts'
import type { Toolbox, ToolboxCall } from '../../ports/toolbox.ts'

export const CODE_RUN_TOOLS = 'code_run_tools'

const Line = z.object({ tool: z.string().min(1).max(1_000), args: z.record(z.string(), z.unknown()) })

/** Calls of one tool by the code, counted. */
interface Counted {
  calls: number
  failed: number
}

/**
 * Calls of tools that one run of code makes. Each is a call of the session in the name of its caller: in the history, with the rights,
 * limits and budgets of the key.
 */
export class CodeCalls {
  readonly #toolbox: Toolbox
  readonly #allowed: ReadonlySet<string> | null
  readonly #over = new AbortController()
  readonly #signal: AbortSignal
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #counted = new Map<string, Counted>()
  #calls = 0
  #chars = 0

  /** @param allowed names of the only tools that the code may call; null for all that its caller may */
  constructor(toolbox: Toolbox, allowed: readonly string[] | null, signal: AbortSignal) {
    this.#toolbox = toolbox
    this.#allowed = allowed && new Set(allowed)
    this.#signal = AbortSignal.any([signal, this.#over.signal])
  }

  /** Makes the call of a line, and gives the line of its answer. Never rejects. */
  answer(line: string, hasFiles: HasFiles): Promise<string> {
    const answered = this.#answer(line, hasFiles)
    this.#underWay.add(answered)
    return answered.finally(() => this.#underWay.delete(answered))
  }

  /** Ends the calls under way: their program has ended. */
  async end(): Promise<void> {
    this.#over.abort(new FailureError({ code: 'conflict', message: 'the code that made this call has ended' }))
    await settledWithin(Promise.all(this.#underWay), CODE_CALLS_END_MS)
  }

  /** Number of calls, and of each tool by its name. */
  get counts(): { readonly calls: number; readonly tools: Readonly<Record<string, Readonly<Counted>>> } {
    return { calls: this.#calls, tools: Object.fromEntries(this.#counted) }
  }

  async #answer(line: string, hasFiles: HasFiles): Promise<string> {
    try {
      const { tool, args } = readLine(line)
      const answer = JSON.stringify({ data: await this.#call({ tool, args, isSilent: true, hasFiles }) })
      this.#checkSize(tool, answer)
      return answer
    } catch (thrown) {
      return JSON.stringify({ error: errorOf(toFailure(thrown)) })
    }
  }

  async #call(call: ToolboxCall): Promise<Result['data']> {
    const { tool } = call
    this.#calls += 1
    if (this.#calls > MAX_CODE_CALLS) {
      fail(
        'limit_exceeded',
        `the code has made ${MAX_CODE_CALLS} calls of tools (MAX_CODE_CALLS); find or read more in one call, or go on in a further run`,
      )
    }
    const counted = this.#counted.get(tool) ?? { calls: 0, failed: 0 }
    if (this.#counted.size < MAX_COUNTED_TOOLS) this.#counted.set(tool, counted)
    counted.calls += 1
    try {
      this.#checkName(tool)
      const { around, budget } = this.#toolbox.nesting
      const nesting = { around: [...around, CODE_RUN_TOOLS], budget }
      const answer = await this.#toolbox.call(call, nesting, this.#signal)
      return 'soFar' in answer ? answer.soFar.data : answer.data
    } catch (thrown) {
      counted.failed += 1
      throw thrown
    }
  }

  #checkName(tool: string): void {
    if (tool === CODE_RUN_TOOLS) fail('invalid_input', IN_ITSELF)
    // Its own arguments name the tool, which would pass by the list.
    if (tool === 'registered_call') fail('invalid_input', 'call the registered tool itself, by its id')
    if (this.#allowed && !this.#allowed.has(tool))
      fail(
        'forbidden',
        `the call named the tools of this code in \`tools\`, and ${tool.slice(0, 100)} is not among them`,
      )
  }

  #checkSize(tool: string, answer: string): void {
    if (answer.length > MAX_CODE_ANSWER_CHARS) {
      fail(
        'limit_exceeded',
        `the result of ${tool.slice(0, 100)} has ${answer.length} characters as JSON; at most ${MAX_CODE_ANSWER_CHARS} are taken (MAX_CODE_ANSWER_CHARS). Ask for less, or read the file itself: the code runs beside the files`,
      )
    }
    this.#chars += answer.length
    if (this.#chars > MAX_CODE_ANSWERS_CHARS) {
      fail(
        'limit_exceeded',
        `the results of this code have more than ${MAX_CODE_ANSWERS_CHARS} characters (MAX_CODE_ANSWERS_CHARS); ask for less, or go on in a further run`,
      )
    }
  }
}

/** Failure of a call, as the code gets it. `retry_after` is in seconds. */
function errorOf(failure: Failure) {
  const { code, message } = failure
  const rate = rateLimitedOf(failure)
  if (!rate) return { code, message }
  const isOneItself = rate.kind === 'concurrency' && rate.scope !== 'tool'
  return {
    code,
    message: isOneItself ? `${message}. The call that runs this code is one of them` : message,
    retry_after: rate.retryAfterMs / 1_000,
  }
}

/** Why code does not run within code, said where it tries. */
export const IN_ITSELF = `${CODE_RUN_TOOLS} cannot be called by code that it runs, nor by a chain in it; call the tools themselves`

/** Tools that the answer counts by their names: code may make names up. */
const MAX_COUNTED_TOOLS = 100

/** A call, from a hostile line. @throws FailureError `invalid_input`, `limit_exceeded` */
function readLine(line: string): z.output<typeof Line> {
  // The sandbox sends an empty line for one that is too long.
  if (line === '' || utf8Length(line) > MAX_CODE_CALL_BYTES) {
    fail(
      'limit_exceeded',
      `the call has more than ${MAX_CODE_CALL_BYTES} bytes as JSON (MAX_CODE_CALL_BYTES); write large contents into a file of the task by the code itself`,
    )
  }
  const exceeded = exceededAt(line, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES })
  if (exceeded) fail('invalid_input', `the arguments have too many ${exceeded.what === 'depth' ? 'levels' : 'values'}`)
  const parsed = Line.safeParse(jsonOrNull(line))
  if (!parsed.success) fail('invalid_input', 'a call is one line of JSON with tool and args')
  return parsed.data
}

function jsonOrNull(line: string): unknown {
  try {
    return parseExactly(line)
  } catch {
    return null
  }
}
