import { env, exports } from 'cloudflare:workers'
import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { createServer } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'
import { connected } from '../support/mcp-client.ts'
import { newKeyOf, newTenant } from '../support/mcp-keys.ts'

beforeAll(() => migrateKeys(env.DB))

type Answer = {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string>
}

/** A client whose person answers so, and its questions. */
async function withPerson(session: string, mode: 'legacy' | 'auto', answer: () => Answer | Promise<Answer>) {
  const questions: unknown[] = []
  const prepare = (client: Client) =>
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params)
      return answer()
    })
  const path = `/mcp/s/${session}`
  const { client } = await connected({ path, mode, fetch, capabilities: { elicitation: {} }, prepare })
  const call = async (args: Record<string, unknown>, name = 'human_in_loop') => {
    const result = await client.callTool({ name, arguments: args })
    return { ...result, text: textOf(result) }
  }
  return { questions, call }
}

const textOf = (result: unknown) =>
  (result as { content: { text?: string }[] }).content.map(({ text }) => text ?? '').join('\n')

/** Two isolates of one server, which take turns. */
const isolates = [1, 2].map(() => createServer({ ...env, SECRETS_KEY: 'a key for secrets, of the tests alone' }))
let turn = 0
const fetch = (request: Request) => (isolates[turn++ % 2] ?? exports.default).fetch(request)

/** Questions to people of a session, as the page at which they sit has them. */
const questionsOf = async (session: string): Promise<Questions> =>
  (await exports.default.fetch(`http://localhost/api/human-tasks/${session}`)).json()

interface Questions {
  readonly data: { readonly human_tasks: readonly { readonly human_task_id: string; readonly completed: boolean }[] }
}

/** Answers the one question of a session as somebody at that page does. */
async function answerElsewhere(session: string, result: string) {
  const [question] = (await questionsOf(session)).data.human_tasks
  const answered = await exports.default.fetch(
    `http://localhost/api/human-tasks/${session}/${question?.human_task_id}`,
    {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ completed: true, result }),
    },
  )
  expect(answered.status).toBe(200)
}

describe.each(['legacy', 'auto'] as const)('a person at a client (%s)', (mode) => {
  it('answers a question of the model in its own client', async () => {
    const { questions, call } = await withPerson(`ask-${mode}`, mode, () => ({
      action: 'accept',
      content: { answer: 'blue' },
    }))
    const result = await call({ human_task: 'Which colour?' })
    expect(result.text).toBe('the person answered: blue')
    expect(questions).toMatchObject([{ mode: 'form', message: 'Which colour?' }])
    expect(await call({ name: 'human_in_loop', arguments: { human_task: 'And now?' } }, 'call_tool')).toMatchObject({
      text: 'the person answered: blue',
    })
  })

  it.each(['decline', 'cancel'] as const)('may %s, and the model is told what to do', async (action) => {
    const session = `ask-${mode}-${action}`
    const { call } = await withPerson(session, mode, () => ({ action }))
    const { text, isError } = await call({ human_task: 'Which colour?' })
    expect(isError).toBeFalsy()
    expect(text).toMatch(action === 'decline' ? /declined to answer.*go on without/ : /closed the question.*ask again/)
    expect(text).toContain('human_task_id')
    expect(await questionsOf(session)).toMatchObject({ data: { human_tasks: [{ completed: false }] } })
  })

  it('is not asked where the model does not wait', async () => {
    const { questions, call } = await withPerson(`ask-${mode}-later`, mode, () => ({ action: 'cancel' }))
    expect((await call({ human_task: 'Which colour?', wait_seconds: 0 })).text).toContain('no answer yet')
    expect(questions).toEqual([])
  })

  it('is too late where somebody else has answered', async () => {
    const session = `ask-${mode}-faster`
    const { call } = await withPerson(session, mode, async () => {
      await answerElsewhere(session, 'early')
      return { action: 'accept', content: { answer: 'late' } }
    })
    expect((await call({ human_task: 'Which colour?' })).text).toBe('the person answered: early')
  })

  it('that fails leaves the question to others', async () => {
    const session = `ask-${mode}-fails`
    const { call } = await withPerson(session, mode, () => Promise.reject(new Error('no window')))
    const result = await call({ human_task: 'Which colour?' }).catch((thrown) => ({ text: String(thrown) }))
    expect(result.text).toMatch(mode === 'legacy' ? /no answer yet/ : /no window/)
    expect(await questionsOf(session)).toMatchObject({ data: { human_tasks: [{ completed: false }] } })
  })
})

it('a client without forms waits as before, and so does one of a server without SECRETS_KEY', async () => {
  const plain = await connected({ path: '/mcp/s/ask-plain', fetch })
  const args = { human_task: 'Which colour?', wait_seconds: 0.1 }
  const waited = await plain.client.callTool({ name: 'human_in_loop', arguments: args })
  expect(textOf(waited)).toContain('no answer yet')
  const capabilities = { elicitation: {} }
  const unsigned = await connected({ path: '/mcp/s/ask-unsigned', mode: 'auto', capabilities })
  expect(textOf(await unsigned.client.callTool({ name: 'human_in_loop', arguments: args }))).toContain('no answer yet')
})

describe('the state that a client of 2026-07-28 brings back', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  }

  async function ask(session: string, args: object, given: object = {}, headers: Record<string, string> = {}) {
    const params = { name: 'human_in_loop', arguments: args, ...given, _meta: META }
    const answer = await fetch(
      new Request(`http://localhost/mcp/s/${session}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': 'tools/call',
          'Mcp-Name': 'human_in_loop',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      }),
    )
    // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
    return (await answer.json()) as any
  }

  const question = { human_task: 'Which colour?' }
  const inputResponses = { answer: { action: 'accept', content: { answer: 'red' } } }

  it('holds for the same call alone, as it was signed', async () => {
    const { result } = await ask('state', question)
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { answer: {} } })
    const { requestState } = result
    const changed = `${requestState.slice(0, 20)}${requestState[20] === 'A' ? 'B' : 'A'}${requestState.slice(21)}`
    const refused = { error: { code: -32602 } }
    for (const state of [changed, requestState.slice(0, -1), 'x', '']) {
      expect(await ask('state', question, { requestState: state, inputResponses }), state).toMatchObject(refused)
    }
    const signed = { requestState, inputResponses }
    expect(await ask('state', { human_task: 'Which shape?' }, signed)).toMatchObject(refused)
    await ask('state-2', question)
    expect(await ask('state-2', question, signed)).toMatchObject(refused)
    expect(await questionsOf('state')).toMatchObject({ data: { human_tasks: [{ completed: false }] } })
    expect(await ask('state', question, signed)).toMatchObject({
      result: { content: [{ text: 'the person answered: red' }] },
    })
  })

  it('without an answer has the client asked again', async () => {
    const { requestState } = (await ask('state-again', question)).result
    for (const inputResponses of [undefined, {}, { other: { action: 'accept' } }, { answer: { action: 'maybe' } }]) {
      const again = await ask('state-again', question, { requestState, inputResponses })
      expect(again, JSON.stringify(inputResponses)).toMatchObject({ result: { resultType: 'input_required' } })
    }
    expect((await questionsOf('state-again')).data.human_tasks).toHaveLength(1)
  })

  it('is of the key that began the call', async () => {
    const tenant = await newTenant(env.DB)
    const key = await newKeyOf(env.DB, tenant)
    const { requestState } = (await ask('state-key', question, {}, key)).result
    const answer = (headers: Record<string, string>) =>
      ask('state-key', question, { requestState, inputResponses }, headers)
    expect(await answer(await newKeyOf(env.DB, tenant))).toMatchObject({ error: { code: -32602 } })
    expect(await answer(key)).toMatchObject({ result: { content: [{ text: 'the person answered: red' }] } })
  })
})
