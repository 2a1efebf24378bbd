import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { REQUEST_IN_FLIGHT_MS } from '../../src/core/limits/idempotency.ts'
import { createServer } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'

beforeAll(() => migrateKeys(env.DB))

const TOKEN = 'admin-token-of-this-test-0123456789'
const server = createServer({ ...env, ADMIN_TOKEN: TOKEN })

interface Sent {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly key?: string
  readonly headers?: Record<string, string>
}

async function send({ method = 'POST', path, body, key, headers = {} }: Sent) {
  const response = await server.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return {
    status: response.status,
    replayed: response.headers.get('Idempotent-Replayed'),
    retryAfter: response.headers.get('Retry-After'),
    cookie: response.headers.get('Set-Cookie'),
    body: response.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : text,
  }
}

let sessions = 0
async function aSession(): Promise<string> {
  const name = `once-${++sessions}`
  await send({ path: `/api/task/create?task_id=${name}&task_name=x` })
  return name
}

/** Restarts the object of a session, as a deploy does. */
const restart = (session: string) =>
  runInDurableObject(env.SESSIONS.getByName(`dev/${session}`), (_, context) => context.abort('restart')).catch(
    () => undefined,
  )

const content = async (session: string, file_path = 'a.txt') => {
  const { body } = await send({
    path: '/api/tool/execute',
    body: { task_id: session, tool_name: 'file_read', params: { file_path } },
  })
  return body.data?.content ?? null
}

const APPEND = { file_path: 'a.txt', content: 'x', mode: 'append' }

describe('a call with an idempotency key', () => {
  /** Appends to a file, by each dialect that calls tools of the server. */
  const appends = {
    toolserver: (session: string, more = {}): Sent => ({
      path: '/api/tool/execute',
      body: { task_id: session, tool_name: 'file_write', params: { ...APPEND, ...more } },
    }),
    v1: (session: string, more = {}): Sent => ({
      path: `/v1/sessions/${session}/calls`,
      body: { tool: 'file_write', args: { ...APPEND, ...more } },
    }),
    lagent: (session: string, more = {}): Sent => ({
      path: '/lagent/execute',
      body: { session, name: 'file_write', parameters: { ...APPEND, ...more } },
    }),
  }

  it.each(Object.entries(appends))(
    'of %s is made once, and its repetition has the same answer',
    async (name, append) => {
      const session = await aSession()
      const first = await send({ ...append(session), key: `"${name}"` })
      const again = await send({ ...append(session), key: name })
      await restart(session)
      const later = await send({ ...append(session), key: name })
      expect([first.status, first.replayed, again.replayed, later.replayed]).toEqual([200, null, 'true', 'true'])
      // The envelope of the Tool Server has the time of each answer.
      const withoutTimes = ({ timestamp, execution_time, ...body }: Record<string, unknown>) => body
      expect(withoutTimes(again.body)).toEqual(withoutTimes(first.body))
      expect(withoutTimes(later.body)).toEqual(withoutTimes(first.body))
      expect(await content(session)).toBe('x')
    },
  )

  it.each(Object.entries(appends))(
    'of %s is refused with 422 when another request had the key',
    async (name, append) => {
      const session = await aSession()
      await send({ ...append(session), key: name })
      const other = await send({ ...append(session, { content: 'y' }), key: name })
      expect(other.status).toBe(422)
      expect(other.replayed).toBeNull()
      expect(JSON.stringify(other.body)).toContain('Idempotency-Key')
      expect(Object.keys(other.body)).toContain(name === 'toolserver' ? 'detail' : 'code')
      expect(await content(session)).toBe('x')
    },
  )

  const questions = {
    toolserver: (session: string): Sent => ({
      path: '/api/tool/execute',
      body: { task_id: session, tool_name: 'human_in_loop', params: { human_task: 'go on?' } },
    }),
    v1: (session: string): Sent => ({
      path: `/v1/sessions/${session}/calls`,
      body: { tool: 'human_in_loop', args: { human_task: 'go on?' } },
    }),
    lagent: (session: string): Sent => ({
      path: '/lagent/execute',
      body: { session, name: 'human_in_loop', parameters: { human_task: 'go on?' } },
    }),
  }

  it.each(Object.entries(questions))('of %s is refused with 409 while the first is under way', async (name, ask) => {
    const session = await aSession()
    const first = send({ ...ask(session), key: name })
    const openTasks = async () =>
      (await send({ method: 'GET', path: `/api/human-tasks/${session}` })).body.data.human_tasks as {
        human_task_id: string
      }[]
    await expect.poll(openTasks).toHaveLength(1)
    expect(await send({ ...ask(session), key: name })).toMatchObject({ status: 409, retryAfter: '1', replayed: null })
    const [task] = await openTasks()
    const answer = new URLSearchParams({ completed: 'true', result: 'yes' })
    await send({ method: 'PUT', path: `/api/human-tasks/${session}/${task?.human_task_id}?${answer}` })
    expect(JSON.stringify((await first).body)).toContain('yes')
    const again = await send({ ...ask(session), key: name })
    expect([again.replayed, JSON.stringify(again.body).includes('yes')]).toEqual(['true', true])
    expect(await openTasks()).toHaveLength(1)
  })

  it('of a batch is made once, in a batch sent again too, whichever of its calls come first', async () => {
    const session = await aSession()
    const calls = ['a', 'b', 'c'].map((content) => ({ tool: 'file_write', args: { ...APPEND, content } }))
    const batch = { path: `/v1/sessions/${session}/calls:batch`, body: { calls, mode: 'parallel' }, key: 'batch' }
    const first = await send(batch)
    const again = await send(batch)
    expect([first.status, first.replayed, again.replayed]).toEqual([200, null, 'true'])
    expect(again.body).toEqual(first.body)
    expect([...(await content(session))].sort()).toEqual(['a', 'b', 'c'])
  })

  it('is made once though it comes many times in the same instant, by each dialect', async () => {
    for (const append of Object.values(appends)) {
      const session = await aSession()
      const all = await Promise.all(Array.from({ length: 20 }, () => send({ ...append(session), key: 'at-once' })))
      const fresh = all.filter(({ status, replayed }) => status === 200 && replayed === null)
      expect(fresh).toHaveLength(1)
      expect(all.every(({ status }) => status === 200 || status === 409)).toBe(true)
      expect(await content(session)).toBe('x')
      expect(await send({ ...append(session), key: 'at-once' })).toMatchObject({ status: 200, replayed: 'true' })
    }
  })

  it('is another one in another session, and refused by another dialect of the same session', async () => {
    const [one, two] = [await aSession(), await aSession()]
    const key = 'shared'
    expect(await send({ ...appends.v1(one), key })).toMatchObject({ status: 200, replayed: null })
    expect(await send({ ...appends.v1(two), key })).toMatchObject({ status: 200, replayed: null })
    expect(await send({ ...appends.lagent(one), key })).toMatchObject({ status: 422 })
    expect(await send({ ...appends.toolserver(two), key })).toMatchObject({ status: 422 })
    const batch = { path: `/v1/sessions/${one}/calls:batch`, body: { calls: [appends.v1(one).body] } }
    // A place in a batch is another call than one alone.
    expect(await send({ ...batch, key })).toMatchObject({ status: 200, replayed: null })
    expect([await content(one), await content(two)]).toEqual(['xx', 'x'])
  })

  it('that a limit refused is made under its key when the limit is lifted', async () => {
    const session = await aSession()
    const rule = { scope: 'tool', name: 'file_write', per_minute: 0, burst: 0, concurrency: 0, budget_per_day: 0 }
    const limit = (rules: object[]) => send({ method: 'PUT', path: '/v1/limits', body: { rules } })
    expect(await limit([{ ...rule, per_day: 1 }])).toMatchObject({ status: 200 })
    try {
      await send(appends.v1(session, { file_path: 'other.txt' }))
      const refused = await send({ ...appends.v1(session), key: 'limited' })
      expect(refused).toMatchObject({ status: 429, replayed: null })
      // Refused again for the limit, and not for the key.
      expect(await send({ ...appends.v1(session), key: 'limited' })).toMatchObject({ status: 429, replayed: null })
    } finally {
      await limit([])
    }
    expect(await send({ ...appends.v1(session), key: 'limited' })).toMatchObject({ status: 200, replayed: null })
    expect(await send({ ...appends.v1(session), key: 'limited' })).toMatchObject({ status: 200, replayed: 'true' })
    expect(await content(session)).toBe('x')
  })

  it('that goes on without its client is begun once', async () => {
    const session = await aSession()
    const ask = { ...questions.v1(session), key: 'async', headers: { Prefer: 'respond-async' } }
    const first = await send(ask)
    const again = await send(ask)
    expect([first.status, first.body.state, first.replayed]).toEqual([202, 'running', null])
    expect(again).toEqual({ ...first, replayed: 'true' })
    await send({ method: 'DELETE', path: `/api/task/${session}` })
  })

  it('is made twice without a key, and a read with one is read again', async () => {
    const session = await aSession()
    await send(appends.v1(session))
    await send(appends.v1(session))
    const read = {
      path: `/v1/sessions/${session}/calls`,
      body: { tool: 'file_read', args: { file_path: 'a.txt' } },
      key: 'r',
    }
    const first = await send(read)
    await send(appends.v1(session))
    const again = await send(read)
    expect([first.body.data.content, again.body.data.content, again.replayed]).toEqual(['xx', 'xxx', null])
  })

  it.each([
    ['', 400],
    ['has blanks', 400],
    ['"open', 400],
    ['x'.repeat(256), 400],
    ['x'.repeat(255), 200],
    ['"a\\"b"', 200],
  ])('is taken with a key of 1 to 255 visible characters: %j gives %i', async (key, status) => {
    const session = await aSession()
    const answer = await send({ ...appends.v1(session), key })
    expect(answer.status).toBe(status)
    expect(await content(session)).toBe(status === 200 ? 'x' : null)
  })
})

const OWNER = { Authorization: `Bearer ${TOKEN}` }

/** A tenant with a key of its own. */
async function aTenant() {
  const { body: tenant } = await send({ path: '/admin/tenants', body: { name: 'x' }, headers: OWNER })
  const keys = `/admin/tenants/${tenant.id}/keys`
  const newKey = async () =>
    (await send({ path: keys, body: { name: 'k', scopes: ['admin'] }, headers: OWNER })).body.key as string
  return { id: tenant.id as string, keys, newKey, key: await newKey() }
}

const ledgerOf = (tenant: string) =>
  runInDurableObject(env.TENANTS.getByName(tenant), (_, { storage }) =>
    storage.sql.exec('SELECT * FROM ledger').toArray(),
  )

const put = (key: string): Sent => ({
  ...{ method: 'PUT', path: '/v1/tools/registered/put', body: aTool('put') },
  headers: { Authorization: `Bearer ${key}` },
})

describe('another request with an idempotency key', () => {
  it.each<[string, Sent]>([
    ['makes a task', { path: '/api/task/create?task_id=made-once&task_name=x' }],
    ['makes a node', { path: '/get_cookie' }],
    ['registers a tool', { path: '/v1/tools/registered/once', method: 'PUT', body: aTool('once') }],
    ['makes a tenant', { path: '/admin/tenants', body: { name: 'once' }, headers: OWNER }],
  ])('is carried out once: %s', async (what, request) => {
    const first = await send({ ...request, key: what.replaceAll(' ', '-') })
    const again = await send({ ...request, key: what.replaceAll(' ', '-') })
    expect(first.status).toBeLessThan(300)
    expect(first.replayed).toBeNull()
    expect(again).toEqual({ ...first, replayed: 'true' })
  })

  it('makes one API key, which is kept nowhere by a server without a key to encrypt it', async () => {
    const { keys, id } = await aTenant()
    const make = { path: keys, body: { name: 'once', scopes: ['read'] }, headers: OWNER, key: 'new-key' }
    const first = await send(make)
    expect(first.status).toBe(201)
    expect(await send(make)).toMatchObject({ status: 409, body: { code: 'answer_not_kept', outcome: 'done' } })
    const listed = await send({ method: 'GET', path: keys, headers: OWNER })
    expect(listed.body.data.filter(({ name }: { name: string }) => name === 'once')).toHaveLength(1)
    const stored = JSON.stringify([await ledgerOf('owner-of-the-server'), await ledgerOf(id)])
    expect(stored).toContain('/keys')
    expect(stored).not.toContain(first.body.key.split('_').at(-1))
  })

  it('uploads a file once, though its client makes the form anew', async () => {
    const { cookie } = await send({ path: '/get_cookie' })
    const node = /^[^;]+/.exec(cookie ?? '')?.[0] ?? ''
    const upload = (boundary: string, content: string): Sent => ({
      path: '/upload_file',
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}`, Cookie: node },
      body: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\n\r\n${content}\r\n--${boundary}--\r\n`,
      key: 'upload',
    })
    const first = await send(upload('one', 'content'))
    expect(first).toMatchObject({ status: 200, body: { message: 'Upload Success!' }, replayed: null })
    expect(await send(upload('two', 'content'))).toEqual({ ...first, replayed: 'true' })
    expect(await send(upload('two', 'other'))).toMatchObject({ status: 422 })
  })

  it('is refused with 422 and the dialect’s own error when another request had the key', async () => {
    await send({ path: '/api/task/create?task_id=reused-1&task_name=x', key: 'reused' })
    const other = await send({ path: '/api/task/create?task_id=reused-2&task_name=x', key: 'reused' })
    expect(other).toMatchObject({ status: 422, body: { detail: expect.stringContaining('Idempotency-Key') } })
    expect((await send({ method: 'GET', path: '/api/task/reused-2/status' })).status).toBe(404)
  })

  it('may be sent again under its key after it was refused', async () => {
    const { key } = await aTenant()
    expect((await send({ ...put(key), body: { name: 1 }, key: 'k' })).status).toBe(400)
    expect(await send({ ...put(key), key: 'k' })).toMatchObject({ status: 201, replayed: null })
  })

  it('of another API key or another tenant never has the answer', async () => {
    const [one, two] = [await aTenant(), await aTenant()]
    const sent = async (key: string) => send({ ...put(key), key: 'shared' })
    expect(await sent(one.key)).toMatchObject({ status: 201, replayed: null })
    expect(await sent(await one.newKey())).toMatchObject({ status: 200, replayed: null })
    expect(await sent(two.key)).toMatchObject({ status: 201, replayed: null })
    expect(await sent(one.key)).toMatchObject({ status: 201, replayed: 'true' })
  })

  it('is under way for some minutes after its Worker is gone, and of unknown outcome then', async () => {
    const { id, key } = await aTenant()
    const again = () => send({ ...put(key), key: 'k' })
    await again()
    const cutOff = (ago: number) =>
      runInDurableObject(env.TENANTS.getByName(id), (_, { storage }) => {
        storage.sql.exec('UPDATE ledger SET status = NULL, answer = NULL, at = ?', Date.now() - ago)
      })
    await cutOff(0)
    expect(await again()).toMatchObject({ status: 409, retryAfter: '1', body: { code: 'key_in_use', retryable: true } })
    await cutOff(REQUEST_IN_FLIGHT_MS)
    expect(await again()).toMatchObject({
      ...{ status: 409, retryAfter: null },
      body: {
        ...{ code: 'outcome_unknown', outcome: 'unknown', retryable: false },
        request: 'PUT /v1/tools/registered/put',
      },
    })
  })

  it('reads afresh where it only reads', async () => {
    const { cookie } = await send({ path: '/get_cookie' })
    const read = { path: '/get_workspace_structure', headers: { Cookie: cookie ?? '' }, key: 'read' }
    expect([(await send(read)).status, (await send(read)).replayed]).toEqual([200, null])
  })
})

function aTool(id: string) {
  return {
    name: id,
    description: 'does something',
    input_schema: { type: 'object', properties: {} },
    executor: { kind: 'http', target: 'https://example.com/' },
  }
}
