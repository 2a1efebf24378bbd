import {
  type InputRequiredResult,
  inputRequired,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { orNull } from '../../../../../core/failure.ts'
import type { SessionName } from '../../../../../core/ids.ts'
import { MCP_FORM_MS } from '../../../../../core/limits/mcp.ts'
import type { Outcome, ToolCall } from '../../../../../core/outcome.ts'
import type { McpContext } from '../../context.ts'
import { runCall } from '../calls/run-call.ts'
import { declaresTasks } from '../calls/tasks.ts'
import { type CallState, CallStates, digestOf } from './call-states.ts'
import { ANSWER, formOf, takesForms, textIn } from './forms.ts'

const TOOL = 'human_in_loop'

/** Whether a call's question is put to the person at the client. Not where its caller does not wait, or has a task of it. */
export function isForPerson(context: McpContext, { tool, args }: ToolCall, request: ServerContext): boolean {
  const { wait_seconds } = Object(args) as { readonly wait_seconds?: unknown }
  if (tool !== TOOL || (wait_seconds !== undefined && Number(wait_seconds) === 0)) return false
  if (declaresTasks(request) || !takesForms(context, request)) return false
  return context.era === 'legacy' || context.stateKey !== undefined
}

/**
 * Makes a call whose question the client puts to its person, as a form. The question stays open to others, and an answer of theirs
 * counts as well.
 * @returns the outcome; in 2026-07-28 a result that has the client ask, and make the call again with the answer
 * @throws ProtocolError -32602 for an answer to another call
 */
export function callPerson(
  context: McpContext,
  session: SessionName,
  call: ToolCall,
  request: ServerContext,
): Promise<Outcome | InputRequiredResult> {
  const question: Question = {
    ...{ context, session, call, request },
    run: (args) => runCall(context, session, { ...call, args: { ...args, wait_seconds: 0 } }, request),
  }
  return context.era === 'legacy' ? inOneCall(question) : inTwoCalls(question)
}

/** Whether a client has to ask its person, and call again. */
export const asksBack = (answer: Outcome | InputRequiredResult): answer is InputRequiredResult =>
  'resultType' in answer && answer.resultType === 'input_required'

interface Question {
  readonly context: McpContext
  readonly session: SessionName
  readonly call: ToolCall
  readonly request: ServerContext
  /** Makes the call with other arguments, without waiting. */
  run(args: object): Promise<Outcome>
}

/** Asks by a request in the stream of the call. */
async function inOneCall(question: Question): Promise<Outcome> {
  const { call, request, run } = question
  const outcome = await run(Object(call.args))
  const open = openTask(outcome)
  if (!open) return outcome
  const { timeout } = Object(call.args) as { readonly timeout?: unknown }
  const ms = Math.min(MCP_FORM_MS, Number(timeout) * 1_000 || MCP_FORM_MS)
  const options = { timeout: ms, signal: request.mcpReq.signal }
  // A client that fails, or whose person does not come, has answered nothing.
  const answer = await request.mcpReq.send(formOf(open.words), options).catch(() => null)
  return answered(question, open.id, answer)
}

/** Asks by a result with a signed state, which comes back with the answer. */
async function inTwoCalls(question: Question): Promise<Outcome | InputRequiredResult> {
  const { context, session, call, request, run } = question
  const digest = digestOf(call)
  const state = request.mcpReq.requestState<CallState>()
  if (state && (state.session !== session || state.call !== digest)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'requestState is of another call; make the same call again',
    )
  }
  const answer = request.mcpReq.inputResponses?.[ANSWER]
  if (state && isSpecType.ElicitResult(answer)) return answered(question, state.humanTask, answer)
  const outcome = await run(state ? { human_task_id: state.humanTask } : Object(call.args))
  const open = openTask(outcome)
  if (!open) return outcome
  const signed = { session, humanTask: open.id, call: digest }
  return inputRequired({
    inputRequests: { [ANSWER]: formOf(open.words) },
    requestState: await new CallStates(context).sign(signed, request),
  })
}

interface FormAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: unknown
}

/** Outcome with the person's answer, or with that of another one who was faster. A person who gives none leaves the question open. */
async function answered({ context, session, run }: Question, id: string, answer: FormAnswer | null): Promise<Outcome> {
  if (answer?.action === 'accept') {
    const { people } = context.services.session(session)
    const given = { completed: true, result: textIn(answer.content) }
    await orNull(people.answer(id, given), 'conflict', 'not_found')
  }
  const outcome = await run({ human_task_id: id })
  if (outcome.kind !== 'pending' || !answer || answer.action === 'accept') return outcome
  return { ...outcome, soFar: { ...outcome.soFar, text: WITHOUT_ANSWER[answer.action] } }
}

const WITHOUT_ANSWER = {
  decline: 'the person declined to answer: do not ask the same again, go on without it, or ask for something else',
  cancel: 'the person closed the question without an answer: go on without it, or ask again later',
} as const

/** The person's task that a call would wait for; null where there is none. */
function openTask(outcome: Outcome): { readonly id: string; readonly words: string } | null {
  if (outcome.kind !== 'pending') return null
  const { human_task_id: id, human_task: words } = outcome.soFar.data
  return typeof id === 'string' && typeof words === 'string' ? { id, words } : null
}
