import { expect, it } from 'vitest'
import type { Outcome, ToolCall } from '../../../../src/core/outcome.ts'
import { answerOf } from '../../../../src/http/dialects/v1/calls/encode-outcome.ts'
import { viewOf } from '../../../../src/http/dialects/v1/calls/result-view.ts'
import { OWN } from '../../../../src/http/owner-vocabulary.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { openV1 } from './open.ts'

const TEXT = Array.from({ length: 5_000 }, (_, at) => `line ${at + 1}`).join('\n')
const DATA = { matches: [{ name: 'one' }, { name: 'two' }] }

/** A caller whose session answers every begun call with that text, and keeps it. `made`: calls that were begun, and made otherwise. */
function anOpen() {
  const made = { begun: [] as ToolCall[], plain: [] as ToolCall[] }
  const result = { text: TEXT, data: DATA }
  const call = {
    ...{ callId: 'c7', tool: 'file_read', state: 'done', args: '{}', answer: 'line 1' },
    ...{ startedAt: 1, endedAt: 2, receipt: null },
  }
  const look = async () => ({
    call,
    running: false,
    progress: { lines: [], count: 0 },
    outcome: { kind: 'done', callId: 'c7', result },
  })
  const session = () => ({
    begin: async (given: ToolCall) => {
      made.begun.push(given)
      return { callId: 'c7' }
    },
    call: async (given: ToolCall): Promise<Outcome> => {
      made.plain.push(given)
      return { kind: 'done', callId: 'c7', result }
    },
    calls: { follow: look, find: look },
  })
  const tools = { tools: catalog.list(), toolkits: catalog.toolkits() }
  return { made, ...openV1({ ...tools, session } as never) } // no more of it is asked for
}

const CALL = { tool: 'file_read', arguments: { file_path: 'a.txt' } }
const AT = '/v1/sessions/s/calls'

it('a call with a view shows that part of the whole result, how long both are, and the whole’s name', async () => {
  const { call, made } = anOpen()
  const { status, body } = await call('POST', AT, { ...CALL, view: 'grep:^line 42$', max_tokens: 100 })
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ...{ call_id: 'c7', tool: 'file_read', state: 'done' },
      text: '40-line 40\n41-line 41\n42:line 42\n43-line 43\n44-line 44',
      view: {
        view: 'grep:^line 42$',
        tokens: expect.any(Number),
        whole_tokens: expect.any(Number),
        handle: 'result_c7',
      },
    },
  })
  const { view } = body as { view: { tokens: number; whole_tokens: number } }
  expect(view.tokens).toBeLessThan(40)
  expect(view.whole_tokens).toBeGreaterThan(10_000)
  // The tool answers at full length, since the view is of the whole.
  expect(made.begun.map(({ args }) => args)).toEqual([{ file_path: 'a.txt', max_chars: 1_048_576 }])
  expect(made.plain).toEqual([])
})

it('max_tokens alone shows head and tail, and a length that the caller names stays', async () => {
  const { call, made } = anOpen()
  const { body } = await call('POST', AT, {
    tool: 'file_read',
    arguments: { path: 'a.txt', max_length: 9 },
    max_tokens: 50,
  })
  expect(body).toMatchObject({ text: expect.stringMatching(/^line 1\n[\s\S]*left out\]\n[\s\S]*line 5000$/) })
  expect(made.begun[0]?.args).toMatchObject({ max_chars: 9 })
})

it('a call without a view is made as before, and nothing is kept', async () => {
  const { call, made } = anOpen()
  expect((await call('POST', AT, CALL)).body).toMatchObject({ text: TEXT, data: DATA })
  expect([made.begun.length, made.plain.map(({ args }) => args)]).toEqual([0, [CALL.arguments]])
})

it('a kept result is looked at again by its handle or its call’s id, with another view', async () => {
  const { call } = anOpen()
  for (const name of ['c7', 'result_c7']) {
    expect((await call('GET', `${AT}/${name}?view=jsonpath:$.matches[*].name`)).body).toMatchObject({
      result: { text: '"one"\n"two"' },
      view: { handle: 'result_c7' },
    })
  }
  expect((await call('GET', `${AT}/c7`)).body).toMatchObject({ result: { text: TEXT, data: DATA } })
})

it('each call of a batch has a view of its own, and a wrong one is its own problem', async () => {
  const { call } = anOpen()
  const calls = [{ ...CALL, view: 'tail', max_tokens: 30 }, CALL, { ...CALL, view: 'grep:(' }]
  const { data } = (await call('POST', `${AT}:batch`, { calls })).body as { data: Record<string, unknown>[] }
  expect(data).toMatchObject([
    { status: 200, call: { text: expect.stringMatching(/line 5000$/), view: { handle: 'result_c7' } } },
    { status: 200, call: { text: TEXT } },
    { status: 400, problem: { code: 'invalid_input' } },
  ])
})

it('refuses wrong views before anything is called', async () => {
  const { call, made } = anOpen()
  const wrong = [
    ...[
      { max_tokens: 0 },
      { max_tokens: -1 },
      { max_tokens: 1e12 },
      { max_tokens: 1.5 },
      { view: '' },
      { view: 'all' },
    ],
    ...[{ view: `grep:${'a'.repeat(10_000)}` }, { view: 'grep:(' }, { view: `jsonpath:$${'.a'.repeat(10_000)}` }],
  ]
  for (const given of wrong) expect(await call('POST', AT, { ...CALL, ...given })).toMatchObject({ status: 400 })
  for (const query of ['max_tokens=0', 'max_tokens=1e12', 'view=x', 'view=jsonpath:$[?(@.a)]']) {
    expect(await call('GET', `${AT}/c7?${query}`)).toMatchObject({ status: 400 })
  }
  expect(made).toEqual({ begun: [], plain: [] })
})

it('max_tokens holds for an error too, with any view: its start, its end, and no long data', () => {
  const message = `the start ${'x '.repeat(5_000)}the end`
  const failure = { code: 'upstream', message, data: { x: 'y'.repeat(5_000) } } as const
  const form = { tool: 't', session: 's', vocabulary: OWN, answer: 'both' } as const
  const errorWith = (view?: string) =>
    answerOf({ kind: 'failed', failure }, { ...form, view: viewOf({ view, max_tokens: 50 }) }).error
  for (const view of [undefined, 'grep:zzz', 'jsonpath:$.a']) {
    expect(errorWith(view)).toEqual({
      code: 'upstream',
      message: expect.stringMatching(/^the start .*left out\].*the end$/s),
    })
    expect(errorWith(view)?.message.length).toBeLessThan(300)
  }
  expect(answerOf({ kind: 'failed', failure }, form).error).toEqual(failure)
})
