import { FailureError, fail } from '../../core/failure.ts'
import { MAX_REQUEST_PARTS } from '../../core/limits/registry.ts'
import { MAX_URL_CHARS } from '../../core/limits/web.ts'
import { Gathered, type Imported, type ImportOptions } from './imported.ts'
import { ArgumentNames, standardCallName, ToolIds } from './names.ts'
import { OperationArguments } from './openapi-arguments.ts'
import { SecurityReader } from './openapi-security.ts'
import { serverOf } from './openapi-servers.ts'
import { type JsonObject, listOrEmpty, objectOf, References, textOf } from './references.ts'
import { SchemaReader, shorten } from './schema.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/**
 * Tools for the operations of an OpenAPI document of version 3: one env, hidden, `<Env>_<operation>`.
 * @see https://spec.openapis.org/oas/v3.1.1.html
 * @throws FailureError `invalid_input` for any other document, `limit_exceeded`
 */
export function toolsOfOpenApi(given: unknown, options: ImportOptions): Imported {
  const document = objectOf(given)
  refuseOthers(document)
  const gathered = new Gathered()
  const references = new References(document)
  const context: Context = {
    document,
    options,
    references,
    gathered,
    ids: new ToolIds(options.env),
    security: new SecurityReader(document, references, gathered, options),
  }
  for (const [path, item] of references.entries(document.paths)) {
    const operations = followed(context, item, path)
    for (const method of METHODS) {
      if (operations !== null && operations[method] !== undefined) {
        addOperation(context, { path, method, item: operations, operation: objectOf(operations[method]) })
      }
    }
  }
  return gathered.all()
}

interface Context {
  readonly document: JsonObject
  readonly options: ImportOptions
  readonly references: References
  readonly gathered: Gathered
  readonly ids: ToolIds
  readonly security: SecurityReader
}

interface Operation {
  readonly path: string
  readonly method: (typeof METHODS)[number]
  readonly item: JsonObject
  readonly operation: JsonObject
}

function refuseOthers({ openapi, swagger }: JsonObject): void {
  if (/^3\.\d/.test(textOf(openapi))) return
  if (swagger !== undefined) {
    const how = 'convert it first, e.g. with "npx swagger2openapi" or at https://converter.swagger.io'
    fail('invalid_input', `this is Swagger ${String(swagger).slice(0, 10)}; only OpenAPI 3 is read: ${how}`)
  }
  fail('invalid_input', 'this is no OpenAPI document: it has no "openapi: 3.…"')
}

function followed({ references, gathered }: Context, item: unknown, path: string): JsonObject | null {
  return orSkipped(gathered, path, () => references.follow(item))
}

/** Does the work for one operation, and skips the operation when that fails: the others still become tools. */
function orSkipped<T>(gathered: Gathered, operation: string, work: () => T): T | null {
  try {
    return work()
  } catch (thrown) {
    if (!(thrown instanceof FailureError) || thrown.failure.code !== 'invalid_input') throw thrown
    gathered.skip(operation, thrown.failure.message)
    return null
  }
}

function addOperation(context: Context, operation: Operation): void {
  const shown = `${operation.method.toUpperCase()} ${operation.path}`
  // Without a server no operation has one.
  const server = serverOf([operation.operation, operation.item, context.document], context.options)
  orSkipped(context.gathered, shown, () => {
    const made = toolOf(context, operation, server)
    if (typeof made === 'string') context.gathered.skip(shown, made)
    else context.gathered.add(made, shown)
  })
}

/** Definition of an operation's tool. @returns the definition, or why there is none */
function toolOf(context: Context, { path, method, item, operation }: Operation, server: string): object | string {
  const { references, options, document } = context
  references.spend(OPERATION_WORK)
  if (path.length > MAX_URL_CHARS) return `its path has more than ${MAX_URL_CHARS} characters (MAX_URL_CHARS)`
  if (parameterCount(item) + parameterCount(operation) > MAX_REQUEST_PARTS) {
    return `it has more than ${MAX_REQUEST_PARTS} parameters (MAX_REQUEST_PARTS)`
  }
  const taken = new OperationArguments(new ArgumentNames(), new SchemaReader(references), references)
  const wrong = [
    ...parametersOf(references, item, operation).map((parameter) => taken.addParameter(parameter)),
    operation.requestBody !== undefined && method !== 'get' ? taken.addBody(operation.requestBody) : null,
  ].find((reason) => reason !== null)
  if (wrong !== undefined) return wrong
  const auth = context.security.of(operation.security ?? document.security)
  if (auth === null) return 'it wants to know who asks in a way that is not known here; give auth'
  const target = `${server}${taken.path(path.startsWith('/') ? path : `/${path}`)}`
  const named = textOf(operation.operationId) || `${method}_${path}`
  const { properties, required, query, headers, cookies, body } = taken
  return {
    id: context.ids.of(standardCallName(named)),
    name: named.slice(0, 200),
    description: describe(operation, item),
    input_schema: { type: 'object', properties, required },
    output_schema: outputSchema(references, operation),
    executor: {
      kind: 'http',
      target,
      request: { method: method.toUpperCase(), query, headers, cookies, body, auth },
    },
    toolkit: options.env,
    hidden: true,
  }
}

/** Work of one operation besides the counted parts. */
const OPERATION_WORK = 100

const parameterCount = ({ parameters }: JsonObject) => listOrEmpty(parameters).length

function describe(operation: JsonObject, item: JsonObject): string {
  const tags = listOrEmpty(operation.tags).slice(0, MAX_TAGS).map(shortText)
  const texts = [operation.summary ?? item.summary, operation.description ?? item.description].map(shortText)
  const about = texts.filter((text) => text.trim() !== '').join('\n')
  return shorten(about || [...tags, shortText(operation.operationId)].join(' '))
}

const MAX_TAGS = 20
const shortText = (text: unknown) => shorten(textOf(text))

/** Parameters of an operation: those of its path, overridden by its own. */
function parametersOf(references: References, item: JsonObject, operation: JsonObject): JsonObject[] {
  const all = [...listOrEmpty(item.parameters), ...listOrEmpty(operation.parameters)].map((one) =>
    references.follow(one),
  )
  return [...new Map(all.map((one) => [`${textOf(one.in)} ${textOf(one.name)}`, one])).values()]
}

/** Schema of the first good answer, when it is JSON. */
function outputSchema(references: References, { responses }: JsonObject): JsonObject {
  const [, good] = references.entries(responses).find(([status]) => /^2/.test(status)) ?? []
  if (good === undefined) return {}
  const types = references.entries(references.follow(good).content)
  const [, json] = types.find(([type]) => /json/i.test(type)) ?? []
  return json === undefined ? {} : new SchemaReader(references).read(objectOf(json).schema)
}
