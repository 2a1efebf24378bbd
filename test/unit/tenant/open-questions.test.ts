import { expect, it } from 'vitest'
import { MAX_OPEN_QUESTIONS } from '../../../src/core/limits/tenants.ts'
import type { EndedCall, HumanTaskReport } from '../../../src/tenant/calls-api.ts'
import { openTenant } from './open.ts'

const report = (number: number, humanTask: HumanTaskReport, callId: string, session = 's'): EndedCall => ({
  ...{ key: null, agent: null, failure: null, ms: 0, bytesIn: 0, bytesOut: 0, sandboxMs: 0, tool: 'human_task' },
  ...{ number, humanTask, callId, session, startedAt: number },
  ...(humanTask === 'created' && { words: `is ${callId} right?` }),
})

const listed = async ({ tenant }: ReturnType<typeof openTenant>, page = { limit: 10 }) =>
  (await tenant.questions.list(page)).map(({ session, task, words }) => [session, task, words])

it('questions of all sessions are listed while they are open, the newest first, by pages', async () => {
  const opened = openTenant()
  const { tenant } = opened
  await tenant.calls.end('n', [report(1, 'created', 'a'), report(2, 'created', 'b'), report(3, 'created', 'c')])
  await tenant.calls.end('m', [report(1, 'created', 'a', 'other')])
  expect(await listed(opened)).toEqual([
    ['other', 'a', 'is a right?'],
    ['s', 'c', 'is c right?'],
    ['s', 'b', 'is b right?'],
    ['s', 'a', 'is a right?'],
  ])
  const [, second] = await tenant.questions.list({ limit: 2 })
  expect(await tenant.questions.list({ limit: 1, before: second?.place ?? 0 })).toMatchObject([
    { task: 'b', createdAt: 2 },
  ])
  await tenant.calls.end('n', [report(4, 'completed', 'c'), report(5, 'dropped', 'b')])
  expect(await listed(opened)).toEqual([
    ['other', 'a', 'is a right?'],
    ['s', 'a', 'is a right?'],
  ])
})

it('a report that comes again, or late, opens no question that was answered', async () => {
  const opened = openTenant()
  const { tenant } = opened
  const all = [report(1, 'created', 'a'), report(2, 'completed', 'a')]
  await tenant.calls.end('n', all)
  await tenant.calls.end('n', all.slice(0, 1))
  await tenant.calls.end('n', all)
  expect(await listed(opened)).toEqual([])
})

it('questions go with their session', async () => {
  const opened = openTenant()
  const { tenant } = opened
  await tenant.sessions.add({ name: 's', nodeId: 'n', title: '', createdAt: 1 })
  await tenant.calls.end('n', [report(1, 'created', 'a')])
  await tenant.sessions.remove('s')
  expect(await listed(opened)).toEqual([])
})

it('only the newest are kept', async () => {
  const opened = openTenant()
  const { tenant, sql } = opened
  const reports = Array.from({ length: MAX_OPEN_QUESTIONS + 5 }, (_, at) => report(at + 1, 'created', `t${at}`))
  await tenant.calls.end('n', reports)
  expect(sql.all('SELECT count(*) AS rows FROM open_questions')).toMatchObject([{ rows: MAX_OPEN_QUESTIONS }])
})

it('a session that was set back has the questions that it reports now', async () => {
  const opened = openTenant()
  const { tenant } = opened
  const session = { name: 's', nodeId: 'n', title: '', createdAt: 1 }
  await tenant.sessions.add(session)
  await tenant.calls.end('n', [report(1, 'created', 'later'), report(2, 'created', 'a'), report(3, 'completed', 'a')])
  await tenant.sessions.add({ ...session, isRecovered: true })
  expect(await listed(opened)).toEqual([])
  await tenant.calls.end('n', [report(1, 'created', 'a')])
  expect(await listed(opened)).toEqual([['s', 'a', 'is a right?']])
})
