import { z } from 'zod'
import { ActionReturn } from '../../lagent/action-return.ts'
import { BaseAction } from '../../lagent/base-action.ts'
import { ActionStatusCode, ActionValidCode } from '../../lagent/codes.ts'
import { BaseParser, JsonParser, type ParserClass, TupleParser } from '../../lagent/parsers.ts'
import type { LagentParser, Python, PythonModule } from '../../ports/python.ts'
import { whyNot } from '../python-reply.ts'
import type { DescribedAction } from './described.ts'
import { fromWire, toWire } from './python-values.ts'

export interface PythonActionOptions {
  readonly module: PythonModule
  readonly described: DescribedAction
  /** Without it, the one that the class chose. */
  readonly parser?: LagentParser
  readonly timeoutMs: number
}

const PARSERS: Readonly<Record<LagentParser, ParserClass>> = { BaseParser, JsonParser, TupleParser }

/** An action of Lagent that is a tenant's Python: its inputs are read in the sandbox too, so that a call is Lagent's own. */
export class PythonAction extends BaseAction {
  readonly #options: PythonActionOptions
  readonly #python: Python

  constructor(options: PythonActionOptions, python: Python) {
    const { instance, description } = options.described
    // What the class's own parser says stands in the description already.
    if (options.parser) super({ description, parser: PARSERS[options.parser] })
    else super(instance ? { description: instance, parser: BaseParser } : { description })
    this.#options = options
    this.#python = python
  }

  override async call(inputs: unknown, name = 'run'): Promise<ActionReturn> {
    const { module, described, parser, timeoutMs } = this.#options
    const reply = await this.#python.call({
      module,
      ask: {
        do: 'action',
        action: described.entry,
        arguments: {},
        ...(parser && { parser }),
        api: name,
        inputs: toWire(inputs),
      },
      timeoutMs,
    })
    const answer = reply.how === 'returned' ? Returned.safeParse(fromWire(reply.value)) : null
    if (answer?.success) return new ActionReturn(answer.data)
    // Where Lagent itself would crash, it is the call that failed.
    const args = { inputs, name }
    return new ActionReturn({ args, type: this.name, errmsg: whyNot(reply), state: ActionStatusCode.API_ERROR })
  }
}

const Returned = z.object({
  args: z.unknown(),
  url: z.string().nullable(),
  type: z.string().nullable(),
  result: z.array(z.object({ type: z.string(), content: z.string() })).nullable(),
  errmsg: z.unknown(),
  state: z.enum(ActionStatusCode),
  thought: z.string().nullable(),
  valid: z.enum(ActionValidCode),
})
