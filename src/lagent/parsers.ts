import type { ReturnedContent } from './action-return.ts'
import { type ActionDescription, type ApiDescription, apisOf, isToolkitDescription } from './description.ts'
import { keepGbk } from './gbk.ts'
import { JSON_FORMAT, type Language, TUPLE_FORMAT } from './parameter-description.ts'
import { trim, trimEnd, trimStart } from './python/blanks.ts'
import { dumpJson } from './python/dump-json.ts'
import { readJson } from './python/read-json.ts'
import { readLiteral } from './python/read-literal.ts'
import { isDict, toRepr, toStr, typeName } from './python/to-text.ts'
import { Tuple } from './python/tuple.ts'

/** Arguments that do not fit. The message is the `errmsg` of the call, for the model to read. */
export class ParseError extends Error {
  override readonly name = 'ParseError'

  get errMsg(): string {
    return this.message
  }
}

/** Constructor of a parser, as actions call it. */
export interface ParserClass {
  new (description: ActionDescription): BaseParser
  /** Text of descriptions about writing arguments; null without any. */
  parameterDescription(language: Language): string | null
}

/** Takes the whole input as the first parameter. */
export class BaseParser {
  readonly #apis: ReadonlyMap<string, ApiDescription>

  static parameterDescription(_language: Language): string | null {
    return null
  }

  /** Makes a parser. @throws Error when an API requires a parameter that it lacks */
  constructor(description: ActionDescription) {
    this.#apis = new Map(apisOf(description))
    for (const api of this.#apis.values()) {
      const unknown = without(api.required, namesOf(api))
      const name = isToolkitDescription(description) ? `${description.name}.${api.name}` : api.name
      if (unknown.length > 0) throw new Error(`unknown parameters for function "${name}": ${toRepr(new Set(unknown))}`)
    }
  }

  /**
   * Arguments by name. A value that is no dict, as a JSON array may be here, fails when it is passed on.
   * @throws ParseError
   */
  parseInputs(inputs: unknown, name = 'run'): unknown {
    const [first] = this.api(name).parameters
    return first ? { [first.name]: inputs } : mistaken('this API takes no arguments')
  }

  /** Return value of an API as text for a model: a dict as JSON, text as it is, anything else as Python prints it. */
  parseOutputs(outputs: unknown): ReturnedContent[] {
    return [{ type: 'text', content: keepGbk(isDict(outputs) ? dumpJson(outputs) : toStr(outputs)) }]
  }

  protected api(name: string): ApiDescription {
    return this.#apis.get(name) ?? mistaken(`invalid API: ${name}`)
  }
}

/** Takes JSON text, also in a fenced block, or an object. Values are not checked, and defaults not filled in. */
export class JsonParser extends BaseParser {
  static override parameterDescription(language: Language): string {
    return JSON_FORMAT[language]
  }

  override parseInputs(inputs: unknown, name = 'run'): unknown {
    const args = this.read(inputs)
    const given = keysOf(args)
    const api = this.api(name)
    const unknown = without(given, namesOf(api))
    if (unknown.length > 0) mistaken(`unknown arguments: ${toRepr(new Set(unknown))}`)
    const missing = without(api.required, given)
    if (missing.length > 0) mistaken(`missing required arguments: ${toRepr(new Set(missing))}`)
    return args
  }

  /** The value that the text is, of any type, or the object. */
  protected read(inputs: unknown): unknown {
    if (typeof inputs !== 'string') return isDict(inputs) ? inputs : mistaken(`invalid json format: ${toRepr(inputs)}`)
    const text = withoutFence(inputs)
    try {
      return readJson(text)
    } catch {
      return mistaken(`invalid json format: ${text}`)
    }
  }
}

/** Takes a tuple, or the text of one as Python writes it; the items are the arguments in their order. */
export class TupleParser extends BaseParser {
  static override parameterDescription(language: Language): string {
    return TUPLE_FORMAT[language]
  }

  override parseInputs(inputs: unknown, name = 'run'): unknown {
    const items = itemsOf(inputs instanceof Tuple ? inputs : this.#read(inputs))
    const { parameters, required } = this.api(name)
    const given = `but ${items.length} were given`
    if (items.length < required.length) {
      mistaken(`API takes ${required.length} required positional arguments ${given}`)
    }
    if (items.length > parameters.length) mistaken(`API takes ${parameters.length} positional arguments ${given}`)
    return Object.fromEntries(parameters.slice(0, items.length).map((parameter, at) => [parameter.name, items[at]]))
  }

  #read(inputs: unknown): unknown {
    try {
      if (typeof inputs === 'string') return readLiteral(inputs)
    } catch {
      // said below
    }
    return mistaken(`invalid tuple format: ${toStr(inputs)}`)
  }
}

function mistaken(message: string): never {
  throw new ParseError(message)
}

const namesOf = (api: ApiDescription) => api.parameters.map((parameter) => parameter.name)

const without = (names: readonly unknown[], known: readonly unknown[]) => names.filter((name) => !known.includes(name))

/**
 * Content of a block that ends with a fence: a fence with `json` before it is dropped, any other stays and is no JSON.
 * Written out, since a regular expression of this shape takes quadratic time over blanks.
 */
function withoutFence(text: string): string {
  const end = '\n```'
  const trimmed = trimEnd(text)
  if (!trimmed.endsWith(end)) return text
  const body = trimStart(trimmed.slice(0, -end.length))
  const start = '```json\n'
  return trim(body.startsWith(start) ? body.slice(start.length) : body)
}

/** Keys of a value in Python: those of a dict, the items of a list, the characters of a string. */
function keysOf(args: unknown): readonly unknown[] {
  if (typeof args === 'string') return [...new Set(args)]
  if (Array.isArray(args)) {
    const nested = args.find((item) => typeof item === 'object' && item !== null)
    return nested === undefined ? [...new Set(args)] : mistaken(`unknown arguments: ${toRepr(nested)}`)
  }
  if (isDict(args)) return args instanceof Map ? [...args.keys()] : Object.keys(args)
  return mistaken(`the arguments must be a JSON object, not ${toRepr(args)}`)
}

/** Items of a value in Python: those of anything that has a length. */
function itemsOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [...value]
  if (Array.isArray(value) || value instanceof Set || value instanceof Uint8Array) return [...value]
  if (isDict(value)) return value instanceof Map ? [...value.keys()] : Object.keys(value)
  return mistaken(`the arguments must be a tuple, not ${toRepr(value)} of type ${typeName(value)}`)
}
