import * as z from 'zod'
import { type Failure, failureIn } from '../../../core/failure.ts'
import { MAX_AGENT_CHARS, MAX_TOOL_ID_CHARS } from '../../../core/limits/registry.ts'
import type { Outcome } from '../../../core/outcome.ts'
import { safeRead } from '../../../core/safe-read.ts'
import type { Executor } from '../../../registry/definition.ts'
import type { RegisteredTool } from '../../../registry/registered-tool.ts'
import { returnedBy } from '../../../registry/returned.ts'
import { FAILURE_STATUS } from '../../failure-status.ts'
import { parseExactJson } from '../../json.ts'
import { brokenJson, type Detail, detailsOf, missingBody, notAnObject } from './validation.ts'
import { VOCABULARY } from './vocabulary.ts'

const dictionary = z.record(z.string(), z.unknown())

const CallBody = z.object({
  tool_id: z.string(),
  /** Name of the agent, kept with each call, its use and in the log; the original has no bound. */
  agent_id: z.string().max(MAX_AGENT_CHARS),
  microdao_id: z.string(),
  args: dictionary.default({}),
  context: dictionary.nullable().default({}),
})
export type CallRequest = z.output<typeof CallBody>

/**
 * Parses a call.
 * @param contentType of the request: a body is JSON only where this states it
 */
export function decodeCall(
  text: string,
  contentType: string | null,
): { readonly value: CallRequest } | { readonly invalid: readonly Detail[] } {
  if (text === '') return { invalid: [missingBody] }
  if (contentType !== null && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)) {
    return { invalid: [notAnObject(text)] }
  }
  const body = parseExactJson(text)
  if (!body.ok) return { invalid: [brokenJson(body)] }
  if (body.value === null) return { invalid: [missingBody] }
  const parsed = safeRead(CallBody, body.value)
  return parsed.success ? { value: parsed.data } : { invalid: detailsOf(parsed.error, body.value) }
}

/** Entry of the list. */
export const encodeListed = ({ definition: { id, name, description, input_schema, executor } }: RegisteredTool) => ({
  id,
  name,
  description,
  input_schema,
  executor: executor.kind,
})

/** Whole definition. */
export const encodeDefinition = ({ definition, policy }: RegisteredTool) => ({
  id: definition.id,
  name: definition.name,
  description: definition.description,
  input_schema: definition.input_schema,
  output_schema: definition.output_schema,
  executor: definition.executor.kind,
  target: targetOf(definition.executor),
  allowed_agents: policy.allowed_agents,
  timeout: definition.timeout,
  enabled: policy.enabled,
})

/** Target of an executor; for a chain, the tools that it calls. */
const targetOf = (executor: Executor): string =>
  executor.kind === 'chain' ? executor.chain.steps.map(({ tool }) => tool).join(', ') : executor.target

/** ToolCallResult: always these five keys. */
interface ToolCallResult {
  readonly ok: boolean
  readonly result: unknown
  readonly error: string | null
  readonly tool_id: string
  readonly latency_ms: number
}

/**
 * Result of a call.
 * @param outcome of a call that was admitted
 * @param latencyMs until the outcome was there
 */
export function encodeResult(outcome: Outcome, tool_id: string, latencyMs: number): ToolCallResult {
  const answer = { tool_id, latency_ms: latencyMs }
  switch (outcome.kind) {
    case 'done':
      return { ok: true, result: asObject(returnedBy(outcome.result)), error: null, ...answer }
    case 'failed':
    case 'refused':
      return { ok: false, result: null, error: wordsOf(outcome.failure), ...answer }
    case 'pending':
      return { ok: false, result: outcome.soFar.data, error: outcome.soFar.text, ...answer }
  }
}

/** Result as an object or null, as in the published model; any other value stands under `result`. */
const asObject = (result: unknown): unknown =>
  result === undefined || result === null || (typeof result === 'object' && !Array.isArray(result))
    ? (result ?? null)
    : { result }

/** Actions of every caller: those that come with Lagent, the catalog's tools, and the toolkits' tools that those do not use. */
export function encodeRefusal(failure: Failure, { tool_id }: CallRequest) {
  const { code } = failure
  const message = wordsOf(failure)
  if (code === 'not_found') return encodeFailure({ code: 'forbidden', message })
  // Here a tool's own rules are checked for its id alone.
  if (code === 'invalid_input')
    return encodeFailure({ code: 'forbidden', message: `${noSuchTool(tool_id)}; ${message}` })
  return encodeFailure(failure)
}

const noSuchTool = (id: string) => `Tool not found: ${id.slice(0, MAX_TOOL_ID_CHARS).toWellFormed()}`

/** Statuses of refusals before a tool runs. */
export const encodeFailure = (failure: Failure) =>
  ({
    status: FAILURE_STATUS[failure.code],
    body: { detail: failure.code === 'unauthenticated' ? NO_SECRET : wordsOf(failure) },
  }) as const

const wordsOf = (failure: Failure) => failureIn(failure, VOCABULARY).message

export const NO_SECRET = 'Invalid or missing X-Internal-Secret header'
