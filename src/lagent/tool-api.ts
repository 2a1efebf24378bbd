import * as z from 'zod'
import type { ApiDescription, ReturnedValue } from './description.ts'
import { ParseError } from './parsers.ts'
import { isDict } from './python/to-text.ts'
import { asSchema, descriptionOf, type JsonSchema, membersOf, parametersOf, returnedValue } from './schema-types.ts'

export interface ApiOptions<Input extends z.ZodObject> {
  /** Default: the method's name. */
  readonly name?: string
  /** Written for the model. Default: what the schema of the parameters is described as. */
  readonly description?: string
  readonly parameters: Input
  /** Return value of a call: described, not checked. Shown only with one of the two options below. */
  readonly returns?: z.ZodType
  /** Tells the value by its name: `returns` is an object of the name and the schema, e.g. `{ bold_text: z.string() }`. */
  readonly returnsNamedValue?: boolean
  /** Tells each member of the dict or tuple that comes back: `returns` is an object with a schema for each. */
  readonly explodeReturn?: boolean
  /** Describes these parameters only. */
  readonly includeArguments?: string | Iterable<string>
  /** Describes all parameters but these. */
  readonly excludeArguments?: string | Iterable<string>
}

/** Function with its own description: `apiDescription`. */
export type Api<This, Args, Returned> = ((this: This, args: Args) => Returned) & {
  readonly apiDescription: ApiDescription
}

type Method<This, Input extends z.ZodObject, Returned> = (this: This, args: z.output<Input>) => Returned

/**
 * Turns a function, or a method of an action, into an API with a description: Lagent's `tool_api`, where zod schemas have
 * the role of docstrings and type hints in Python. A call checks its arguments by the schema and fills in defaults.
 *
 *     const bold = toolApi({ name: 'bold', parameters: z.object({ text: z.string() }) }, ({ text }) => `**${text}**`)
 *
 *     class Kit extends BaseAction {
 *       @toolApi({ description: 'make text bold', parameters: z.object({ text: z.string() }) })
 *       bold({ text }: { text: string }) { … }
 *     }
 *
 * @throws ParseError from the API when the arguments do not fit
 */
export function toolApi<Input extends z.ZodObject, Returned>(
  options: ApiOptions<Input> & { readonly name: string },
  run: Method<unknown, Input, Returned>,
): Api<unknown, z.input<Input>, Returned>
export function toolApi<Input extends z.ZodObject>(
  options: ApiOptions<Input>,
): <This, Decorated extends Method<This, Input, unknown>>(
  method: Decorated,
  context: ClassMethodDecoratorContext<This, Decorated>,
) => Decorated
export function toolApi<Input extends z.ZodObject, Returned>(
  options: ApiOptions<Input>,
  run?: Method<unknown, Input, Returned>,
): unknown {
  if (run) return apiOf(options, options.name ?? '', run)
  return <This, Value>(method: Method<This, Input, Value>, context: ClassMethodDecoratorContext) => {
    const decorated = decoratedName(context)
    return apiOf(options, options.name ?? decorated, method)
  }
}

/**
 * Name of a decorated method.
 * @throws TypeError for a method that an action could not be called by, and for the decorators that TypeScript had before
 * the standard
 */
function decoratedName(context: ClassMethodDecoratorContext | undefined): string {
  if (context?.kind === 'method' && !context.static && !context.private) return String(context.name)
  throw new TypeError(
    '@toolApi decorates public methods of objects, by the decorators of the standard (without experimentalDecorators)',
  )
}

function apiOf<This, Input extends z.ZodObject, Returned>(
  options: ApiOptions<Input>,
  name: string,
  run: Method<This, Input, Returned>,
): Api<This, z.input<Input>, Returned> {
  const api = function (this: This, args: z.input<Input>, ...more: []): Returned {
    const parsed = options.parameters.safeParse(ownOf(args))
    if (!parsed.success) throw new ParseError(problemsOf(parsed.error))
    return run.call(this, parsed.data, ...more)
  }
  return Object.assign(api, { apiDescription: describe(options, name) })
}

/**
 * Own properties of arguments. Undefined means no arguments; and a parameter named `toString` must not come from every
 * object.
 */
const ownOf = (args: unknown): unknown =>
  args === undefined || isDict(args) ? Object.assign(Object.create(null), args) : args

/** Whether a value is an API: see {@link toolApi}. */
export const isApi = (value: unknown): value is Api<unknown, Record<string, unknown>, unknown> =>
  typeof value === 'function' && 'apiDescription' in value

/** The API's description: its keys in Lagent's order, `return_data` only when there is something in it. */
function describe<Input extends z.ZodObject>(options: ApiOptions<Input>, name: string): ApiDescription {
  const schema = jsonSchema(options.parameters)
  const { parameters, required } = parametersOf(schema)
  const isDescribed = describedBy(options)
  const returned = returnedBy(options, name)
  return {
    name,
    description: options.description ?? descriptionOf(schema),
    parameters: parameters.filter((parameter) => isDescribed(parameter.name)),
    required: required.filter(isDescribed),
    ...(returned.length > 0 && { return_data: returned }),
  }
}

function describedBy({ includeArguments, excludeArguments }: ApiOptions<z.ZodObject>): (name: string) => boolean {
  const included = includeArguments === undefined ? null : namesOf(includeArguments)
  const excluded = namesOf(excludeArguments ?? [])
  return (name) => (included ? included.has(name) : !excluded.has(name))
}

const namesOf = (names: string | Iterable<string>) => new Set(typeof names === 'string' ? [names] : names)

function returnedBy(options: ApiOptions<z.ZodObject>, name: string): ReturnedValue[] {
  const { returns, explodeReturn, returnsNamedValue } = options
  if (!returns) {
    if (explodeReturn) throw new TypeError(`toolApi ${name}: explodeReturn tells what \`returns\` has; give it`)
    return []
  }
  if (!explodeReturn && !returnsNamedValue) return []
  if (returns instanceof z.ZodObject) return Object.keys(returns.shape).length > 0 ? membersOf(jsonSchema(returns)) : []
  return explodeReturn ? [] : [returnedValue(jsonSchema(returns))]
}

const jsonSchema = (schema: z.core.$ZodType): JsonSchema =>
  asSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))

/** Problems of arguments: one clause for each that does not fit, at most five. */
const problemsOf = (error: z.ZodError) =>
  error.issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ')
