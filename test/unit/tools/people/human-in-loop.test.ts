import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  HUMAN_WAIT_MS,
  MAX_HUMAN_RESULT_CHARS,
  MAX_HUMAN_TASK_CHARS,
  MAX_HUMAN_TASKS,
} from '../../../../src/core/limits/sessions.ts'
import type { Pending, Result } from '../../../../src/core/outcome.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A session, and what is done in it by a model and by a person. */
function session() {
  const bench = toolbench(catalog)
  const ask = (params: object) => bench.run('human_in_loop', params)
  return {
    ...bench,
    ask,
    /** Asks and does not wait. @returns the task's id */
    post: async (human_task: string) =>
      String(pending(await ask({ human_task, wait_seconds: 0 })).soFar.data.human_task_id),
    answer: (id: string, result: string | null = null) => bench.people.answer(id, { completed: true, result }),
  }
}

function pending(answer: Result | Pending): Pending {
  if (!('soFar' in answer)) throw new Error(`it is done: ${answer.text}`)
  return answer
}

describe('asking a person', () => {
  it('waits for the answer and comes back with it', async () => {
    const { ask, people, answer } = session()
    const waiting = ask({ human_task: ' Which colour? ', check_interval: 5, silent: true })
    await vi.advanceTimersByTimeAsync(60_000)
    const [task] = people.list()
    expect(task).toMatchObject({ words: 'Which colour?', completedAt: null })
    await answer(task?.id ?? '', 'blue')
    expect(await waiting).toEqual({
      text: 'the person answered: blue',
      data: {
        human_task_id: task?.id,
        human_task: 'Which colour?',
        completed: true,
        result: 'blue',
        created_at: '2026-11-20T11:08:41.368000',
        completed_at: '2026-11-20T11:08:41.368000',
        message: '人类任务已完成',
      },
    })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is pending when nobody has answered for a while, and goes on with the same task', async () => {
    const { ask, people, answer } = session()
    const first = ask({ human_task: 'Sign it' })
    await vi.advanceTimersByTimeAsync(HUMAN_WAIT_MS)
    const { soFar, next } = pending(await first)
    const [task] = people.list()
    expect(soFar.data).toMatchObject({ human_task_id: task?.id, completed: false, result: null, completed_at: null })
    expect(next).toEqual({ tool: 'human_in_loop', args: { human_task_id: task?.id } })
    const again = ask(next.args as object)
    await answer(task?.id ?? '')
    expect((await again) as Result).toMatchObject({ text: 'the person has done it', data: { result: null } })
    expect(people.list()).toHaveLength(1)
  })

  it('gives the answer to whoever asks for it later, any number of times', async () => {
    const { ask, post, answer } = session()
    const id = await post('Sign it')
    await answer(id, 'signed')
    for (const _ of [1, 2]) expect(await ask({ human_task_id: id })).toMatchObject({ data: { result: 'signed' } })
  })

  it('answers all calls that wait for one task', async () => {
    const { ask, post, answer } = session()
    const id = await post('Sign it')
    const calls = [ask({ human_task_id: id }), ask({ human_task: 'Sign it' })]
    await answer(id, 'signed')
    for (const call of calls) expect(await call).toMatchObject({ data: { human_task_id: id, result: 'signed' } })
  })

  it('in words that are open already makes no second task; once they are answered it does', async () => {
    const { post, answer } = session()
    const first = await post('Approve?')
    expect(await post('Approve?')).toBe(first)
    await answer(first, 'yes')
    expect(await post('Approve?')).not.toBe(first)
  })

  it('ends with the timeout when that is shorter, and can be waited for again', async () => {
    const { ask, people, answer, failure } = session()
    const late = failure('human_in_loop', { human_task: 'Quick!', timeout: '1.5' })
    await vi.advanceTimersByTimeAsync(1_500)
    const [task] = people.list()
    expect(await late).toEqual({
      code: 'timeout',
      message: expect.stringMatching(`^人类任务 ${task?.id} 超时或不存在`),
      data: { human_task_id: task?.id, human_task: 'Quick!', status: 'timeout_or_not_found' },
    })
    const again = ask({ human_task_id: task?.id, timeout: 30 })
    await vi.advanceTimersByTimeAsync(10_000)
    await answer(task?.id ?? '', 'here')
    expect(await again).toMatchObject({ data: { result: 'here' } })
  })

  it('ends when the session does', async () => {
    const { people, post } = session()
    const id = await post('Sign it')
    const ended = new AbortController()
    const waiting = people.wait(id, 60_000, ended.signal)
    ended.abort()
    await waiting
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    [{}, 'invalid_input', /^human_task 参数不能为空: say what/],
    [{ human_task: '  \n' }, 'invalid_input', /^human_task 参数不能为空/],
    [{ human_task: 'x'.repeat(MAX_HUMAN_TASK_CHARS + 1) }, 'limit_exceeded', /MAX_HUMAN_TASK_CHARS/],
    [{ human_task_id: 'nobody' }, 'not_found', /^人类任务 nobody 超时或不存在/],
    [{ human_task: 'x', timeout: -1 }, 'invalid_input', /^timeout: must not be negative/],
    [{ human_task: 'x', timeout: 'soon' }, 'invalid_input', /^timeout: must be a number of seconds/],
  ])('%j is refused as %s', async (params, code, message) => {
    const { failure } = session()
    expect(await failure('human_in_loop', params)).toMatchObject({ code, message: expect.stringMatching(message) })
  })
})

describe('what a person says', () => {
  it('stands: the same again changes nothing, something else is a conflict', async () => {
    const { people, post, answer } = session()
    const id = await post('Approve?')
    const once = await answer(id, 'yes')
    expect(await answer(id, 'yes')).toEqual(once)
    expect(await answer(id)).toEqual(once)
    await expect(answer(id, 'no')).rejects.toThrow(/completed already/)
    await expect(people.answer(id, { completed: false, result: null })).rejects.toThrow(/completed already/)
    expect(people.find(id)?.result).toBe('yes')
  })

  it('may be a remark that leaves the task open', async () => {
    const { people, post, ask } = session()
    const id = await post('Approve?')
    await people.answer(id, { completed: false, result: 'looking into it' })
    expect(pending(await ask({ human_task_id: id, wait_seconds: 0 })).soFar.data).toMatchObject({
      completed: false,
      result: 'looking into it',
    })
  })

  it('is cut where it is too long, and says so', async () => {
    const { post, answer } = session()
    const answered = await answer(await post('Tell me all'), 'x'.repeat(MAX_HUMAN_RESULT_CHARS + 1))
    expect(answered.result).toHaveLength(
      MAX_HUMAN_RESULT_CHARS + '… [cut after 16000 characters (MAX_HUMAN_RESULT_CHARS)]'.length,
    )
    expect(answered.result).toMatch(/MAX_HUMAN_RESULT_CHARS/)
  })
})

describe('many tasks', () => {
  it('that are open are bounded; completed and given-up ones make room', async () => {
    const { people, post, answer, ask, failure } = session()
    const ids: string[] = []
    for (let n = 0; n < MAX_HUMAN_TASKS; n += 1) ids.push(await post(`task ${n}`))
    expect(await failure('human_in_loop', { human_task: 'one more' })).toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringContaining('MAX_HUMAN_TASKS'),
    })
    await answer(ids[7] ?? '', 'done')
    await post('one more')
    expect(people.find(ids[7] ?? '')).toBeNull()
    expect(people.list()).toHaveLength(MAX_HUMAN_TASKS)
    await expect(ask({ human_task: 'yet another', wait_seconds: 0 })).rejects.toThrow(/MAX_HUMAN_TASKS/)
  })
})
