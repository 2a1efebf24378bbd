import { beforeAll, describe, expect, it } from 'vitest'
import { aToolServer, type Envelope } from '../dialects/toolserver/support.ts'
import { newTenant } from '../support/tenants.ts'

const server = aToolServer()

type Client = ReturnType<typeof server.as>
let ann: Client
let bob: Client
beforeAll(async () => {
  ann = server.as((await newTenant(server.toolyard())).key)
  bob = server.as((await newTenant(server.toolyard())).key)
})

/** What changes or shows something, besides the tools themselves. */
const ENDPOINTS = [
  ['PUT', '/api/human-tasks/t/h?completed=true'],
  ['GET', '/api/human-tasks/t'],
  ['POST', '/v1/papers'],
  ['GET', '/v1/papers'],
  ['GET', '/v1/papers/x'],
  ['DELETE', '/v1/papers/x'],
  ['POST', '/v1/papers?corpus=public'],
  ['DELETE', '/v1/papers/x?corpus=public'],
  ['GET', '/v1/tools'],
  ['GET', '/v1/sessions/t/calls'],
  ['GET', '/v1/sessions/t/calls/c'],
  ['GET', '/v1/sessions/t/calls/c/events'],
  ['POST', '/v1/sessions/t/calls/c/cancel'],
  ['PUT', '/v1/secrets/x'],
  ['GET', '/v1/secrets'],
  ['DELETE', '/v1/secrets/x'],
  ['POST', '/admin/tenants'],
  ['GET', '/admin/tenants'],
] as const

describe('a web page that somebody looks at beside a server without keys', () => {
  it.each(ENDPOINTS)('may not %s %s', async (method, path) => {
    for (const Origin of ['https://evil.example', 'null', 'http://localhost.evil.example']) {
      // What a page may send without asking first.
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const body = method === 'GET' ? null : '{"id":"x","title":"T"}'
        const headers = { Origin, 'Content-Type': type }
        const response = await server.request(path, { method, headers, body })
        expect({ Origin, status: response.status }).toEqual({ Origin, status: 403 })
        await response.body?.cancel()
      }
    }
  })
})

/** A task of Ann's with a question to a person and a call. */
async function annsTask() {
  const task = await ann.task()
  const waiting = await task.done('human_in_loop', { human_task: 'secret question', wait_seconds: 0 })
  const { body } = await ann.json(`/v1/sessions/${task.id}/calls`)
  const [call] = (body as { data: { call_id: string }[] }).data
  return { task, human: String(waiting.human_task_id), call: call?.call_id ?? '' }
}

describe('another tenant', () => {
  it('sees and answers no question to a person, and sees and cancels no call', async () => {
    const { task, human, call } = await annsTask()
    for (const [method, path] of [
      ['GET', `/api/human-tasks/${task.id}`],
      ['GET', `/api/human-tasks/${task.id}/${human}`],
      ['PUT', `/api/human-tasks/${task.id}/${human}?completed=true&result=forged`],
      ['GET', `/v1/sessions/${task.id}/calls`],
      ['GET', `/v1/sessions/${task.id}/calls/${call}`],
      ['GET', `/v1/sessions/${task.id}/calls/${call}/events`],
      ['POST', `/v1/sessions/${task.id}/calls/${call}/cancel`],
    ] as const) {
      const response = await bob.request(path, { method })
      expect({ path, status: response.status }).toEqual({ path, status: 404 })
      expect(await response.text()).not.toContain('secret question')
    }
    const { body } = await ann.json(`/api/human-tasks/${task.id}/${human}`)
    expect(body).toMatchObject({ data: { completed: false } })
  })

  it('finds, reads and removes no paper, though both use one id', async () => {
    const put = (client: Client, title: string) =>
      client.json('/v1/papers', { method: 'POST', body: JSON.stringify({ id: 'same', title, text: `${title} text` }) })
    expect(await put(ann, 'Xylographic lemurs')).toMatchObject({ status: 201 })
    const [annsTask, bobsTask] = await Promise.all([ann.task(), bob.task()])
    const search = { query: 'xylographic lemurs', k: 20, m: 5 }
    expect(JSON.stringify(await annsTask.done('rag_search_abstracts', search))).toContain('Xylographic')
    expect(JSON.stringify(await bobsTask.done('rag_search_abstracts', search))).not.toContain('Xylographic')
    expect(await bob.json('/v1/papers/same')).toMatchObject({ status: 404 })
    expect(await bob.json('/v1/papers/same', { method: 'DELETE' })).toMatchObject({ status: 404 })
    expect(await put(bob, 'Bob')).toMatchObject({ body: { added: 1, replaced: 0 } })
    expect(await ann.json('/v1/papers/same')).toMatchObject({ body: { title: 'Xylographic lemurs' } })
    const own = { method: 'DELETE' }
    expect(await ann.json('/v1/papers/same?corpus=public', own)).toMatchObject({ status: 403 })
  })
})

/** What no answer may have: a stack, a path of the host, words of SQL or of the runtime. */
const INTERNALS =
  /\bat .*:\d+:\d+|\/(?:home|root|work|usr|tmp)\/(?!user\/)|SQLITE|D1_ERROR|no such (?:table|column)|node_modules|\.ts\b|undefined/

const ODD = [
  '..',
  '%2e%2e',
  '%2e%2e%2f%2e%2e',
  '%00',
  'a%00b',
  '%ff',
  '%',
  '%E2%80%AE',
  "';--",
  '__proto__',
  'constructor',
  'x'.repeat(4_000),
  '%F0%9F%98%80',
  'a%2Fb',
  '%20',
  '%0d%0aX: y',
]

describe('requests that nobody sends by mistake', () => {
  it.each(ODD)('with the id %j are answered with an error of one sentence', async (id) => {
    for (const [method, path] of [
      ['GET', `/v1/papers/${id}`],
      ['DELETE', `/v1/papers/${id}`],
      ['GET', `/v1/papers?cursor=${id}`],
      ['GET', `/v1/sessions/${id}/calls`],
      ['GET', `/v1/sessions/${id}/calls/${id}`],
      ['GET', `/v1/sessions/${id}/calls/${id}/events`],
      ['POST', `/v1/sessions/${id}/calls/${id}/cancel`],
      ['GET', `/v1/sessions/t/calls?cursor=${id}`],
      ['GET', `/api/human-tasks/${id}`],
      ['PUT', `/api/human-tasks/${id}/${id}?completed=${id}`],
      ['PUT', `/api/human-tasks/${id}/${id}?completed=true&result=${id}`],
    ] as const) {
      const response = await ann.request(path, { method })
      const text = await response.text()
      expect({ method, path, status: response.status, text }).toMatchObject({
        status: expect.toSatisfy((s) => s < 500),
      })
      expect(text).not.toMatch(INTERNALS)
    }
  })

  it.each([
    ['no JSON', 'text/plain', 'no'],
    ['JSON of the wrong shape', 'application/json', '[[[]]]'],
    ['a prototype', 'application/json', '{"__proto__":{"id":"a","title":"T"},"constructor":{"prototype":{"x":1}}}'],
    ['a form without a boundary', 'multipart/form-data', 'x'],
    [
      'a form that never ends',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nx',
    ],
    ['a form of nothing', 'multipart/form-data; boundary=b', ''],
    [
      'a file with a long name',
      'multipart/form-data; boundary=b',
      `--b\r\nContent-Disposition: form-data; name="file"; filename="${'../'.repeat(3_000)}x.exe"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="id"\r\n\r\na\r\n--b--\r\n`,
    ],
    ['half a UTF-8 character', 'application/json', new Uint8Array([0x22, 0xc3])],
  ])('with %s as papers are refused', async (_, type, body) => {
    const response = await ann.request('/v1/papers', { method: 'POST', headers: { 'Content-Type': type }, body })
    const text = await response.text()
    expect({ status: response.status, text }).toMatchObject({ status: 400 })
    expect(text).not.toMatch(INTERNALS)
    expect(text.length).toBeLessThan(1_500)
  })

  it('with a query made for a search engine are plain words to the paper tools', async () => {
    const task = await ann.task()
    for (const query of [
      '"',
      '" OR *',
      'NEAR(a b)',
      'title:x',
      'a AND',
      '^x -y +z',
      "'; DROP TABLE papers; --",
      '\u0000',
      '*'.repeat(1_000),
    ]) {
      const { success, error } = (await task.call('rag_search_abstracts', { query, k: 5, m: 2 })) as Envelope
      expect({ query, success, error: error ?? '' }).not.toMatchObject({ error: expect.stringMatching(INTERNALS) })
      expect({ query, error: success ? 'none' : error }).toEqual({ query, error: expect.stringMatching(/none|query/) })
    }
  })
})
