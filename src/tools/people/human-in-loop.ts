import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { HUMAN_WAIT_MS, MAX_HUMAN_TASK_CHARS, MAX_HUMAN_TIMEOUT_MS } from '../../core/limits/sessions.ts'
import { field, say } from '../../core/saying/saying.ts'
import { pythonTimestamp } from '../../core/timestamp.ts'
import { type HumanTask, type People, wordsOfAnswer } from '../../ports/people.ts'
import { anyLength, optional, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'

const MAX_WAIT_SECONDS = HUMAN_WAIT_MS / 1000

/**
 * Asks a person. There the call hangs until a person has answered; here it is pending after a while, and goes on with
 * `human_task_id`.
 * Source: Tool Server of October 2025, tools/human_tools, HumanInLoopTool; its `check_interval` has no meaning here.
 */
export const humanInLoop = defineTool({
  name: 'human_in_loop',
  description:
    'Ask a person to do or decide something, and wait for the answer on the server. Returns result: what the person ' +
    'answered. While there is no answer, the status is "pending" with a human_task_id: call again with that id to go on ' +
    'waiting, at any time, also much later. Meanwhile other tools can be used.',
  effect: 'fetch',
  uses: ['clock', 'people'],
  input: z.object({
    human_task: optional(z.string()).describe(
      `What the person should do or answer, at most ${MAX_HUMAN_TASK_CHARS} characters; they see nothing else. Required without human_task_id`,
    ),
    human_task_id: optional(z.string()).describe(
      'Of a task that was asked for before: wait for its answer. Default: asks anew',
    ),
    timeout: optional(anyLength).describe(
      `Seconds after which the task counts as failed, unless it is answered; at most ${MAX_HUMAN_TIMEOUT_MS / 1000}. Default: never`,
    ),
    wait_seconds: withDefault(anyLength, MAX_WAIT_SECONDS).describe(
      `Seconds that this call waits before it answers "pending", at most ${MAX_WAIT_SECONDS}; 0 to ask and not wait. Default ${MAX_WAIT_SECONDS}`,
    ),
  }),

  async run({ human_task, human_task_id, timeout, wait_seconds }, { ports: { clock, people }, signal }) {
    const dueAt = timeout ? clock.now() + Math.min(Math.round(timeout * 1000), MAX_HUMAN_TIMEOUT_MS) : null
    const request = human_task_id ? earlierTask(people, human_task_id, dueAt) : people.ask(wordsOf(human_task), dueAt)
    const patience = Math.min(wait_seconds * 1000, HUMAN_WAIT_MS)
    const left = request.dueAt === null ? Number.POSITIVE_INFINITY : request.dueAt - clock.now()
    await people.wait(request.id, Math.min(patience, left), signal)

    const task = people.find(request.id) ?? failTimedOut(request)
    if (task.completedAt !== null) {
      return {
        text: wordsOfAnswer(task.result),
        data: { ...shown(task), message: '人类任务已完成' },
      }
    }
    if (left <= patience) failTimedOut(task)
    return {
      soFar: {
        text: `no answer yet; call human_in_loop with human_task_id ${task.id} to go on waiting`,
        data: { ...shown(task), message: '人类任务尚未完成 (the person has not answered yet)' },
      },
      next: { tool: 'human_in_loop', args: { human_task_id: task.id } },
      retryAfterMs: 0, // the next call waits by itself
    }
  },
})

function wordsOf(given = ''): string {
  const words = given.trim().toWellFormed()
  if (words === '')
    fail(
      'invalid_input',
      say`${field('human_task')} 参数不能为空: say what the person should do, or give ${field('human_task_id')}`,
    )
  if (words.length > MAX_HUMAN_TASK_CHARS) {
    fail(
      'limit_exceeded',
      say`${field('human_task')} has ${words.length} characters, more than ${MAX_HUMAN_TASK_CHARS} (MAX_HUMAN_TASK_CHARS); put the rest into a file and name it`,
    )
  }
  return words
}

function earlierTask(people: People, id: string, dueAt: number | null): HumanTask {
  const task = people.find(id)
  if (task === null)
    fail('not_found', say`人类任务 ${id.slice(0, 100)} 超时或不存在: there is no such ${field('human_task_id')}`)
  if (dueAt === null) return task
  people.postpone(id, dueAt)
  return { ...task, dueAt }
}

function failTimedOut({ id, words }: HumanTask): never {
  fail(
    'timeout',
    say`人类任务 ${id} 超时或不存在: nobody answered in time; give ${field('human_task_id')} and a ${field('timeout')} to wait longer`,
    {
      data: { human_task_id: id, human_task: words, status: 'timeout_or_not_found' },
    },
  )
}

const shown = ({ id, words, completedAt, result, createdAt }: HumanTask) => ({
  human_task_id: id,
  human_task: words,
  completed: completedAt !== null,
  result,
  created_at: pythonTimestamp(createdAt),
  completed_at: completedAt === null ? null : pythonTimestamp(completedAt),
})
