import * as z from 'zod'
import { fail } from '../../../core/failure.ts'
import { MAX_AGENT_CHARS } from '../../../core/limits/registry.ts'
import { MAX_INPUT_TEXT_CHARS } from '../../../core/limits/requests.ts'
import { BaseAction } from '../../../lagent/base-action.ts'
import { flattened } from '../../../lagent/description.ts'
import { type SchemaTool, toAnthropic, toOpenAi } from '../../../lagent/formats.ts'
import { DEFAULT_LANGUAGE } from '../../../lagent/parameter-description.ts'
import { JsonParser, ParseError, type ParserClass } from '../../../lagent/parsers.ts'
import { readJson } from '../../../lagent/python/read-json.ts'
import { isDict, toRepr } from '../../../lagent/python/to-text.ts'
import { Tuple } from '../../../lagent/python/tuple.ts'
import { integer, withDefault } from '../../../tools/arguments.ts'
import { decodeInput } from '../../input.ts'
import { parseExactJson } from '../../json.ts'
import { type Action, type Api, describeAction, nameOf } from './action.ts'
import { TupleTextParser } from './tuple-text.ts'

const PARSERS: Readonly<Record<'json' | 'tuple', ParserClass>> = { json: JsonParser, tuple: TupleTextParser }
const Parser = z.enum(['json', 'tuple', 'JsonParser', 'TupleParser']).transform((name) => {
  return name === 'tuple' || name === 'TupleParser' ? 'tuple' : 'json'
})
/** Name of a session. Lagent's agents count their sessions, so numbers are accepted too. */
const Session = withDefault(
  z.preprocess((given) => (typeof given === 'number' ? String(given) : given), z.string()),
  'lagent',
)
const Agent = z.string().min(1).max(MAX_AGENT_CHARS).nullable().default(null)

export const ListQuery = z.object({
  format: z.enum(['lagent', 'openai', 'anthropic']).default('lagent'),
  language: z.enum(['en', 'zh']).default(DEFAULT_LANGUAGE),
  parser: Parser.default('json'),
  agent: Agent,
  /** Session whose own actions are listed too. */
  session: z.string().optional(),
  cursor: integer.pipe(z.int().min(0)).optional(),
})
type Form = Pick<z.output<typeof ListQuery>, 'format' | 'language' | 'parser'>

/** Body of a call. `parameters` is the name of the inputs in Lagent's messages. */
const ExecuteBody = z.object({
  session: Session,
  name: z.string(),
  inputs: z.unknown().optional(),
  parameters: z.unknown().optional(),
  parser: Parser.nullish(),
  agent: Agent,
})

/** Apis as a model sees them, those of toolkits one by one. */
export function encodeApis(actions: readonly Action[], form: Form): unknown[] {
  if (form.format === 'lagent') return actions.flatMap((action) => flattened(inLagentsForm(action, form)))
  const encode = form.format === 'openai' ? toOpenAi : toAnthropic
  return actions.flatMap((action) => action.apis.map((api) => encode(asSchemaTool(action, api))))
}

/** One api as {@link encodeApis} has it, or a toolkit as a whole. */
export function encodeFound(action: Action, api: Api | undefined, form: Form): unknown {
  if (api) return encodeApis([{ ...action, apis: [api] }], form)[0]
  return form.format === 'lagent' ? inLagentsForm(action, form) : { tools: encodeApis([action], form) }
}

const inLagentsForm = (action: Action, { parser, language }: Form) =>
  new BaseAction({ description: describeAction(action), parser: PARSERS[parser], language }).description

const asSchemaTool = (action: Action, api: Api): SchemaTool => ({
  name: nameOf(action, api),
  description: api.described.description,
  inputSchema: api.inputSchema,
})

/** Python actions for one session. */
export const ActionsBody = z.object({
  session: Session,
  source: z.string(),
  requirements: z.array(z.string()).default([]),
})

export interface Execution {
  readonly session: string
  readonly name: string
  readonly inputs: unknown
  /** Inputs for Python, which distinguishes 1.0 from 1 and has integers of any length. */
  readonly pythonInputs: () => unknown
  readonly kind: 'json' | 'tuple'
  readonly parser: ParserClass
  /** Parser that the body names. */
  readonly requestedParser: 'json' | 'tuple' | null
  readonly agent: string | null
}

/**
 * Decodes the call of a body, as JSON. Without a parser the inputs decide which one reads them: a list, and text that
 * begins with a bracket, is a tuple, all else JSON.
 * @throws FailureError `limit_exceeded`; `invalid_input`, also for inputs that are too large to be read
 */
export function decodeExecution(text: string): Execution {
  const { session, name, agent, ...body } = decodeInput(text, ExecuteBody, parseExactJson)
  const inputs = inputsOf(body)
  const kind = body.parser ?? (Array.isArray(inputs) || isTupleText(inputs) ? 'tuple' : 'json')
  if (typeof inputs === 'string') refuseTooMuch(inputs)
  const asTuple = (given: unknown) => (kind === 'tuple' && Array.isArray(given) ? Tuple.from(given) : given)
  return {
    session,
    name,
    agent,
    kind,
    parser: PARSERS[kind],
    requestedParser: body.parser ?? null,
    inputs: asTuple(inputs),
    pythonInputs: () => asTuple(text.length > MAX_INPUT_TEXT_CHARS ? inputs : inputsOf(readExactly(text))),
  }
}

type Inputs = Pick<z.output<typeof ExecuteBody>, 'inputs' | 'parameters'>

const inputsOf = ({ inputs, parameters }: Inputs) => (inputs !== undefined ? inputs : (parameters ?? {}))

/** Inputs of a body that was parsed before, hence the cast. */
const readExactly = (body: string) => readJson(body, { wholeFloats: true }) as Inputs

/**
 * Parser of an api's inputs. Lagent's parsers refuse undescribed arguments. An api without a description takes any object
 * of JSON.
 */
export const parserFor = (action: Action, api: string, parser: ParserClass): ParserClass =>
  parser === JsonParser && action.apis.some(({ name, takesAny }) => name === api && takesAny) ? AnyObjectParser : parser

class AnyObjectParser extends JsonParser {
  override parseInputs(inputs: unknown): unknown {
    const args = this.read(inputs)
    if (!isDict(args)) throw new ParseError(`the arguments must be a JSON object, not ${toRepr(args)}`)
    return args
  }
}

const isTupleText = (inputs: unknown) => typeof inputs === 'string' && /^\s*\(/.test(inputs)

function refuseTooMuch(text: string): void {
  if (text.length <= MAX_INPUT_TEXT_CHARS) return
  const limit = `${MAX_INPUT_TEXT_CHARS} characters (MAX_INPUT_TEXT_CHARS)`
  fail('invalid_input', `inputs that are text have at most ${limit}; send larger ones as an object`)
}
