import { BaseAction, describeClass } from './base-action.ts'
import type { ApiDescription } from './description.ts'
import { adopt } from './registry.ts'

/** Function described by `toolApi`. */
export interface DescribedFunction {
  // biome-ignore lint/suspicious/noExplicitAny: functions of any arguments; each checks its own by its schema
  (args: any): unknown
  readonly apiDescription: ApiDescription
}

/** The class of a tool that is this one function, by the function's name. It registers itself. */
export const tool = (run: DescribedFunction): typeof BaseAction =>
  classWith({ name: run.apiDescription.name, doc: '' }, new Map([['run', run]]))

/**
 * The class of a toolkit of these functions, by their names. It registers itself.
 * @throws TypeError when two have one name, or a name that actions have themselves
 */
export function toolkit(options: {
  readonly name: string
  readonly doc?: string
  readonly apis: readonly DescribedFunction[]
}): typeof BaseAction {
  const methods = new Map(options.apis.map((api) => [api.apiDescription.name, api]))
  if (methods.size !== options.apis.length) throw new TypeError(`${options.name}: two APIs have one name`)
  return classWith({ name: options.name, doc: options.doc ?? '' }, methods)
}

function classWith(
  { name, doc }: { readonly name: string; readonly doc: string },
  methods: ReadonlyMap<string, DescribedFunction>,
): typeof BaseAction {
  const Declared = class extends BaseAction {
    static override readonly toolName = name
    static override readonly doc = doc
  }
  for (const [method, value] of methods) Object.defineProperty(Declared.prototype, method, { value })
  describeClass(Declared)
  adopt(Declared)
  return Declared
}
