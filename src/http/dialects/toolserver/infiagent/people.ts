import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { type Failure, FailureError, orNull } from '../../../../core/failure.ts'
import { sessionName } from '../../../../core/ids.ts'
import { percentDecoded } from '../../../../core/percent-decoded.ts'
import { safeRead } from '../../../../core/safe-read.ts'
import { type AppEnv, callerOf, type Services, servicesFor } from '../../../dialect.ts'
import { parseJson, readBodyText } from '../../../json.ts'
import { taskSpec } from '../layout.ts'
import { nameOf, pathOf } from '../request.ts'
import { brokenJson, detailsOf, encodeInvalid } from '../validation.ts'
import { callIn, resultOf, wordsOf } from './confirmation.ts'
import { humanTasksNamed, isOpen, type NamedHumanTask } from './human-task.ts'

const QUESTIONS = '/api/hil'
const CONFIRMATIONS = '/api/tool-confirmation'

const Respond = z.object({ response: z.string() })
const Approve = z.object({ approved: z.boolean() })
const Confirm = z.object({
  confirm_id: z.string(),
  task_id: z.string(),
  tool_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
})

/**
 * Adds the routes by which infiAgent's terminal asks and answers for the person who sits at it. Each question is a human task.
 * Source: infiAgent 9f99eda, utils/cli_mode.py, core/tool_executor.py and tool_server_lite/server.py.
 */
export function addInfiAgentPeople(app: Hono<AppEnv>): void {
  app.get(`${QUESTIONS}/workspace/*`, async (c) => {
    const services = servicesFor(c, 'read')
    const found = await waitingIn(services, idBehind(c, `${QUESTIONS}/workspace/`), 'question')
    if (!found) return c.json({ found: false })
    return c.json({ found: true, hil_id: found.id, instruction: found.task.words, task_id: found.session })
  })

  app.get(`${QUESTIONS}/:id`, async (c) => {
    const id = c.req.param('id')
    const [found] = await humanTasksNamed(servicesFor(c, 'read'), 'question', id)
    if (!found) return c.json({ found: false, error: `HIL task not found: ${shorten(id)}` })
    const { task, session } = found
    return c.json({ found: true, hil_id: id, status: statusOf(found), instruction: task.words, task_id: session })
  })

  app.post(`${QUESTIONS}/respond/:id`, async (c) => {
    const services = servicesFor(c, 'execute')
    const body = await bodyOf(c, Respond)
    if (body instanceof Response) return body
    const id = c.req.param('id')
    const refused = await answer(services, { kind: 'question', id }, body.response)
    return c.json(refused ?? { success: true, message: `HIL task ${id} is answered` })
  })

  app.post(`${CONFIRMATIONS}/create`, async (c) => {
    const services = servicesFor(c, 'execute')
    const request = await bodyOf(c, Confirm)
    if (request instanceof Response) return request
    const session = sessionName(request.task_id)
    // The client asks the question before it makes its task.
    const made = await services
      .session(session)
      .create(taskSpec({ id: request.task_id, name: 'infiAgent', requirements: null }, services.now()))
    if ('failure' in made) throw new FailureError(made.failure)
    const call = { tool: 'human_in_loop', args: { human_task: wordsOf(request), wait_seconds: 0 } }
    const outcome = await services.session(session).call(call, callerOf(services))
    if (outcome.kind !== 'pending') throw new FailureError('failure' in outcome ? outcome.failure : NO_QUESTION)
    const task = String(outcome.soFar.data.human_task_id)
    await services.tenant.humanTaskNames.put({ kind: 'confirmation', name: request.confirm_id, session, task })
    return c.json({ success: true, message: `Tool confirmation created: ${request.confirm_id}` })
  })

  app.get(`${CONFIRMATIONS}/workspace/*`, async (c) => {
    const services = servicesFor(c, 'read')
    const found = await waitingIn(services, idBehind(c, `${CONFIRMATIONS}/workspace/`), 'confirmation')
    if (!found) return c.json({ found: false })
    return c.json({ found: true, confirm_id: found.id, ...callIn(found.task), task_id: found.session })
  })

  app.post(`${CONFIRMATIONS}/respond/:id`, async (c) => {
    const services = servicesFor(c, 'execute')
    const body = await bodyOf(c, Approve)
    if (body instanceof Response) return body
    const id = c.req.param('id')
    const reply = body.approved ? 'approved' : 'rejected'
    const refused = await answer(services, { kind: 'confirmation', id }, reply)
    return c.json(refused ?? { success: true, message: `Tool confirmation ${id}: ${reply}` })
  })

  app.get(`${CONFIRMATIONS}/:id`, async (c) => {
    const id = c.req.param('id')
    const [found] = await humanTasksNamed(servicesFor(c, 'read'), 'confirmation', id)
    if (!found) return c.json({ found: false, error: `Tool confirmation not found: ${shorten(id)}` })
    const { task, session } = found
    const fields = { found: true, confirm_id: id, status: statusOf(found), ...callIn(task), task_id: session }
    return c.json({ ...fields, result: resultOf(task) })
  })
}

const NO_QUESTION: Failure = { code: 'internal', message: 'the question was not asked' }

/** The first of a session's open tasks of that kind, under the client's id for it, or its own. */
async function waitingIn(services: Services, taskId: string, kind: 'question' | 'confirmation') {
  const session = nameOf(taskId)
  const open = ((session && (await orNull(services.session(session).people.list(), 'session_not_found'))) ?? []).filter(
    isOpen,
  )
  if (session === null || open.length === 0) return null
  const names = await services.tenant.humanTaskNames.of(session)
  const isConfirmation = new Set(names.filter((one) => one.kind === 'confirmation').map((one) => one.task))
  const task = open.find(({ id }) => isConfirmation.has(id) === (kind === 'confirmation'))
  if (!task) return null
  const named = names.findLast((one) => one.kind === kind && one.task === task.id)
  // The client answers by this id alone.
  if (!named) await services.tenant.humanTaskNames.put({ kind, name: task.id, session, task: task.id })
  return { task, session, id: named?.name ?? task.id }
}

interface Question {
  readonly kind: 'question' | 'confirmation'
  readonly id: string
}

/** Completes a human task with a person's answer. @returns the answer that refuses it, else null */
async function answer(services: Services, { kind, id }: Question, result: string) {
  const named = await humanTasksNamed(services, kind, id)
  const open = named.filter(({ task }) => isOpen(task))
  const refused = (error: string) => ({ success: false, error })
  // An answer must not reach another question that a model called the same.
  if (open.length > 1) {
    return refused(
      `${shorten(id)} is asked in ${open.length} tasks; answer by PUT /api/human-tasks/{task_id}/{human_task_id}`,
    )
  }
  const found = open[0] ?? named[0]
  if (!found) return refused(`${kind === 'question' ? 'HIL task' : 'Tool confirmation'} not found: ${shorten(id)}`)
  try {
    await services.session(sessionName(found.session)).people.answer(found.task.id, { completed: true, result })
    return null
  } catch (thrown) {
    if (thrown instanceof FailureError) return refused(thrown.failure.message)
    throw thrown
  }
}

const statusOf = ({ task }: NamedHumanTask) => (isOpen(task) ? 'waiting' : 'completed')

const idBehind = (c: Context<AppEnv>, prefix: string) => percentDecoded(pathOf(c).slice(prefix.length))

async function bodyOf<Schema extends z.ZodType>(
  c: Context<AppEnv>,
  schema: Schema,
): Promise<z.output<Schema> | Response> {
  const text = await readBodyText(c.req.raw)
  const body = parseJson(text)
  if (!body.ok) return c.json(encodeInvalid([brokenJson(text, body)]), 422)
  const parsed = safeRead(schema, body.value)
  return parsed.success ? parsed.data : c.json(encodeInvalid(detailsOf(parsed.error, body.value)), 422)
}

const MAX_SHOWN_CHARS = 200
const shorten = (id: string) => (id.length > MAX_SHOWN_CHARS ? `${id.slice(0, MAX_SHOWN_CHARS)}…` : id)
