import { expect, it } from 'vitest'
import type { Outcome } from '../../../../src/core/outcome.ts'
import { noSandboxFailure } from '../../../../src/core/rate-limited.ts'
import { openV1 } from './open.ts'

const SCHEMA = { properties: { command: {}, file_path: {}, timeout: {} } }

/** Body of the answer of a call whose tool answered so. */
async function answered(outcome: Outcome, sent: object, tools: readonly string[] = ['execute_shell']) {
  const { call } = openV1({
    tools: tools.map((name) => ({ name, inputSchema: SCHEMA })),
    toolkits: [],
    session: () => ({ call: async () => outcome }),
  } as never) // no more of them is asked for
  return (await call('POST', '/v1/sessions/s/calls', { tool: 'execute_shell', ...sent })).body
}

const data = { exit_code: 0, stdout: 'a\n', stderr: '', command: 'echo a', branch: null, executed_file: 'a.py' }
const args = { command: 'echo a', file_path: 'a.py', timeout: 5 }
/** What each answer says of its call. */
const CALL = { call_id: null, tool: 'execute_shell' }
const done: Outcome = { kind: 'done', result: { text: 'a\nexit code 0', data } }

it('an answer repeats nothing that the caller sent, and has no nulls', async () => {
  const body = { ...CALL, state: 'done', text: 'a\nexit code 0', data: { exit_code: 0, stdout: 'a\n', stderr: '' } }
  expect(await answered(done, { args })).toEqual(body)
  const failure = { code: 'timeout', message: 'too long', data: { ...data, exit_code: -1 } } as const
  expect(await answered({ kind: 'failed', failure }, { args })).toEqual({
    ...CALL,
    state: 'failed',
    error: { code: 'timeout', message: 'too long', data: { exit_code: -1, stdout: 'a\n', stderr: '' } },
  })
})

it('a call that was refused for now is told when to come again', async () => {
  const { fetch } = openV1({
    tools: [{ name: 'execute_shell', inputSchema: SCHEMA }],
    toolkits: [],
    session: () => ({
      call: async () => ({ kind: 'refused', failure: noSandboxFailure('all sandboxes are at work') }) satisfies Outcome,
    }),
  } as never) // no more of them is asked for
  const { status, headers } = await fetch('POST', '/v1/sessions/s/calls', { tool: 'execute_shell', args })
  expect([status, headers.get('Retry-After')]).toEqual([429, '10'])
})

it('a field that differs from what was sent is in the answer', async () => {
  expect(await answered(done, { args: { ...args, command: 'echo b' } })).toMatchObject({ data: { command: 'echo a' } })
})

it('what a registered tool answers is left as it is', async () => {
  expect(await answered(done, { args }, [])).toMatchObject({ data })
})

it('a caller has the form of the answer that it asks for: text, fields, or both', async () => {
  expect(await answered(done, { args, answer: 'text' })).toEqual({
    ...CALL,
    state: 'done',
    text: 'a\nexit code 0',
  })
  expect(await answered(done, { args, answer: 'data' })).not.toHaveProperty('text')
  expect(await answered(done, { args, answer: 'all' })).toMatchObject({ code: 'invalid_input' })
})

it('a picture is a content part, and not a data URL besides', async () => {
  const content = [{ type: 'image', mimeType: 'image/png', data: 'aGk=' }] as const
  const picture = { media_type: 'image/png', width: 1, height: 2, data_url: 'data:image/png;base64,aGk=' }
  const body = await answered({ kind: 'done', result: { text: 'a.png', data: picture, content } }, { args })
  expect(body).toEqual({
    ...CALL,
    state: 'done',
    text: 'a.png',
    data: { media_type: 'image/png', width: 1, height: 2 },
    content,
  })
})
