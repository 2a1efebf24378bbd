import { ActionReturn } from './action-return.ts'
import { ActionStatusCode } from './codes.ts'
import { type ActionDescription, apisOf, isToolkitDescription } from './description.ts'
import { DEFAULT_LANGUAGE, type Language } from './parameter-description.ts'
import { type BaseParser, JsonParser, ParseError, type ParserClass } from './parsers.ts'
import { isDict, isTruthy, toStr, typeName } from './python/to-text.ts'
import { isApi } from './tool-api.ts'

/** Runs an API of an action that is implemented elsewhere. A thrown error is the call's error. */
export type ApiCaller = (api: string, args: Readonly<Record<string, unknown>>) => unknown

export interface ActionOptions {
  /** Description of the action; by default, its class's. */
  readonly description?: ActionDescription | null
  readonly parser?: ParserClass
  /** False: executors know the action, and never call it. */
  readonly enable?: boolean
  /** Language of what descriptions say about writing arguments. Default: Chinese, as published. */
  readonly language?: Language
  /** Caller of the APIs, for an action without methods of its own. */
  readonly caller?: ApiCaller
}

/**
 * Base class of all actions. Three ways to one: a class with a `run` (a tool) or with methods that {@link toolApi}
 * decorates (a toolkit); `tool` and `toolkit`, which make such a class of functions; or `new BaseAction({ description,
 * caller })`.
 */
export class BaseAction {
  /** The action's name. Default: the class's name; give it where a bundler may rename classes. */
  static readonly toolName?: string
  /** Description of the action: the docstring of its class. */
  static readonly doc?: string = 'Base class for all actions.'

  readonly #description: ActionDescription
  readonly #parser: BaseParser
  readonly #caller: ApiCaller | null
  /** False: executors treat the name as unknown. */
  enable: boolean

  /** Makes an action. @throws Error when the description requires a parameter that it lacks */
  constructor({
    description,
    parser = JsonParser,
    enable = true,
    language = DEFAULT_LANGUAGE,
    caller,
  }: ActionOptions = {}) {
    this.#description = withFormat(description ?? describeClass(new.target), parser.parameterDescription(language))
    this.#parser = new parser(this.#description)
    this.#caller = caller ?? null
    this.enable = enable
  }

  get name(): string {
    return this.#description.name
  }

  get description(): ActionDescription {
    return this.#description
  }

  get isToolkit(): boolean {
    return isToolkitDescription(this.#description)
  }

  /**
   * Calls an API with arguments as a model writes them. Never throws: an error is in the answer.
   * @param inputs for the action's parser
   * @param name the API; a tool has `run` only
   */
  async call(inputs: unknown, name = 'run'): Promise<ActionReturn> {
    const api = this.#apiNamed(name)
    if (!api) return this.#failed({ inputs, name }, ActionStatusCode.API_ERROR, `invalid API: ${name}`)
    let args: unknown
    try {
      args = this.#parser.parseInputs(inputs, name)
    } catch (thrown) {
      return this.#failed({ inputs, name }, ActionStatusCode.ARGS_ERROR, messageOf(thrown))
    }
    try {
      return this.#returned(args, await api(this.#mapping(args, name)))
    } catch (thrown) {
      const state = thrown instanceof ParseError ? ActionStatusCode.ARGS_ERROR : ActionStatusCode.API_ERROR
      return this.#failed(args, state, messageOf(thrown))
    }
  }

  #returned(args: unknown, value: unknown): ActionReturn {
    if (!(value instanceof ActionReturn)) {
      return new ActionReturn({ args, type: this.name, result: this.#parser.parseOutputs(value) })
    }
    if (!isTruthy(value.args)) value.args = args
    value.type ||= this.name
    return value
  }

  #failed(args: unknown, state: ActionStatusCode, errmsg: string): ActionReturn {
    return new ActionReturn({ args, type: this.name, errmsg, state })
  }

  #apiNamed(name: string): ((args: Readonly<Record<string, unknown>>) => unknown) | null {
    if (!apisOf(this.#description).some(([api]) => api === name)) return null
    const caller = this.#caller
    if (caller) return (args) => caller(name, args)
    const method = methodNamed(this, name)
    return typeof method === 'function' ? (args) => method.call(this, args) : null
  }

  #mapping(args: unknown, api: string): Readonly<Record<string, unknown>> {
    if (isDict(args)) return args instanceof Map ? Object.fromEntries(args) : args
    throw new TypeError(`${this.name}.${api}() argument after ** must be a mapping, not ${typeName(args)}`)
  }
}

/** A copy that also says how arguments are to be written. */
function withFormat(description: ActionDescription, format: string | null): ActionDescription {
  const copy = structuredClone(description)
  if (format !== null) for (const [, api] of apisOf(copy)) api.parameter_description = format
  return copy
}

/** Method of an API's name: the one that is described by it, which may have another name, else the one of that name. */
function methodNamed(action: BaseAction, name: string): unknown {
  for (let type = Object.getPrototypeOf(action); type !== BaseAction.prototype; type = Object.getPrototypeOf(type)) {
    const api = apiMethodsOf(type).find(([, method]) => method.apiDescription.name === name)
    if (api) return api[1]
  }
  return (action as unknown as Readonly<Record<string, unknown>>)[name]
}

const apiMethodsOf = (type: object) =>
  Object.entries(Object.getOwnPropertyDescriptors(type)).flatMap(([key, { value }]) =>
    isApi(value) ? [[key, value] as const] : [],
  )

/** Names that an API cannot have, since they are an action's own. */
const OWN_NAMES = new Set(Object.getOwnPropertyNames(BaseAction.prototype).concat('enable'))

/**
 * Description of a class. As in Lagent only the class's own members count, not inherited ones.
 * @throws TypeError when it has a decorated `run` and other APIs, two of one name, or one whose method has a name that is
 * taken
 */
export function describeClass(type: typeof BaseAction): ActionDescription {
  const { toolName, doc } = ownStatics(type)
  const name = toolName ?? type.name
  const description = doc ?? ''
  const apis = apiMethodsOf(type.prototype).map(([key, { apiDescription }]) => ({ key, api: apiDescription }))
  const taken = apis.find(({ key }) => OWN_NAMES.has(key))
  if (taken) throw new TypeError(`${name}: an API cannot be named ${taken.key}; actions have that themselves`)
  const run = apis.find(({ key }) => key === 'run')
  if (run && apis.length > 1) {
    throw new TypeError('`run` and other tool APIs can not be implemented at the same time')
  }
  const double = apis.find(({ api }, at) => apis.findIndex((other) => other.api.name === api.name) < at)
  if (double) throw new TypeError(`${name}: two APIs have the name ${double.api.name}`)
  if (run) return { ...run.api, name, description: run.api.description || description }
  if (apis.length > 0) return { name, description, api_list: apis.map(({ api }) => api) }
  return { name, description, parameters: [], required: [] }
}

/** Declarations of the class itself: a docstring of Python is not inherited either. */
export const ownStatics = (type: object): { readonly toolName?: string; readonly doc?: string } =>
  Object.fromEntries(Object.entries(type).filter(([key]) => key === 'toolName' || key === 'doc'))

const messageOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : toStr(thrown))
