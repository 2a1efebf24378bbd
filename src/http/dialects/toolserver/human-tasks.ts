import type { Context, Hono } from 'hono'
import type { HumanTask } from '../../../ports/people.ts'
import type { HumanAnswer } from '../../../session/api.ts'
import { type AppEnv, type Services, servicesFor } from '../../dialect.ts'
import { parseJson, readBodyText } from '../../json.ts'
import { encodeFailure, encodeHumanTask, HUMAN_TASK_STATUS, humanTaskNotFound, taskNotFound } from './codec.ts'
import { humanTaskIds, humanTasksTaskId } from './paths.ts'
import { nameOf, pathOf } from './request.ts'
import { brokenJson, type Detail, encodeInvalid, missingQuery, notBoolean, notText } from './validation.ts'

/**
 * Human tasks of `human_in_loop`, for the page at which people sit: routes to read and complete them. Source: Tool Server of
 * October 2025, core/server.py.
 */
export function addHumanTasks(app: Hono<AppEnv>): void {
  app.get('/api/human-tasks/*', async (c) => {
    const services = servicesFor(c, 'read')
    // A task id may have slashes: a path that names a task as a whole lists that task.
    const whole = humanTasksTaskId(pathOf(c))
    if (whole === null) return c.notFound()
    const all = await tasksOf(services, whole)
    if (all !== null) {
      const human_tasks = all.map((task) => encodeHumanTask(task, whole))
      return c.json({ success: true, data: { task_id: whole, human_tasks, total_count: all.length } })
    }
    const ids = humanTaskIds(pathOf(c))
    const below = ids && (await tasksOf(services, ids.id))
    if (!ids || !below) return c.json({ detail: taskNotFound(whole) }, 404)
    const task = below.find(({ id }) => id === ids.humanTask)
    return task
      ? c.json({ success: true, data: encodeHumanTask(task, ids.id) })
      : c.json({ detail: humanTaskNotFound(ids.humanTask, ids.id) }, 404)
  })

  app.put('/api/human-tasks/*', async (c) => {
    const services = servicesFor(c, 'execute')
    const ids = humanTaskIds(pathOf(c))
    if (ids === null) return c.notFound()
    const given = await givenAnswer(c)
    if ('invalid' in given) return c.json(encodeInvalid(given.invalid), 422)
    const name = nameOf(ids.id)
    const reply = name && (await services.session(name).answerHumanTask(ids.humanTask, given.answer))
    if (!reply || ('failure' in reply && reply.failure.code === 'not_found')) {
      return c.json({ detail: humanTaskNotFound(ids.humanTask, ids.id) }, 404)
    }
    if ('failure' in reply) {
      const { status, body } = encodeFailure(reply.failure, HUMAN_TASK_STATUS)
      return c.json(body, status)
    }
    return c.json({ success: true, data: { ...encodeHumanTask(reply.task, ids.id), message: '人类任务状态已更新' } })
  })
}

async function tasksOf(services: Services, taskId: string): Promise<readonly HumanTask[] | null> {
  const name = nameOf(taskId)
  return name && services.session(name).humanTasks()
}

/** Answer in the query or, where the query has none, in a body of JSON with the same names: answers may be long. */
async function givenAnswer(
  c: Context<AppEnv>,
): Promise<{ readonly answer: HumanAnswer } | { readonly invalid: Detail[] }> {
  const text = await readBodyText(c.req.raw)
  const body = text.trim() === '' ? ({ ok: true, value: null } as const) : parseJson(text)
  if (!body.ok) return { invalid: [brokenJson(text, body)] }
  const query = new URL(c.req.url).searchParams
  const fields = new Map<string, unknown>(
    typeof body.value === 'object' && body.value !== null ? Object.entries(body.value) : [],
  )
  const field = (name: string) =>
    query.has(name)
      ? ({ value: query.getAll(name).at(-1), location: ['query', name] } as const)
      : ({ value: fields.get(name) ?? null, location: ['body', name] } as const)
  const completed = field('completed')
  const result = field('result')
  if (completed.value === null) return { invalid: [missingQuery('completed')] }
  const isCompleted = booleanOf(completed.value)
  if (isCompleted === null) return { invalid: [notBoolean(completed.location, completed.value)] }
  if (result.value !== null && typeof result.value !== 'string') {
    return { invalid: [notText(result.location, result.value)] }
  }
  return { answer: { completed: isCompleted, result: result.value } }
}

/** Boolean by the words that pydantic takes for true and false. */
function booleanOf(value: unknown): boolean | null {
  const word = typeof value === 'object' ? '' : String(value).toLowerCase()
  if (['true', '1', 'yes', 'on', 't', 'y'].includes(word)) return true
  return ['false', '0', 'no', 'off', 'f', 'n'].includes(word) ? false : null
}
