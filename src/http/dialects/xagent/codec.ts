import * as z from 'zod'
import { type Failure, type FailureCode, failureIn } from '../../../core/failure.ts'
import { MAX_RETRIEVED_TOOLS } from '../../../core/limits/tool-search.ts'
import type { Outcome } from '../../../core/outcome.ts'
import { safeRead } from '../../../core/safe-read.ts'
import { FAILURE_STATUS } from '../../failure-status.ts'
import { parseExactJson } from '../../json.ts'
import { COMMON } from './every-node.ts'
import type { Surface } from './surface.ts'
import type { XAgentTool } from './tools.ts'
import { brokenJson, type Detail, detailsOf, missing } from './validation.ts'
import { vocabularyOf } from './vocabulary.ts'

type Decoded<T> = { readonly value: T } | { readonly invalid: readonly Detail[] }

/** A call of a tool by its full name. */
export interface ExecuteRequest {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

const ExecuteBody = z
  .preprocess(
    asPublished,
    z.object({
      tool_name: z.string(),
      arguments: z.preprocess(objectFrom, z.record(z.string(), z.unknown())),
      env_name: z.string().nullish(),
    }),
  )
  .transform((body) => ({
    name: body.env_name ? `${body.env_name}_${body.tool_name}` : body.tool_name,
    args: body.arguments,
  }))

/** `{tool_name, arguments, env_name?}` as the real client has it, or `{tool, parameters}` as published. */
export const decodeExecute = (text: string): Decoded<ExecuteRequest> => decode(text, ExecuteBody)

/** A list of names: bare, or under one of `keys`. */
export function decodeNames(text: string, keys: readonly string[]): Decoded<readonly string[]> {
  const Names = z.preprocess((body) => keys.map((key) => fieldOf(body, key)).find(isThere) ?? body, z.array(z.string()))
  return decode(text, Names)
}

/** `{file_path}`; a `file_type` is ignored. */
export const decodeDownload = (text: string): Decoded<{ readonly file_path: string }> =>
  decode(text, z.object({ file_path: z.string() }))

/** `{tool_name, code}`. */
export const decodeRegister = (text: string): Decoded<{ readonly tool_name: string; readonly code: string }> =>
  decode(text, z.object({ tool_name: z.string(), code: z.string() }))

const BOUNDS = `Input should be from 0 to ${MAX_RETRIEVED_TOOLS} (MAX_RETRIEVED_TOOLS)`
const topK = z.int().min(0, BOUNDS).max(MAX_RETRIEVED_TOOLS, BOUNDS)

const RetrieveBody = z.object({
  question: z.string(),
  top_k: z.preprocess(numberFrom, topK).default(5),
})

/** `{question, top_k?}`; the number may be text. */
export const decodeRetrieve = (text: string): Decoded<z.output<typeof RetrieveBody>> => decode(text, RetrieveBody)

function decode<S extends z.ZodType>(text: string, schema: S): Decoded<z.output<S>> {
  if (text.trim() === '') return { invalid: [missing('body')] }
  const body = parseExactJson(text)
  if (!body.ok) return { invalid: [brokenJson(body)] }
  const parsed = safeRead(schema, body.value)
  return parsed.success ? { value: parsed.data } : { invalid: detailsOf(parsed.error) }
}

function asPublished(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return { tool_name: fieldOf(body, 'tool'), arguments: fieldOf(body, 'parameters'), ...body }
}

/** Object of a field. Models also send it as a string of JSON. */
function objectFrom(given: unknown): unknown {
  if (typeof given !== 'string') return given
  const inner = parseExactJson(given)
  return inner.ok ? inner.value : given
}

function numberFrom(given: unknown): unknown {
  return typeof given === 'string' && /^\s*[+-]?\d+\s*$/.test(given) ? Number(given) : given
}

const fieldOf = (body: unknown, key: string): unknown =>
  typeof body === 'object' && body !== null ? new Map<string, unknown>(Object.entries(body)).get(key) : undefined

const isThere = (value: unknown) => value !== undefined

/** The `TypeError` message Python raises for mismatched arguments, or null when they match. The tool checks their values. */
export function misfit(name: string, { parameters }: XAgentTool, args: ExecuteRequest['args']): string | null {
  const unknown = Object.keys(args).find((key) => !parameters.some((parameter) => parameter.name === key))
  const shown = parameters.filter(({ hidden }) => !hidden)
  const known = shown.map((parameter) => parameter.name).join(', ') || 'none'
  if (unknown !== undefined) {
    return `TypeError: ${name}() got an unexpected keyword argument '${unknown.slice(0, 100)}'. Known are: ${known}`
  }
  const lacking = parameters.filter(({ optional, name: key }) => !optional && !Object.hasOwn(args, key))
  if (lacking.length === 0) return null
  const names = lacking.map((parameter) => `'${parameter.name}'`).join(' and ')
  const count = `${lacking.length} required positional argument${lacking.length === 1 ? '' : 's'}`
  return `TypeError: ${name}() missing ${count}: ${names}`
}

/** Arguments under their canonical names. */
export const coreArgs = ({ parameters, fixed }: XAgentTool, args: ExecuteRequest['args']) => ({
  ...Object.fromEntries(
    parameters.flatMap(({ name, as }) => (as !== null && Object.hasOwn(args, name) ? [[as, args[name]]] : [])),
  ),
  ...fixed,
})

interface Answer {
  readonly status: number
  readonly body: unknown
}

export function encodeOutcome(outcome: Outcome, tool: XAgentTool, surface: Surface): Answer {
  switch (outcome.kind) {
    case 'done': {
      const detail = tool.failed?.({ result: outcome.result })
      return detail === undefined
        ? { status: 200, body: wrap(tool.value(outcome.result)) }
        : { status: 500, body: { detail } }
    }
    case 'failed':
    case 'refused': {
      const failure = failureIn(outcome.failure, vocabularyOf(surface, tool))
      const detail = tool.failed?.({ failure })
      return {
        status: 500,
        body: { detail: detail ?? `${exceptionOf(failure, tool)}: ${failure.message}` },
      }
    }
    case 'pending':
      return { status: 450, body: { detail: { type: 'retry', ...surface.callOf(outcome.next) } } }
  }
}

const Wrapped = z.looseObject({ type: z.enum(['simple', 'composite', 'binary']), data: z.unknown() })

/**
 * Wraps a value that is not plain with its type. A client fails on a `name` that is null and on a binary without `media_type`.
 */
export function wrap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? null
  const wrapped = Wrapped.safeParse(value)
  if (!wrapped.success || !('data' in value)) return { type: 'simple', data: value }
  const { type, data, ...rest } = wrapped.data
  if (type === 'simple') return { ...rest, type, data }
  if (type === 'composite') return { ...rest, type, data: Array.isArray(data) ? data.map(wrapPart) : data }
  const { name, media_type = 'application/octet-stream', ...more } = rest
  return { ...more, type, media_type, ...(typeof name === 'string' && { name }), data }
}

/** In a composite an object that states no type stays as it is, as in the published server. */
const wrapPart = (part: unknown) => (Wrapped.safeParse(part).success ? wrap(part) : (part ?? null))

/**
 * Python exceptions of failures. The last line of the published server's tracebacks begins with the exception's type, by
 * which prompts distinguish them.
 */
const EXCEPTION = {
  invalid_input: 'ValueError',
  not_found: 'LookupError',
  session_not_found: 'LookupError',
  conflict: 'OSError',
  forbidden: 'PermissionError',
  unauthenticated: 'PermissionError',
  limit_exceeded: 'ValueError',
  rate_limited: 'TimeoutError',
  insufficient_storage: 'OSError', // as Python's ENOSPC
  timeout: 'TimeoutError',
  unavailable: 'ConnectionError',
  key_reused: 'ValueError',
  key_in_use: 'TimeoutError',
  outcome_unknown: 'ConnectionError',
  answer_not_kept: 'LookupError',
  upstream: 'ConnectionError',
  internal: 'RuntimeError',
} as const satisfies Record<FailureCode, string>

const exceptionOf = ({ code }: Failure, { missing }: XAgentTool) =>
  code === 'not_found' && missing ? missing : EXCEPTION[code]

/** Body of an error outside of a tool: FastAPI's `{detail}`. 503 is for nodes alone: it ends a client's run. */
export const encodeFailure = (failure: Failure) =>
  ({ status: STATUS[failure.code], body: { detail: wordsOf(failure) } }) as const

const STATUS = { ...FAILURE_STATUS, unavailable: 500 } as const

/** Message of a failure where no tool was called. */
export const wordsOf = (failure: Failure) => failureIn(failure, vocabularyOf(COMMON)).message
