import { describe, expect, it } from 'vitest'
import { type Api, replyOf } from '../../../drill/clients/reply.ts'

const answered = (status: number, body: unknown) => ({
  ...{ kind: 'answered' as const, status, headers: {} },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})
const read = (api: Api, status: number, body: unknown) => replyOf(api, answered(status, body))
const envelope = { timestamp: '', execution_time: 0, task_id: 't', tool_name: 'x' }
const problem = { type: 'about:blank', title: '', status: 400, code: '', retryable: false, hint: '', request_id: '' }

describe('the drill understands what clients of each API do:', () => {
  it.each<[Api, number, unknown, object]>([
    ['toolserver', 200, { ...envelope, success: true, data: {}, error: null }, { kind: 'done', data: {} }],
    [
      'toolserver',
      200,
      { ...envelope, success: false, data: null, error: 'File not found: f' },
      { kind: 'failed', message: 'File not found: f', isRefusal: true },
    ],
    [
      'toolserver',
      503,
      { ...envelope, success: false, data: null, error: 'later' },
      { kind: 'failed', message: 'later' },
    ],
    ['toolserver', 500, { detail: 'internal error' }, { kind: 'failed', message: 'internal error', isRefusal: false }],
    [
      'toolserver',
      200,
      { ...envelope, success: true, data: { exit_code: 1, stderr: "rm: 'f': No such file or directory" }, error: null },
      { kind: 'failed', isRefusal: true },
    ],
    ['v1', 200, { state: 'done', data: { size: 1 } }, { kind: 'done', data: { size: 1 } }],
    ['v1', 200, { state: 'failed', error: { message: 'f is locked by "me"' } }, { kind: 'failed', isRefusal: true }],
    ['v1', 400, { ...problem, detail: 'no' }, { kind: 'failed', message: 'no', isRefusal: false }],
    ['xagent', 200, 'null', { kind: 'done', data: null }],
    ['xagent', 500, { detail: { ReturnCode: 1, display: '' } }, { kind: 'failed', isRefusal: false }],
    [
      'xagent',
      450,
      { detail: { type: 'retry', next_calling: 'next', arguments: { id: 1 } } },
      { kind: 'retry', tool: 'next', args: { id: 1 } },
    ],
  ])('%s %i %j', (api, status, body, reply) => {
    expect(read(api, status, body)).toMatchObject(reply)
  })
})

describe('the drill notices', () => {
  it.each<[Api, number, unknown]>([
    ['toolserver', 503, 'Error: Network connection lost.'],
    ['toolserver', 200, { success: true, data: {} }],
    ['toolserver', 200, { detail: 'no' }],
    ['toolserver', 503, { ...envelope, success: true, data: {}, error: null }],
    ['toolserver', 500, { error: 'no' }],
    ['v1', 503, 'Error: Network connection lost.'],
    ['v1', 500, { detail: 'no' }],
    ['v1', 503, { ...problem, detail: 'the status is another one' }],
    ['xagent', 500, ''],
    ['xagent', 500, { error: 'no' }],
  ])('an answer that no client of %s understands: %i %j', (api, status, body) => {
    expect(() => read(api, status, body)).toThrow('unintelligible')
  })

  it('a session that is said not to be there', () => {
    const body = { ...envelope, success: false, data: null, error: 'Task t not found' }
    expect(() => read('toolserver', 200, body)).toThrow('lost: a session or tool that is there')
  })
})
