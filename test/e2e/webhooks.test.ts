import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type KillableWorker, startKillableWorker } from '../support/killable-worker.ts'
import { scratchDirectory } from '../support/sandboxd.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'

let receiver: StandIn
let state: string
const workers: KillableWorker[] = []
/** Answers by path; 200 for others. */
const answers: Record<string, (response: ServerResponse) => void> = {}

beforeAll(async () => {
  receiver = await startStandIn(({ path }) => answers[path] ?? { body: 'ok' })
  state = await scratchDirectory()
})
afterAll(async () => {
  for (const worker of workers) await worker.kill()
  await receiver?.stop()
  if (state) await rm(state, { recursive: true, force: true })
})

async function start() {
  const vars = { DANGEROUSLY_ALLOW_HOSTS: receiver.host, SECRETS_KEY: 'a key of this server, long and random' }
  const worker = await startKillableWorker(state, vars)
  workers.push(worker)
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(worker.url + path, { method, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
  }
  const hook = async (path: string, more: object = {}) =>
    (await ask('POST', '/v1/webhooks', { url: receiver.url + path, ...more })).body
  const call = (name: string) =>
    ask('POST', '/v1/sessions/hooked/calls', { tool: 'file_write', args: { file_path: name, content: 'Zebra' } })
  return { ...worker, ask, hook, call }
}

const got = (path: string) => receiver.requests.filter((request) => request.path === path)

it('an event is delivered, by the same id, when the server was killed between the end of the call and the answer of the receiver', async () => {
  const first = await start()
  await first.ask('POST', '/v1/sessions', { name: 'hooked' })
  const { secret } = await first.hook('/killed', { sessions: ['hooked'], states: ['done'] })
  answers['/killed'] = () => {} // never answers
  const { body } = await first.call('a.txt')
  await expect.poll(() => got('/killed').length).toBe(1)
  await first.kill()

  delete answers['/killed']
  const second = await start()
  await second.call('b.txt')
  await expect.poll(() => got('/killed').length).toBeGreaterThanOrEqual(3)
  const events = got('/killed').map(({ headers, body }) => ({
    id: headers['webhook-id'],
    event: new Webhook(secret).verify(body, headers as Record<string, string>) as { data: { call_id: string } },
    body,
  }))
  const ofFirst = events.filter(({ event }) => event.data.call_id === body.call_id)
  expect(ofFirst.length).toBeGreaterThanOrEqual(2)
  expect(new Set(ofFirst.map(({ id }) => id)).size).toBe(1)
  expect(events.map(({ body }) => body).join()).not.toMatch(/Zebra|\.txt/)
  await second.kill()
})

it('receivers that send without end, redirect inside, hang up or are slow are bounded, and hold up nobody', async () => {
  const { ask, hook, call } = await start()
  let chunks = 0
  answers['/endless'] = (response) => {
    const more = () => {
      chunks += 1
      if (!response.destroyed && chunks < 16_000) response.write(Buffer.alloc(65_536), () => setImmediate(more))
    }
    response.writeHead(200)
    more()
  }
  answers['/inside'] = (response) => void response.writeHead(307, { Location: `${receiver.url}/private` }).end()
  answers['/closes'] = (response) => void response.destroy()
  answers['/slow'] = () => {}
  const ids: Record<string, string> = {}
  for (const name of ['endless', 'inside', 'closes', 'slow', 'good']) ids[name] = (await hook(`/${name}`)).id
  await ask('POST', '/v1/sessions', { name: 'hooked' })
  await call('c.txt')
  await expect.poll(() => got('/good').length).toBeGreaterThanOrEqual(1)
  const last = async (name: string) => (await ask('GET', `/v1/webhooks/${ids[name]}/deliveries?limit=1`)).body.data[0]
  await expect.poll(() => last('endless')).toMatchObject({ state: 'delivered', status: 200 })
  await expect.poll(() => last('inside')).toMatchObject({ attempts: expect.any(Number), status: 307, state: 'waiting' })
  await expect.poll(() => last('closes')).toMatchObject({ status: null, error: 'it cannot be reached' })
  expect(got('/private')).toEqual([])
  // The platform may have taken a part of it before the stream was cancelled, and no more.
  expect(chunks).toBeLessThan(16_000)

  expect(await ask('POST', '/v1/webhooks', { url: 'http://169.254.169.254/latest' })).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
  const { body } = await ask('GET', '/v1/webhooks')
  expect(JSON.stringify(body)).not.toContain('whsec_')
})

it('a person is asked by an event while the call waits, and the answer is an event too', async () => {
  const { ask, hook } = await start()
  await ask('POST', '/v1/sessions', { name: 'hooked' })
  await hook('/people', { events: ['human_task.created', 'human_task.completed'] })
  const args = { human_task: 'Zebra?', timeout: 60 }
  const waiting = ask('POST', '/v1/sessions/hooked/calls', { tool: 'human_in_loop', args })
  await expect.poll(() => got('/people').length).toBe(1)
  const event = (at: number) => JSON.parse(got('/people')[at]?.body ?? '')
  expect(event(0)).toMatchObject({ type: 'human_task.created', data: { session: 'hooked' } })
  const path = `/api/human-tasks/hooked/${event(0).data.task}?completed=true&result=Giraffe`
  expect(await ask('PUT', path)).toMatchObject({ status: 200 })
  expect(await waiting).toMatchObject({ status: 200, body: { state: 'done' } })
  await expect.poll(() => got('/people').length).toBe(2)
  expect(event(1)).toMatchObject({ type: 'human_task.completed', data: event(0).data })
  expect(JSON.stringify(receiver.requests.map(({ body }) => body))).not.toMatch(/Zebra|Giraffe/)
})
