import { expect, it } from 'vitest'
import { ToolDefinition } from '../../../../src/registry/definition.ts'
import { openV1 } from './open.ts'

const dryRun = async (body: object, scopes?: Parameters<ReturnType<typeof openV1>['call']>[3]) => {
  const { call, tenant } = openV1()
  const definition = ToolDefinition.parse({
    id: 'look.up',
    name: 'Look up',
    description: '',
    input_schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    output_schema: { type: 'object', properties: { found: { type: 'string' } } },
    checks: { input: false, output: true },
    executor: { kind: 'http', target: 'https://tools.example/run' },
  })
  await tenant.tools.change([{ op: 'put', definition }], { key: null, agent: null })
  return call('POST', '/v1/chains/dry-run', body, scopes)
}

const chain = {
  steps: [
    { id: 'each', tool: 'look.up', map: { over: 'input.words' }, input: { word: '${{ item }}' } },
    {
      id: 'kept',
      tool: 'file_write',
      input: { file_path: 'a.md', content: '${{ steps.each.result[0].result.found }}' },
    },
  ],
}

it('shows what a chain would call, with the tools of the tenant and of every session', async () => {
  expect(await dryRun({ chain, input: { words: ['bee', 'ant'] } }, ['read'])).toMatchObject({
    status: 200,
    body: {
      ok: true,
      issues: [],
      steps: [
        { id: 'each', kind: 'tool', runs: 'yes', calls: 2, input: { word: 'bee' } },
        { id: 'kept', waits_for: ['each'], input: { content: '<steps.each.result[0].result.found: string>' } },
      ],
    },
  })
})

it('names all mistakes of a chain, and is no error for that', async () => {
  const steps = [
    { id: 'a', tool: 'look.up', input: {} },
    { id: 'b', tool: 'gone', input: '${{ steps.a.result.result.lost }}' },
  ]
  const { status, body } = await dryRun({ chain: { steps } })
  expect(status).toBe(200)
  expect(body.issues).toEqual([
    { step: 'a', message: 'input: word is required and not given' },
    { step: 'b', message: expect.stringMatching(/^there is no tool gone/) },
    { step: 'b', message: 'input: steps.a.result.result has no lost; it has found' },
  ])
  expect((await dryRun({ chain: 'none' })).body).toMatchObject({ ok: false, steps: [] })
})

it('does not grow by an input that is named many times', async () => {
  const list = Array.from({ length: 100 }, () => '${{ input.text }}')
  const steps = Array.from({ length: 20 }, (_, n) => ({ id: `s${n}`, tool: 'look.up', input: { word: list } }))
  const { body } = await dryRun({ chain: { steps }, input: { text: 'x'.repeat(30_000) } })
  expect(JSON.stringify(body).length).toBeLessThan(20_000_000)
  expect(body).toMatchObject({
    ok: false,
    issues: expect.arrayContaining([{ step: 's9', message: expect.stringMatching(/MAX_CHAIN_KEPT_CHARS/) }]),
  })
})

it('is refused to keys that may not read', async () => {
  expect(await dryRun({ chain }, [])).toMatchObject({ status: 403 })
})
