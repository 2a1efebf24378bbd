import * as z from 'zod'
import { ActionReturn } from '../../lagent/action-return.ts'
import { type ActionOptions, BaseAction } from '../../lagent/base-action.ts'
import { ActionStatusCode } from '../../lagent/codes.ts'
import { type ActionDescription, apisOf } from '../../lagent/description.ts'
import { BaseParser, JsonParser, type ParserClass, TupleParser } from '../../lagent/parsers.ts'
import type { LagentParser, Python, PythonModule } from '../../ports/python.ts'
import { whyNot } from '../python-reply.ts'
import type { DescribedAction } from './described.ts'
import { fromWire, toWire } from './python-values.ts'

export interface PythonActionOptions {
  readonly module: PythonModule
  readonly described: DescribedAction
  /** Parser of the call; without it, the one that the class chose. */
  readonly parser?: LagentParser
  readonly timeoutMs: number
}

const PARSERS: Readonly<Record<LagentParser, ParserClass>> = { BaseParser, JsonParser, TupleParser }

/**
 * Lagent action in a tenant's Python: its inputs are read in the sandbox too, so that a call is Lagent's own. Parsers'
 * messages there are English, as of Lagent 0.5.
 */
export class PythonAction extends BaseAction {
  readonly #options: PythonActionOptions
  readonly #python: Python

  constructor(options: PythonActionOptions, python: Python) {
    const { instance, description } = options.described
    if (options.parser) {
      super({ description: withoutFormat(instance ?? description), parser: PARSERS[options.parser], language: 'en' })
    } else {
      super(optionsOf(options.described))
    }
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
    if (answer?.success) return Object.assign(new ActionReturn(), answer.data)
    // Where Lagent itself would crash, the call counts as failed.
    const args = { inputs, name }
    const errmsg = answer ? OTHER_TYPES : whyNot(reply)
    return new ActionReturn({ args, type: this.name, errmsg, state: ActionStatusCode.API_ERROR })
  }
}

/** Description of the action as it is listed, with its own parser's part about inputs. */
export const listedAs = (described: DescribedAction): ActionDescription =>
  new BaseAction(optionsOf(described)).description

/** Options of an action. The description of the class's instance has its own parser's part already. */
const optionsOf = ({ instance, description }: DescribedAction): ActionOptions =>
  instance ? { description: instance, parser: BaseParser } : { description, language: 'en' }

function withoutFormat(description: ActionDescription): ActionDescription {
  const copy = structuredClone(description)
  for (const [, api] of apisOf(copy)) delete api.parameter_description
  return copy
}

const OTHER_TYPES =
  'it gave back no ActionReturn, or one of other types than Lagent’s: `result` is a list of {type, content}, `state` a number'

/** Lagent's texts: Lagent takes any value and shows it as it came. */
const unchecked = z.unknown().transform((value) => value as string | null)

const Returned = z.object({
  args: z.unknown(),
  url: unchecked,
  type: z.string().nullable(),
  result: z.array(z.looseObject({ type: z.string(), content: z.unknown() })).nullable(),
  errmsg: z.unknown(),
  // The cast: Python's None stays what it is.
  state: z
    .number()
    .nullable()
    .transform((state) => state as number),
  thought: unchecked,
  valid: z.number().nullable(),
})
