import * as z from 'zod'
import { fail } from '../core/failure.ts'
import type { Pending, Result, ToolCall } from '../core/outcome.ts'
import { safeRead } from '../core/safe-read.ts'
import { field, type Saying, say } from '../core/saying/saying.ts'
import { worded } from '../core/saying/worded.ts'
import type { Ports } from '../ports/index.ts'
import type { JobReader } from '../ports/jobs.ts'
import type { Effect, Tool } from './define.ts'
import { choiceWords, plainIssues } from './issue-words.ts'

/** Public facts of a tool, known without running it. */
export interface ToolInfo {
  readonly name: string
  readonly description: string
  readonly effect: Effect
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** Toolkit: a named set of tools, as some dialects show them (XAgent's env). It may hold tools that are in no list. */
export interface Toolkit {
  readonly name: string
  /** Description for the model: what the tools are for. */
  readonly description: string
  readonly tools: readonly AnyTool[]
  /** True for a toolkit that no list shows unless a tenant wants it there: neither Lagent's nor /v1's, which show all others. */
  readonly isUnlisted?: true
}

/** Public facts of a toolkit, known without running a tool of it. */
export type ToolkitInfo = Omit<Toolkit, 'tools'> & { readonly tools: readonly ToolInfo[] }

/** Call of a known tool whose arguments fit. */
export interface PreparedCall {
  readonly effect: Effect
  /** The ports that {@link run} takes. */
  readonly uses: readonly (keyof Ports)[]
  run(ports: Partial<Ports>, signal: AbortSignal): Promise<Result | Pending>
}

// biome-ignore lint/suspicious/noExplicitAny: a table of tools with different inputs; `prepare` parses before it runs
export type AnyTool = Tool<any, any, any>

/** Registry of the tools that sessions know. Built once; holds no state of any tenant. */
export class Registry {
  readonly #listed: readonly AnyTool[]
  readonly #toolkits: readonly Toolkit[]
  readonly #tools: ReadonlyMap<string, AnyTool>

  /** @param listed tools that {@link list} names; a toolkit may have others, which can be called just as well */
  constructor(toolkits: readonly Toolkit[], listed: readonly AnyTool[]) {
    this.#listed = listed
    this.#toolkits = toolkits
    const tools = new Set([...listed, ...toolkits.flatMap((toolkit) => toolkit.tools)])
    this.#tools = new Map([...tools].map((tool) => [tool.name, tool]))
    if (this.#tools.size !== tools.size) throw new Error('two tools have one name')
  }

  /** Listed tools, in catalog order. */
  list(): ToolInfo[] {
    return this.#listed.map(infoOf)
  }

  toolkits(): ToolkitInfo[] {
    return this.#toolkits.map((toolkit) => ({ ...toolkit, tools: toolkit.tools.map(infoOf) }))
  }

  /** Facts of a tool. @returns null for an unknown name */
  info(name: string): ToolInfo | null {
    const tool = this.#tools.get(name)
    return tool ? infoOf(tool) : null
  }

  /** Effect of a tool. @returns null for an unknown name */
  effectOf(name: string): Effect | null {
    return this.#tools.get(name)?.effect ?? null
  }

  has(name: string): boolean {
    return this.#tools.has(name)
  }

  /**
   * How calls of a tool are counted: `quick` when they are done at once with what the session has; `another call` when they
   * are counted as calls of the tool that they call.
   */
  countedAs(name: string): 'quick' | 'long' | 'another call' | 'unknown' {
    const tool = this.#tools.get(name)
    if (!tool) return 'unknown'
    if (tool.isCountedElsewhere) return 'another call'
    return tool.effect === 'read' || tool.effect === 'write' ? 'quick' : 'long'
  }

  /**
   * Checks a call. @throws FailureError `not_found` for an unknown tool, `invalid_input` naming each argument that does not
   * fit
   */
  prepare({ tool: name, args }: ToolCall): PreparedCall {
    const tool = this.#tools.get(name)
    if (!tool) fail('not_found', `Tool ${name.slice(0, 100)} not found`)
    const parsed = safeRead(tool.input, args)
    if (!parsed.success) fail('invalid_input', sayIssues(parsed.error))
    const { data } = parsed
    return {
      effect: tool.effect,
      uses: tool.uses,
      run: (ports, signal) => {
        const named: Partial<Record<keyof Ports, unknown>> = {}
        for (const port of tool.uses as readonly (keyof Ports)[]) named[port] = ports[port]
        return tool.run(data, { ports: named, signal })
      },
    }
  }

  /** Reader of a tool's jobs; null when it has none. */
  readerOf(name: string): JobReader<object> | null {
    return this.#tools.get(name)?.job ?? null
  }

  /** Maker of a tool's answers about commands that a restart cut off from their calls; null when it has none. */
  answererOf(name: string): NonNullable<AnyTool['answerOf']> | null {
    return this.#tools.get(name)?.answerOf ?? null
  }

  /** Arguments as they may be kept: the tool's secret arguments are masked. */
  keptArgs({ tool: name, args }: ToolCall): unknown {
    const secret = this.#tools.get(name)?.secretArgs ?? []
    if (secret.length === 0 || typeof args !== 'object' || args === null || Array.isArray(args)) return args
    return Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key, secret.includes(key) && value ? masked(value) : value]),
    )
  }
}

/** A secret argument as it may be kept: of an object the names alone. */
const masked = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.keys(value).map((name) => [name, '***']))
    : '***'

const infoOf = ({ name, description, effect, input }: AnyTool): ToolInfo => ({
  name,
  description,
  effect,
  inputSchema: z.toJSONSchema(input, { io: 'input', override: dropSafeIntegerBounds }) as Record<string, unknown>,
})

/** A sentence per argument that does not fit, in words a model can act on. */
export const describeIssues = (error: z.ZodError): string => worded(sayIssues(error))

/** Message parts of {@link describeIssues}; the arguments are those of the called tool. */
const sayIssues = (error: z.ZodError): Saying =>
  error.issues
    .flatMap(plainIssues)
    .slice(0, 5)
    .flatMap((issue, at) => (at === 0 ? sayIssue(issue) : ['; ', ...sayIssue(issue)]))

function sayIssue(issue: z.core.$ZodIssue): Saying {
  if (issue.code === 'custom' && issue.params?.parts) return issue.params.parts as Saying // tools put message parts there
  const where = placeOf(issue.path)
  if (issue.code === 'invalid_type' && issue.input === undefined) return say`missing required parameter: ${where}`
  if (issue.code === 'too_small' && isEmpty(issue.input) && isUnworded(issue)) return say`${where} is required`
  if (issue.code === 'unrecognized_keys' && issue.message.startsWith('Unrecognized'))
    return [...(where.length > 0 ? say`${where}: ` : []), `unknown field ${fieldsOf(issue.keys)}`]
  const choice = choiceWords(issue)
  if (choice?.isMissing && where.length > 0) return say`missing required parameter: ${where} (${choice.what})`
  const message = choice?.what ?? messageOf(issue)
  const words = message.length > MAX_ISSUE_CHARS ? `${message.slice(0, MAX_ISSUE_CHARS)}…` : message
  return where.length > 0 ? say`${where}: ${words}` : [words]
}

const fieldsOf = (keys: readonly string[]) =>
  keys
    .slice(0, 5)
    .map((key) => JSON.stringify(key.slice(0, 64)))
    .join(', ')

const messageOf = (issue: z.core.$ZodIssue) =>
  isObjectForText(issue) ? `${issue.message}; give JSON as text, in quotes` : issue.message

/** Name of the argument, and the place in it. */
function placeOf([argument, ...inner]: readonly PropertyKey[]): Saying {
  if (argument === undefined) return []
  const below = inner.map((key) => `.${String(key)}`).join('')
  return [field(String(argument).slice(0, MAX_ISSUE_CHARS)), below.slice(0, MAX_ISSUE_CHARS)]
}

/** Longest sentence about an argument: it repeats names, which may be as long as the request. */
const MAX_ISSUE_CHARS = 500

/** Whether an object stands where a text must, as models give the content of a JSON file. */
const isObjectForText = (issue: z.core.$ZodIssue) =>
  issue.code === 'invalid_type' &&
  issue.expected === 'string' &&
  typeof issue.input === 'object' &&
  !Array.isArray(issue.input)

const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)
/** Whether an issue has no message of its own in the schema. */
const isUnworded = ({ message }: z.core.$ZodIssue) => message.startsWith('Too small')

/** Drops the bounds that zod puts on every integer, as a double can hold them: noise to a model. */
function dropSafeIntegerBounds({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
