import type { Hono } from 'hono'
import * as z from 'zod'
import { type FailureCode, FailureError, fail, failureIn, messageParts } from '../../../../core/failure.ts'
import { sessionName } from '../../../../core/ids.ts'
import { MAX_AGENT_CHARS } from '../../../../core/limits/registry.ts'
import type { Outcome, Result, ToolCall } from '../../../../core/outcome.ts'
import { say } from '../../../../core/saying/saying.ts'
import type { Vocabulary } from '../../../../core/saying/worded.ts'
import { permits } from '../../../../registry/permitted.ts'
import { anyObject } from '../../../../tools/arguments.ts'
import { alikeNames, didYouMean } from '../../../alike-names.ts'
import { type AppEnv, callerOf, type Services, servicesFor } from '../../../dialect.ts'
import { readInput } from '../../../input.ts'
import { parseExactJson } from '../../../json.ts'
import { nearestSession } from '../../../nearest-session.ts'
import { ownVocabulary } from '../../../owner-vocabulary.ts'
import { callStrictly, parametersOf } from '../../../parameters/checked-call.ts'
import { nearestTools } from '../../../parameters/nearest-tool.ts'
import { informing } from './informing.ts'

const NewCall = z.object({
  /** A tool of the server, or a registered one: its id, or `id@version`. */
  tool: z.string().min(1),
  args: anyObject.default({}),
  /** Context for a registered tool. */
  context: anyObject.optional(),
  /** Name of the calling agent, for tools that not all agents may call. */
  agent: z.string().min(1).max(MAX_AGENT_CHARS).optional(),
  /** Form of the result in the answer: text for a model, named fields, or both. */
  answer: z.enum(['text', 'data', 'both']).default('both'),
})
type Answer = z.output<typeof NewCall>['answer']

/** `POST /v1/sessions/{name}/calls` calls a tool in an existing session. */
export function addNewCall(app: Hono<AppEnv>): void {
  app.post('/v1/sessions/:name/calls', async (c) => {
    const services = servicesFor(c, 'execute')
    const input = await readInput(c.req.raw, NewCall, parseExactJson)
    const name = sessionName(c.req.param('name'))
    const call = callOf(input, services)
    const answered = await callStrictly(services, call, (checked) =>
      services.session(name).call(checked, callerOf(services, input.agent)),
    )
    const outcome = services.tools.some((tool) => tool.name === call.tool) ? informing(answered, call, name) : answered
    if (outcome.kind === 'refused' && outcome.failure.code === 'session_not_found') {
      const nearest = await nearestSession(name, services.tenant)
      const query = new URLSearchParams({ task_id: name, task_name: name })
      const next = nearest === null ? `make it by POST /api/task/create?${query}` : didYouMean([nearest])
      fail('session_not_found', `there is no session ${name}; ${next}`)
    }
    if (outcome.kind === 'refused' && outcome.failure.code === 'not_found' && !parametersOf(services).has(input.tool)) {
      const nearest = await nearestNames(input, services)
      if (nearest.length > 0) fail('not_found', say`${messageParts(outcome.failure)}; ${didYouMean(nearest)}`)
    }
    const { status, body } = encodeOutcome(outcome, ownVocabulary(c), input.answer)
    return c.json(body, status)
  })
}

/** The call; a tool of the server comes first, so that no registered one is taken for it. */
function callOf({ tool, args, context }: z.output<typeof NewCall>, services: Services): ToolCall {
  return parametersOf(services).has(tool)
    ? { tool, args }
    : { tool: 'registered_call', args: { tool_id: tool, args, ...(context && { context }) } }
}

/** The result in the form that the caller asked for: both have the same content, so that a model needs one of them. */
const part = ({ text, data, content }: Result, answer: Answer) => ({
  ...(answer !== 'data' && { text }),
  ...(answer !== 'text' && { data: content ? withoutDataUrl(data) : data }),
  ...(content && { content }),
})

/** Fields of a picture that stands in `content`: its data URL, or why there is none, says nothing more. */
const withoutDataUrl = ({ data_url, notes, ...data }: Result['data']) => data

/** Names that an unknown tool may stand for: the server's, or those of registered tools that the agent may call. */
async function nearestNames({ tool, agent }: z.output<typeof NewCall>, services: Services): Promise<string[]> {
  const nearest = nearestTools(tool, services)
  if (nearest.length > 0) return nearest
  const { tools } = await services.registeredTools()
  const open = tools.filter(
    ({ hidden, policy }) => !hidden && policy.enabled && permits(policy.allowed_agents, agent ?? null),
  )
  return alikeNames(
    tool,
    open.slice(0, MAX_COMPARED_TOOLS).map(({ id }) => id),
    LEAST_LIKENESS,
  )
}

/** Registered tools among which a nearest one is looked for: some milliseconds for a caller's own mistake. */
const MAX_COMPARED_TOOLS = 1_000
const LEAST_LIKENESS = 0.4

/** Failures that cut a call off, whatever its tool does: the answer's status is not 200 then. */
const CUTS_OFF: ReadonlySet<FailureCode> = new Set([
  'unavailable',
  'insufficient_storage',
  'outcome_unknown',
  'answer_not_kept',
])

/**
 * Answer of a call.
 * @throws FailureError for a call refused before the tool ran, cut off by a restart of the server or a full disk, or of which the answer is not kept
 */
function encodeOutcome(outcome: Outcome, vocabulary: Vocabulary, answer: Answer) {
  switch (outcome.kind) {
    case 'done':
      return {
        status: 200,
        body: { state: 'done', ...part(outcome.result, answer), receipt: outcome.receipt },
      } as const
    case 'failed':
      if (CUTS_OFF.has(outcome.failure.code)) throw new FailureError(outcome.failure)
      return {
        status: 200,
        body: { state: 'failed', error: failureIn(outcome.failure, vocabulary), receipt: outcome.receipt },
      } as const
    case 'pending': {
      const { soFar, next, retryAfterMs, receipt } = outcome
      return {
        status: 202,
        body: { state: 'pending', ...part(soFar, answer), next, retry_after_ms: retryAfterMs, receipt },
      } as const
    }
    case 'refused':
      throw new FailureError(outcome.failure)
  }
}
