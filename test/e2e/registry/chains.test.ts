import { afterAll, expect, it } from 'vitest'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import type { ToolChange } from '../../../src/tenant/tools-api.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { tenantObject } from '../../support/sandbox-control.ts'
import { jsonAnswer, type StandIn, startStandIn } from '../../support/stand-in.ts'

let service: StandIn
let requests = 0
const toolyard = runningToolyard(async () => {
  service = await startStandIn(({ url, body }) => {
    requests++
    if (url.pathname === '/slow') return () => undefined
    const { args } = JSON.parse(body) as { args: { word?: string } }
    return args.word === 'wasp' ? { status: 500, body: 'no wasps' } : jsonAnswer({ found: `about ${args.word}` })
  })
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: service.host } }
})
afterAll(() => service.stop())

async function save(id: string, executor: unknown, more: object = {}): Promise<void> {
  const definition = ToolDefinition.parse({ id, name: id, description: '', input_schema: {}, executor, ...more })
  await tenantObject(toolyard()).tools.change([{ op: 'put', definition } satisfies ToolChange], {
    key: null,
    agent: null,
  })
}

const http = (path: string) => ({ kind: 'http', target: `${service.url}${path}` })
const chain = (steps: readonly object[], output?: unknown) => ({
  kind: 'chain',
  chain: { steps, ...(output !== undefined && { output }) },
})

/** Over the Tool Server's route, as any client calls a tool. */
async function run(task: string, tool: string, params: object) {
  const post = (path: string, body: object) =>
    fetch(`${toolyard().url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post(`/api/task/create?task_id=${task}&task_name=Chains`, {})
  const response = await post('/api/tool/execute', { task_id: task, tool_name: tool, params })
  return (await response.json()) as { success: boolean; data?: Record<string, unknown>; error?: string }
}
const call = (task: string, tool_id: string, args: object) => run(task, 'registered_call', { tool_id, args })

it('runs a chain of a tenant over its own tools and those of the session, files and history included', async () => {
  await save('look.up', http('/'))
  await save(
    'notes.make',
    chain(
      [
        {
          id: 'each',
          tool: 'look.up',
          map: { over: 'input.words' },
          input: { word: '${{ item }}' },
          on_error: 'continue',
        },
        {
          id: 'kept',
          tool: 'file_write',
          input: { file_path: 'notes.md', content: '${{ json(pluck(steps.each.result, "result")) }}' },
        },
        { id: 'read', tool: 'file_read', input: { file_path: '${{ steps.kept.result.file_path }}' } },
      ],
      '${{ steps.read.result.content }}',
    ),
  )
  const answer = await call('chains-1', 'notes.make', { words: ['bee', 'wasp', 'ant'] })
  expect(answer).toMatchObject({
    success: true,
    data: { output: '[{"found":"about bee"},null,{"found":"about ant"}]', calls: 5 },
  })
  expect(answer.data?.steps).toMatchObject([
    {
      id: 'each',
      outcome: 'done',
      items: [
        { outcome: 'done' },
        { outcome: 'failed', error: { message: expect.stringContaining('HTTP 500') } },
        { outcome: 'done' },
      ],
    },
    { id: 'kept', tool: 'file_write', outcome: 'done' },
    { id: 'read', outcome: 'done' },
  ])
  expect((await run('chains-1', 'file_read', { file_path: 'notes.md' })).data?.content).toContain('about ant')
  const history = (await (await fetch(`${toolyard().url}/v1/sessions/chains-1/calls`)).json()) as {
    data: { tool: string }[]
  }
  expect(history.data.map(({ tool }) => tool)).toEqual(
    expect.arrayContaining(['registered_call', 'file_write', 'file_read']),
  )
})

it('ends a chain that has come to loop after it was saved, and says which way it went', async () => {
  const nothing = chain([{ id: 'x', tool: 'list_locks' }])
  await save('ring.b', nothing)
  await save('ring.a', chain([{ id: 'b', tool: 'ring.b' }]))
  await save('ring.a', nothing)
  await save('ring.b', chain([{ id: 'a', tool: 'ring.a' }]))
  await expect(save('ring.a', chain([{ id: 'b', tool: 'ring.b' }]))).rejects.toThrow('ring.a → ring.b → ring.a')
  // Each was sound when it was saved; going back to the first version closes the ring.
  await tenantObject(toolyard()).tools.change([{ op: 'stable', id: 'ring.a', version: 1 }], { key: null, agent: null })
  expect(await call('chains-4', 'ring.a', {})).toMatchObject({
    success: false,
    error: expect.stringContaining('the chain loops: ring.a → ring.b → ring.a'),
  })
})

it('stops a chain when its time is over, with the steps that were done', async () => {
  await save('slow.one', http('/slow'), { timeout: 60 })
  await save(
    'slow.chain',
    chain([
      { id: 'first', tool: 'file_write', input: { file_path: 'a', content: 'x' } },
      { id: 'slow', tool: 'slow.one', on_error: 'continue' },
    ]),
    { timeout: 1 },
  )
  const { success, error } = await call('chains-2', 'slow.chain', {})
  expect(success).toBe(false)
  expect(error).toMatch(/took longer than its timeout of 1 s/)
})

it('passes each step through the rules of its own tool', async () => {
  const before = requests
  await save('for.others', http('/'))
  await tenantObject(toolyard()).tools.change(
    [{ op: 'policy', id: 'for.others', policy: { allowed_agents: ['agent:sofia'] } }],
    { key: null, agent: null },
  )
  await save('around', chain([{ id: 'x', tool: 'for.others' }]))
  expect(await call('chains-3', 'around', {})).toMatchObject({
    success: false,
    error: expect.stringContaining('for some agents only'),
  })
  expect(requests).toBe(before)
})
