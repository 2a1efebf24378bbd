import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_EVENT_STREAMS } from '../../src/core/limits/admission.ts'
import { tarGzBytes } from '../support/archives.ts'
import { elapsedMs } from '../support/elapsed.ts'
import { type KillableWorker, startKillableWorker } from '../support/killable-worker.ts'
import { expectCost } from '../support/processor-time.ts'
import { scratchDirectory } from '../support/sandboxd.ts'

let state = ''
let worker: KillableWorker
beforeAll(async () => {
  state = await scratchDirectory()
  worker = await startKillableWorker(state, {})
})
afterAll(async () => {
  await worker?.kill()
  await rm(state, { recursive: true, force: true })
})

const text = (size: number, letter: string) => letter.repeat(size)

async function ask(method: string, path: string, body?: BodyInit | object, headers: Record<string, string> = {}) {
  const isRaw = body instanceof Uint8Array || body instanceof ReadableStream || typeof body === 'string'
  const answer = await fetch(`${worker.url}/v1/sessions${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit)
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}
const read = async (session: string, path: string) => {
  const { status, text } = await ask('GET', `/${session}/files/${path}`)
  return status === 200 ? text : ''
}
const append = (file_path: string, content: string) => ({
  tool: 'file_write',
  arguments: { file_path, content, mode: 'append' },
})

const FILES = 600
const ARCHIVE = tarGzBytes(
  Array.from({ length: FILES }, (_, at) => ({ name: `d${at % 9}/f${at}`, content: `text ${at}` })),
)
const SIZES = { 'small.txt': 100, 'large.bin': 200_000, 'streamed.bin': 3_000_000 }

/** Requests that change something, each with what a look at it says. */
const changes = (session: string) => [
  ...Object.entries(SIZES).map(([path, size]) => ({
    name: path,
    send: () => ask('PUT', `/${session}/files/${path}`, Buffer.from(text(size, 'n')), { 'Content-Length': `${size}` }),
    look: () => read(session, path),
    before: text(size, 'o'),
    after: text(size, 'n'),
  })),
  {
    name: 'archive',
    send: () => ask('PUT', `/${session}/archive?path=unpacked`, ARCHIVE),
    look: async () => {
      const { status, text } = await ask('GET', `/${session}/files/unpacked/?depth=9&limit=1000`)
      return status === 404
        ? '0'
        : `${JSON.parse(text).data.filter((one: { type: string }) => one.type === 'file').length}`
    },
    before: '0',
    after: `${FILES}`,
  },
  {
    name: 'begun',
    send: () =>
      ask('POST', `/${session}/calls`, append('begun.txt', 'x'), { 'Idempotency-Key': 'b', Prefer: 'respond-async' }),
    look: () => read(session, 'begun.txt'),
    before: '',
    after: 'x',
  },
  {
    name: 'call',
    send: () => ask('POST', `/${session}/calls`, append('call.txt', 'x'), { 'Idempotency-Key': 'c' }),
    look: () => read(session, 'call.txt'),
    before: '',
    after: 'x',
  },
  {
    name: 'batch',
    send: () =>
      ask(
        'POST',
        `/${session}/calls:batch`,
        { calls: [...'abcde'].map((letter) => append('batch.txt', letter)), mode: 'in_order' },
        { 'Idempotency-Key': 'batch' },
      ),
    look: () => read(session, 'batch.txt'),
    before: '',
    after: 'abcde',
  },
]

describe('a server that is killed amid requests', () => {
  it.each([0, 2, 4])(
    'has each of them done or not done, once %i of them were answered, and done once when they come again',
    async (answered) => {
      const session = `killed-${answered}`
      expect((await ask('POST', '', { name: session })).status).toBe(201)
      for (const [path, size] of Object.entries(SIZES)) await ask('PUT', `/${session}/files/${path}`, text(size, 'o'))
      const all = changes(session)
      const done = new Set<string>()
      const enough = Promise.withResolvers<void>()
      const sent = all.map(({ name, send }) =>
        send().then(
          ({ status }) => {
            expect([200, 201, 202, 204], name).toContain(status)
            done.add(name)
            if (done.size >= answered) enough.resolve()
          },
          () => undefined,
        ),
      )
      if (answered > 0) await enough.promise
      await worker.kill()
      await Promise.all(sent)
      worker = await startKillableWorker(state, {})

      for (const { name, look, before, after } of all) {
        const now = await look()
        // The calls of a batch are calls of their own: some of them may be done.
        const may = name === 'batch' ? ['', 'a', 'ab', 'abc', 'abcd', after] : [before, after]
        // A begun call is answered when it is noted.
        const must = done.has(name) && name !== 'begun' ? [after] : may
        expect(must.includes(now), `${name}: ${now.slice(0, 20)}… of ${now.length}`).toBe(true)
      }
      for (const { name, send, look, after } of all) {
        const again = await send()
        const isUnknown = again.text.includes('outcome_unknown')
        if (name === 'begun') await expect.poll(async () => [after, ''].includes(await look())).toBe(true)
        const now = await look()
        if (!isUnknown && name !== 'begun') expect([name, now]).toEqual([name, after])
        expect(after.startsWith(now)).toBe(true)
      }
    },
  )
})

/** Points at which each request is cut. */
const POINTS = 8

describe('clients that cut their connections', () => {
  /** Sends a part of a request, and resets or closes the connection when so many bytes of the answer have come. */
  function cut(head: string, body: Uint8Array | string, { after = 0, reset = true } = {}): Promise<void> {
    const { port } = new URL(worker.url)
    return new Promise((resolve) => {
      const socket: Socket = connect(Number(port), '127.0.0.1')
      let [bytes, isOver] = [0, false]
      const end = () => {
        if (isOver) return
        isOver = true
        if (reset) socket.resetAndDestroy()
        else socket.destroy()
      }
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
      socket.on('data', (data) => {
        bytes += data.length
        if (bytes >= after) end()
      })
      socket.write(`${head}Host: localhost\r\n\r\n`)
      socket.write(body, () => after === 0 && end())
    })
  }
  const head = (method: string, path: string, length: number | null = null) =>
    `${method} /v1/sessions${path} HTTP/1.1\r\n${length === null ? '' : `Content-Length: ${length}\r\n`}`

  it('at each point of requests and of answers change nothing, leave nothing under way, and hold up nobody', async () => {
    const content = text(1_000_000, 'z')
    for (const name of ['cut', 'other']) {
      expect((await ask('POST', '', { name })).status).toBe(201)
      await ask('PUT', `/${name}/files/kept.bin`, content)
    }
    const commits = async () => (await ask('GET', '/cut/history?limit=50')).text
    const before = await commits()
    const batch = JSON.stringify({ calls: [append('a.txt', 'x')] })
    const cuts = () =>
      [true, false].flatMap((reset) =>
        Array.from({ length: POINTS }, (_, at) => [
          cut(head('PUT', '/cut/files/kept.bin', 3_000_000), Buffer.alloc(at * 300_000, 'y'), { reset }),
          cut(head('PUT', '/cut/archive', ARCHIVE.length), ARCHIVE.subarray(0, (ARCHIVE.length * at) / POINTS), {
            reset,
          }),
          cut(head('POST', '/cut/calls:batch', batch.length), batch.slice(0, (batch.length * at) / POINTS), { reset }),
          cut(`${head('GET', '/cut/files/kept.bin')}Range: bytes=7-\r\n`, '', { after: 1 + at * 100_000, reset }),
          cut(head('GET', '/cut/archive?format=zip'), '', { after: 1 + at * 100, reset }),
        ]).flat(),
      )
    await expectCost(() => read('other', 'kept.bin'), {
      fresh: async () => {
        const bareMs = await elapsedMs(() => read('other', 'kept.bin'))
        await Promise.all(cuts())
        return bareMs
      },
      below: (bareMs) => 50 * Math.max(bareMs, 20),
      measure: elapsedMs,
    })
    expect(await commits()).toBe(before)
    expect((await read('cut', 'kept.bin')) === content).toBe(true)
    // The end of a session waits for all that is under way in its files.
    expect((await ask('DELETE', '/cut')).status).toBe(204)
    expect((await ask('DELETE', '/other')).status).toBe(204)
  })

  it('amid the events of a call give their places back, and the call goes on', async () => {
    await ask('POST', '', { name: 'events' })
    const question = { tool: 'human_in_loop', arguments: { human_task: 'Zebra?', timeout: 300 } }
    const begun = JSON.parse((await ask('POST', '/events/calls', question, { Prefer: 'respond-async' })).text)
    const path = `/events/calls/${begun.call_id}`
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        Array.from({ length: MAX_EVENT_STREAMS / 2 }, () => cut(head('GET', `${path}/events`), '', { after: 400 })),
      )
    }
    await expect
      .poll(async () => {
        const answer = await fetch(`${worker.url}/v1/sessions${path}/events`)
        await answer.body?.cancel()
        return answer.status
      })
      .toBe(200)
    expect(JSON.parse((await ask('GET', path)).text)).toMatchObject({ state: 'running' })
    expect((await ask('POST', `${path}/cancel`)).status).toBe(200)
    expect((await ask('DELETE', '/events')).status).toBe(204)
  })
})
