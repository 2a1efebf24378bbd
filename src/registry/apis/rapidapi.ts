import { fail } from '../../core/failure.ts'
import { Gathered, type Imported, type ImportOptions } from './imported.ts'
import { ArgumentNames, standardCallName, standardName, ToolIds } from './names.ts'
import { type JsonObject, listOrEmpty, objectOf, textOf } from './references.ts'
import { shorten } from './schema.ts'

const RAPIDAPI_SECRET = 'RAPIDAPI_KEY'
const TOOLBENCH_SECRET = 'TOOLBENCH_KEY'

/**
 * Tools for APIs as ToolBench describes those of RapidAPI: one tool's JSON, a list of such, or XAgent's
 * `rapidapi_apis_infos.json`. Their names are `<Env>_rapi_<tool>_<api>`. Each is requested from its own host, with
 * RapidAPI's headers; with `baseUrl`, from a ToolBench server there, in XAgent's form.
 * Source: XAgent, ToolServerNode/extensions/envs/rapidapi.py; ToolBench, toolenv.
 * @throws FailureError `invalid_input`, `limit_exceeded`
 */
export function toolsOfRapidApi(given: unknown, options: ImportOptions): Imported {
  const gathered = new Gathered()
  const ids = new ToolIds(options.env)
  for (const api of Array.isArray(given) || 'api_list' in objectOf(given) ? fromToolBench(given) : fromXAgent(given)) {
    const operation = `${api.tool}, ${api.api}`
    const made = options.baseUrl === undefined ? ownHost(api, options, gathered) : atToolBench(api, options, gathered)
    if (typeof made === 'string') gathered.skip(operation, made)
    else {
      const name = `rapi_${standardName(api.tool)}_${standardCallName(api.api)}`
      const { properties, required } = schemaOf(api)
      const definition = {
        id: ids.of(name),
        name: `${api.tool}: ${api.api}`.slice(0, 200),
        description: shorten(api.description),
        input_schema: { type: 'object', properties, required },
        executor: { kind: 'http', ...made },
        toolkit: options.env,
        hidden: true,
      }
      gathered.add(definition, operation)
    }
  }
  return gathered.all()
}

/** One API of a tool. */
interface Api {
  readonly tool: string
  readonly api: string
  readonly category: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  /** URL; null where the description has none. */
  readonly url: string | null
  readonly method: string
  readonly host: string
}

interface Parameter {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly required: boolean
  readonly fallback?: unknown
}

function* fromToolBench(given: unknown): Generator<Api> {
  for (const tool of Array.isArray(given) ? given : [given]) {
    const { tool_name, title, tool_description, category, category_name, host, api_list } = objectOf(tool)
    const name = textOf(tool_name) || textOf(title)
    if (name === '') fail('invalid_input', 'each tool needs tool_name and api_list')
    for (const one of listOrEmpty(api_list)) {
      const api = objectOf(one)
      yield {
        tool: name,
        api: textOf(api.name) || textOf(api.url),
        category: textOf(category) || textOf(category_name),
        description: [tool_description, api.description].map(textOf).filter(Boolean).join('\n'),
        parameters: [...parametersOf(api.required_parameters, true), ...parametersOf(api.optional_parameters, false)],
        url: textOf(api.url) || null,
        method: (textOf(api.method) || 'GET').toUpperCase(),
        host: textOf(host),
      }
    }
  }
}

const parametersOf = (given: unknown, required: boolean): Parameter[] =>
  listOrEmpty(given).map((one) => {
    const { name, type, description, default: fallback } = objectOf(one)
    return { name: textOf(name), type: textOf(type), description: textOf(description), required, fallback }
  })

/** XAgent keeps each as the Python that it makes of it: what its docstring says is all there is. */
function* fromXAgent(given: unknown): Generator<Api> {
  for (const [uri, one] of Object.entries(objectOf(given))) {
    const { api_name, tool_name, category, code } = objectOf(one)
    if (typeof tool_name !== 'string' || typeof api_name !== 'string') {
      fail('invalid_input', `${uri.slice(0, 100)} has no tool_name and api_name: it is no description of RapidAPI's`)
    }
    const docstring = (textOf(code).split("'''")[1] ?? '').slice(0, MAX_DOCSTRING_CHARS)
    const [about = '', ...rest] = docstring.split(/^[^\S\n]*(?=:param )/m)
    yield {
      tool: tool_name,
      api: api_name,
      category: textOf(category),
      description: about.replace(/\s+/g, ' ').trim(),
      parameters: rest.flatMap(parameterIn),
      url: null,
      method: 'POST',
      host: '',
    }
  }
}

/** Greatest length of a docstring: longer text is none. */
const MAX_DOCSTRING_CHARS = 20_000

function parameterIn(text: string): Parameter[] {
  const [, type = '', optional, name = '', rawDescription = ''] =
    /^:param (\S+?)(\?)? (\S+?):([\s\S]*)/.exec(text) ?? []
  if (name === '') return []
  const description = rawDescription.replace(/\s+/g, ' ').trim()
  const at = description.lastIndexOf('defaults to ')
  const fallback = at === -1 ? undefined : description.slice(at + 'defaults to '.length)
  return [{ name, type, description, required: optional === undefined, fallback }]
}

/** The types that XAgent knows; any other of RapidAPI's (ENUM, DATE, …) is sent as text. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['NUMBER', 'integer'],
  ['INTEGER', 'integer'],
  ['BOOLEAN', 'boolean'],
  ['ARRAY', 'array'],
  ['OBJECT', 'object'],
])

function schemaOf({ parameters }: Api) {
  const properties: Record<string, JsonObject> = {}
  const required: string[] = []
  for (const [arg, { type, description, fallback, required: isRequired }] of named(parameters)) {
    const hasFallback = fallback !== undefined && fallback !== null && fallback !== ''
    properties[arg] = {
      type: TYPES.get(type.toUpperCase()) ?? 'string',
      description: shorten(description),
      ...(hasFallback && { default: fallback }),
    }
    if (isRequired) required.push(arg)
  }
  return { properties, required }
}

/** Each parameter under the name of its argument. */
function named(parameters: readonly Parameter[]): [string, Parameter][] {
  const names = new ArgumentNames()
  return parameters.filter(({ name }) => name !== '').map((one) => [names.of(one.name, 'parameter'), one])
}

function ownHost(api: Api, options: ImportOptions, gathered: Gathered): object | string {
  const { url, method, parameters } = api
  if (url === null) return 'it says no address; give base_url, the address of a ToolBench server'
  const host = api.host || (URL.parse(url)?.host ?? '')
  const args = new Map(named(parameters).map(([arg, { name }]) => [name, arg]))
  const inPath = new Set<string>()
  const target = url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    inPath.add(name)
    return `{${args.get(name) ?? name}}`
  })
  const rest = [...args].filter(([name]) => !inPath.has(name))
  const auth = keysOf(options, gathered, [
    { type: 'header', name: 'X-RapidAPI-Key', secret: RAPIDAPI_SECRET, of: 'X-RapidAPI-Key' },
  ])
  const isQuery = method === 'GET' || method === 'DELETE'
  const query = isQuery ? Object.fromEntries(rest.map(([name, arg]) => [name, { arg }])) : {}
  const body = isQuery ? null : { as: 'json', fields: Object.fromEntries(rest) }
  return { target, request: { method, query, body, headers: { 'X-RapidAPI-Host': host }, auth } }
}

/** The request of XAgent's own RapidAPIEnv. */
function atToolBench({ tool, api, category, parameters }: Api, options: ImportOptions, gathered: Gathered): object {
  const auth = keysOf(options, gathered, [
    { type: 'header', name: 'toolbench_key', secret: TOOLBENCH_SECRET, of: 'toolbench_key' },
    { type: 'body', name: 'toolbench_key', secret: TOOLBENCH_SECRET, of: 'toolbench_key' },
  ])
  const fixed = {
    category,
    tool_name: standardName(tool),
    api_name: standardCallName(api),
    strip: 'truncate',
  }
  const fields = Object.fromEntries(named(parameters).map(([arg, { name }]) => [name, arg]))
  return {
    target: options.baseUrl,
    request: { method: 'POST', body: { as: 'json', fixed, under: 'tool_input', fields }, auth },
  }
}

interface Key {
  readonly type: 'header' | 'body'
  readonly name: string
  readonly secret: string
  /** Name of the credential in the caller's `auth`. */
  readonly of: string
}

function keysOf({ auth = {} }: ImportOptions, gathered: Gathered, keys: readonly Key[]): object[] {
  if (Array.isArray(auth)) {
    for (const { secret } of auth) gathered.secret(secret, 'all operations')
    return [...auth]
  }
  const given = objectOf(auth)
  return keys.map(({ of, secret, ...key }) => ({ ...key, secret: gathered.secret(textOf(given[of]) || secret, of) }))
}
