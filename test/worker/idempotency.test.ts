import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createServer } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'

beforeAll(() => migrateKeys(env.DB))

const server = createServer(env)

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
      const told = ({ timestamp, execution_time, ...body }: Record<string, unknown>) => body
      expect(told(again.body)).toEqual(told(first.body))
      expect(told(later.body)).toEqual(told(first.body))
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
    const asked = async () =>
      (await send({ method: 'GET', path: `/api/human-tasks/${session}` })).body.data.human_tasks as {
        human_task_id: string
      }[]
    await expect.poll(asked).toHaveLength(1)
    expect(await send({ ...ask(session), key: name })).toMatchObject({ status: 409, retryAfter: '1', replayed: null })
    const [task] = await asked()
    const answer = new URLSearchParams({ completed: 'true', result: 'yes' })
    await send({ method: 'PUT', path: `/api/human-tasks/${session}/${task?.human_task_id}?${answer}` })
    expect(JSON.stringify((await first).body)).toContain('yes')
    const again = await send({ ...ask(session), key: name })
    expect([again.replayed, JSON.stringify(again.body).includes('yes')]).toEqual(['true', true])
    expect(await asked()).toHaveLength(1)
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
