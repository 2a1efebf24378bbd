import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import {
  anthropicResults,
  definitions,
  geminiResults,
  openaiChatResults,
  openaiResponsesResults,
  toolResult,
} from '../../../src/client/adapters/index.ts'
import { ConnectionError, SessionNotFoundError, Toolyard } from '../../../src/client/index.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { jsonAnswer, standIn } from '../../support/stand-in.ts'

const server = runningToolyard(async () => ({}))
const toolyard = () => new Toolyard({ baseUrl: server().url })
let session: Awaited<ReturnType<Toolyard['sessions']['create']>>
beforeAll(async () => {
  session = await toolyard().sessions.create()
})
afterAll(() => session?.delete())

const MISTAKES = [
  { what: 'a tool that there is not', name: 'file_reed', args: {}, says: 'file_read' },
  { what: 'an argument that is missing', name: 'file_read', args: '{}', says: 'file_path' },
  { what: 'an argument that it does not have', name: 'dir_list', args: { page: 1 }, says: 'unknown parameter: page' },
  { what: 'arguments that are no JSON', name: 'dir_list', args: '{"recursive": tr', says: 'no JSON object' },
  { what: 'arguments that are a list', name: 'dir_list', args: [1], says: 'no JSON object' },
  {
    what: 'a file that there is not',
    name: 'file_read',
    args: { file_path: 'none.txt' },
    says: 'File not found: none.txt',
  },
] as const

it.each(MISTAKES)('tells the model of $what', async ({ name, args, says }) => {
  const result = await toolResult(session, name, args)
  expect(result).toEqual({ isError: true, images: [], text: expect.stringContaining(says) })
})

it('takes no arguments as none, and null as not given', async () => {
  for (const args of ['', null, { recursive: null }]) {
    expect(await toolResult(session, 'dir_list', args)).toMatchObject({ isError: false })
  }
})

it('throws what no other call of the model mends', async () => {
  const absent = toolyard().sessions.open('never-made')
  await expect(toolResult(absent, 'dir_list', {})).rejects.toBeInstanceOf(SessionNotFoundError)
})

const PROBLEM = { 'content-type': 'application/problem+json', 'retry-after': '3600' }

it('tells the model of a limit, which it can wait for', async () => {
  const limited = {
    status: 429,
    code: 'rate_limited',
    detail: 'too many calls',
    hint: 'wait a minute',
    retryable: true,
  }
  const { url } = await standIn(() => jsonAnswer(limited, 429, PROBLEM))
  const result = await toolResult(new Toolyard({ baseUrl: url }).sessions.open('a'), 'dir_list', {})
  expect(result).toEqual({ isError: true, images: [], text: 'too many calls (wait a minute)' })
})

it('gives an error the results of the calls before it', async () => {
  const make = session.calls.make.bind(session.calls)
  const cut = vi.spyOn(session.calls, 'make')
  onTestFinished(() => cut.mockRestore())
  cut.mockImplementation(async (tool, args, options) => {
    if (tool === 'cut') throw new ConnectionError('cut')
    return make(tool, args, options)
  })
  const names = ['dir_list', 'cut', 'dir_list']
  const failed = await Promise.allSettled([
    anthropicResults(
      session,
      names.map((name, n) => ({ type: 'tool_use', id: `t${n}`, name, input: {} })),
    ),
    openaiResponsesResults(
      session,
      names.map((name, n) => ({ type: 'function_call', call_id: `t${n}`, name, arguments: '' })),
    ),
    openaiChatResults(session, {
      tool_calls: names.map((name, n) => ({ id: `t${n}`, type: 'function', function: { name, arguments: '' } })),
    }),
    geminiResults(
      session,
      names.map((name, n) => ({ id: `t${n}`, name, args: {} })),
    ),
  ])
  for (const [at, where] of [
    { tool_use_id: 't0' },
    { call_id: 't0' },
    { tool_call_id: 't0' },
    { functionResponse: { id: 't0' } },
  ].entries()) {
    expect(failed[at]).toMatchObject({ status: 'rejected', reason: { results: [where] } })
    expect(failed[at]).toHaveProperty('reason', expect.any(ConnectionError))
  }
})

it('answers what is no call with nothing, and each provider’s calls in their order under their ids', async () => {
  const wrong = { file_path: 'none.txt' }
  const text = JSON.stringify(wrong)
  expect(await anthropicResults(session, [{ type: 'text' }])).toEqual([])
  expect(await openaiResponsesResults(session, [{ type: 'message' }])).toEqual([])
  expect(await openaiChatResults(session, {})).toEqual([])
  expect(await geminiResults(session, undefined)).toEqual([])

  const uses = [1, 2].map((n) => ({ type: 'tool_use', id: `t${n}`, name: 'file_read', input: wrong }))
  expect(await anthropicResults(session, uses)).toMatchObject([
    { type: 'tool_result', tool_use_id: 't1', is_error: true },
    { type: 'tool_result', tool_use_id: 't2', is_error: true },
  ])
  const call = { type: 'function_call', call_id: 'c1', name: 'file_read', arguments: text }
  expect(await openaiResponsesResults(session, [call])).toMatchObject([
    {
      type: 'function_call_output',
      call_id: 'c1',
      output: [{ text: expect.stringMatching(/^Error: File not found/) }],
    },
  ])
  const toolCall = { id: 'c2', type: 'function', function: { name: 'file_read', arguments: text } }
  expect(await openaiChatResults(session, { tool_calls: [toolCall] })).toEqual([
    { role: 'tool', tool_call_id: 'c2', content: expect.stringMatching(/^Error: File not found/) },
  ])
  expect(await geminiResults(session, [{ id: 'c3', name: 'file_read', args: wrong }])).toEqual([
    {
      functionResponse: { id: 'c3', name: 'file_read', response: { error: expect.stringContaining('File not found') } },
    },
  ])
})

it('gives all definitions, however many pages they take, and OpenAI’s strict ones', async () => {
  const all = await definitions(toolyard(), 'anthropic')
  expect(all.length).toBeGreaterThan(60)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  const [strict] = await definitions(toolyard(), 'openai_responses', { names: ['image_read'], strict: true })
  expect(strict).toMatchObject({ type: 'function', name: 'image_read', strict: true })
})
