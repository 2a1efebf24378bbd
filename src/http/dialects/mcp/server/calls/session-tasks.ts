import { type CallToolResult, isSpecType, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import { decodeBase64Text, toBase64Url } from '../../../../../core/base64.ts'
import { FailureError, orNull } from '../../../../../core/failure.ts'
import { CALL_ID, type SessionName, sessionName } from '../../../../../core/ids.ts'
import { RESULT_KEPT_MS } from '../../../../../core/limits/calls.ts'
import { MCP_TASK_POLL_MS } from '../../../../../core/limits/mcp.ts'
import type { Outcome } from '../../../../../core/outcome.ts'
import type { HumanTask } from '../../../../../ports/people.ts'
import type { CallView } from '../../../../../session/calls-api.ts'
import { outcomeOf } from '../../../../call-end.ts'
import type { McpContext } from '../../context.ts'
import { ANSWER, formOf, takesForms, textIn } from '../people/forms.ts'
import { createdTask, declaresTasks, type TaskFacts, type TaskStore, type TaskView } from './tasks.ts'

/** Makes the result of a call that has ended. */
type Encode = (outcome: Outcome, session: SessionName) => CallToolResult

/**
 * Tasks that are begun calls of the caller's own sessions: whoever may make a call may look at it. A call that waits for a person has
 * its question as a form where the client can put it to one.
 */
export function sessionTasks(context: McpContext, encode: Encode): TaskStore {
  const { services, endpoint } = context
  const find = async (taskId: string) => {
    const place = placeOf(taskId)
    if (!place || (endpoint.session !== null && endpoint.session !== place.session)) return null
    const api = services.session(place.session)
    const view = await orNull(api.calls.find(place.callId), 'not_found', 'session_not_found')
    return view && { ...place, api, view }
  }
  return {
    async get(taskId, request) {
      const found = await find(taskId)
      if (!found) return null
      const { api, view, session } = found
      const facts = factsOf(taskId, view)
      const id = humanTaskOf(view)
      const human = id === null ? null : ((await api.people.list()).find((task) => task.id === id) ?? null)
      return human
        ? humanView(facts, human, view, takesForms(context, request), (o) => encode(o, session))
        : callView(facts, view, (o) => encode(o, session))
    },
    async update(taskId, answers) {
      const found = await find(taskId)
      if (!found) return false
      const id = humanTaskOf(found.view)
      const answer = answers[ANSWER]
      if (id === null || !isSpecType.ElicitResult(answer)) return true
      // Nobody's answer is none: another person, or the same one later, may still give it.
      if (answer.action !== 'accept') return true
      await orNull(
        found.api.people.answer(id, { completed: true, result: textIn(answer.content) }),
        'conflict',
        'not_found',
      )
      return true
    },
    async cancel(taskId) {
      const found = await find(taskId)
      if (!found) return false
      if (found.view.running) await found.api.calls.cancel(found.callId)
      return true
    },
  }
}

/** The task as which a call goes on; null where it does not, or its client knows no tasks. */
export function taskOf(
  { services }: McpContext,
  session: SessionName,
  outcome: Outcome,
  request: ServerContext,
): CallToolResult | null {
  if (outcome.kind !== 'pending' || outcome.callId === undefined || !declaresTasks(request)) return null
  const now = services.now()
  return createdTask({ ...KEPT, taskId: idOf(session, outcome.callId), createdAt: now, updatedAt: now })
}

const KEPT = { ttlMs: RESULT_KEPT_MS, pollIntervalMs: MCP_TASK_POLL_MS }

function factsOf(taskId: string, { call, progress }: CallView): TaskFacts {
  const message = progress.lines.at(-1)
  return {
    ...{ ...KEPT, taskId, createdAt: call.startedAt, updatedAt: call.endedAt ?? call.startedAt },
    ...(message !== undefined && { message }),
  }
}

function callView(facts: TaskFacts, view: CallView, encode: (outcome: Outcome) => CallToolResult): TaskView {
  const { call, running } = view
  if (running) return { ...facts, status: 'working' }
  if (call.state === 'lost') {
    return { ...facts, status: 'failed', error: { code: ProtocolErrorCode.InternalError, message: call.answer } }
  }
  const outcome = outcomeOf(view) ?? kept(view)
  if ('failure' in outcome && isCancelling(outcome.failure.message)) return { ...facts, status: 'cancelled' }
  return { ...facts, status: 'completed', result: encode(outcome) }
}

/** Answer that the history has of a call whose result is no longer kept. */
function kept({ call: { state, answer, callId } }: CallView): Outcome {
  return state === 'failed' || state === 'refused'
    ? { kind: state, failure: { code: 'upstream', message: answer }, callId }
    : { kind: 'done', result: { text: answer, data: {} }, callId }
}

const isCancelling = (message: string) => message.startsWith('the call was cancelled')

/** Id of the person's task that a call waits for; null for any other call. */
function humanTaskOf({ running, outcome }: CallView): string | null {
  const id = !running && outcome?.kind === 'pending' ? outcome.soFar.data.human_task_id : null
  return typeof id === 'string' ? id : null
}

function humanView(
  facts: TaskFacts,
  human: HumanTask,
  { call }: CallView,
  mayAsk: boolean,
  encode: (outcome: Outcome) => CallToolResult,
): TaskView {
  if (human.completedAt !== null) {
    const text = human.result === null ? 'the person has done it' : `the person answered: ${human.result}`
    const data = { human_task_id: human.id, completed: true, result: human.result }
    const result = encode({ kind: 'done', result: { text, data }, callId: call.callId })
    return { ...facts, updatedAt: human.completedAt, status: 'completed', result }
  }
  if (!mayAsk) return { ...facts, status: 'working', message: 'waits for a person' }
  return { ...facts, status: 'input_required', inputRequests: { [ANSWER]: formOf(human.words) } }
}

/** Id of a task: the call, and its session in base64, which a header carries. */
const idOf = (session: SessionName, callId: string) => `${callId}.${toBase64Url(new TextEncoder().encode(session))}`

function placeOf(taskId: string): { readonly callId: string; readonly session: SessionName } | null {
  const [, callId, packed] = TASK_ID.exec(taskId) ?? []
  if (callId === undefined || packed === undefined) return null
  try {
    return { callId, session: sessionName(decodeBase64Text(packed, 'the id')) }
  } catch (thrown) {
    if (thrown instanceof FailureError) return null
    throw thrown
  }
}

const TASK_ID = new RegExp(`^(${CALL_ID})\\.([A-Za-z0-9_-]{1,900})$`)
