import { describe, expect, it, vi } from 'vitest'
import type { SessionApi } from '../../../../src/session/api.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import type { Sandboxd } from '../../../support/sandboxd.ts'
import { sessionBench } from '../../../support/session-bench.ts'
import { openV1 } from './open.ts'

const PATH = '/v1/sessions/s%2F1/calls'
const WRITE = { tool: 'file_write', arguments: { file_path: 'a b.md', content: 'one\n' } }
const ASK = { tool: 'human_in_loop', arguments: { human_task: 'Say yes' } }

/** The dialect over one session, whose tools need no sandbox. */
function opened() {
  const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd)
  const session = (): Partial<SessionApi> => ({
    call: (call, by) => bench.session.call(call, by),
    begin: (call, by) => bench.session.begin(call, by).begun,
    calls: bench.session.calls as unknown as SessionApi['calls'], // methods that answer at once will do
  })
  const v1 = openV1({
    tools: catalog.list(),
    toolkits: catalog.toolkits(),
    registeredTools: async () => ({ tools: [] }),
    session,
    now: () => Date.now(),
  } as never)
  return { bench, ...v1 }
}

type Opened = ReturnType<typeof opened>

const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
      return { event: field('event'), id: field('id'), data: JSON.parse(field('data')) as Record<string, unknown> }
    })

/** Begins a call that waits for a person. @returns its id */
async function waitingCall({ call }: Opened): Promise<string> {
  const { body, status } = await call('POST', PATH, ASK, ['execute'], 'acme', { Prefer: 'respond-async' })
  expect([status, body]).toMatchObject([202, { state: 'running' }])
  return String(body.call_id)
}

describe('POST …/calls', () => {
  it('answers with the call, its result, the files that it made and where they are', async () => {
    const { call } = opened()
    expect(await call('POST', PATH, WRITE)).toMatchObject({
      status: 200,
      body: {
        call_id: expect.stringMatching(/^call_/),
        tool: 'file_write',
        state: 'done',
        text: expect.stringContaining('a b.md'),
        files: [{ path: 'a b.md', change: 'created', size: 4, url: '/v1/sessions/s%2F1/files/a%20b.md' }],
        receipt: { executed_on: 'edge' },
      },
    })
  })

  it('takes the earlier name of the arguments, not both, and no unknown field', async () => {
    const { call } = opened()
    expect((await call('POST', PATH, { tool: WRITE.tool, args: WRITE.arguments })).body).toMatchObject({
      state: 'done',
    })
    expect(await call('POST', PATH, { ...WRITE, args: {} })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('send arguments alone') },
    })
    expect(await call('POST', PATH, { ...WRITE, argumants: {} })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('argumants') },
    })
  })

  it('says 202 and where the call is, with `Prefer: respond-async`', async () => {
    const { call, fetch } = opened()
    const response = await fetch('POST', PATH, WRITE, ['execute'], 'acme', { Prefer: 'respond-async' })
    const { call_id } = (await response.json()) as { call_id: string }
    expect([response.status, response.headers.get('Location'), response.headers.get('Preference-Applied')]).toEqual([
      202,
      `${PATH}/${call_id}`,
      'respond-async',
    ])
    await expect
      .poll(async () => (await call('GET', `${PATH}/${call_id}`)).body)
      .toMatchObject({ state: 'done', result: { text: expect.any(String) }, files: [{ path: 'a b.md' }] })
  })

  it('waits as long as it is told, and says 202 when the call has not ended by then', async () => {
    const { bench, call, fetch } = opened()
    expect(await call('POST', `${PATH}?wait=20`, WRITE)).toMatchObject({ status: 200, body: { state: 'done' } })
    const response = await fetch('POST', PATH, ASK, ['execute'], 'acme', { Prefer: 'wait=1' })
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([202, 'wait=1'])
    expect(bench.session.begun.areRunning).toBe(true)
    expect(await call('POST', `${PATH}?wait=100000`, WRITE)).toMatchObject({ status: 400 })
    expect(await call('POST', `${PATH}?weit=1`, WRITE)).toMatchObject({ status: 400 })
  })

  it('is looked at as soon as it has ended with `?wait=`, and as it is when it has not by then', async () => {
    const one = opened()
    const path = `${PATH}/${await waitingCall(one)}`
    expect(await one.call('GET', `${path}?wait=1`)).toMatchObject({ status: 200, body: { state: 'running' } })
    const looked = one.call('GET', `${path}?wait=300`)
    expect(await one.call('POST', `${path}/cancel`, undefined, ['execute'])).toMatchObject({ status: 200 })
    expect(await looked).toMatchObject({ status: 200, body: { running: false } })
    expect(await one.call('GET', `${path}?wait=301`)).toMatchObject({ status: 400 })
    expect(await one.call('GET', `${path}?weit=1`)).toMatchObject({ status: 400 })
    expect(await one.call('GET', `${PATH}/c0?wait=1`)).toMatchObject({ status: 404 })
  })

  it('refuses what cannot run, however its answer is wanted', async () => {
    const { call, fetch } = opened()
    for (const headers of [{}, { Prefer: 'respond-async' }, { Accept: 'text/event-stream' }]) {
      const lacking = await call('POST', PATH, { tool: 'file_read', arguments: {} }, ['execute'], 'acme', headers)
      expect(lacking).toMatchObject({ status: 400, body: { detail: expect.stringContaining('file_path (required)') } })
    }
    const none = { tool: 'file_reed', arguments: {} }
    const advised = expect.stringContaining('did you mean file_read')
    expect(await call('POST', PATH, none)).toMatchObject({ status: 404, body: { detail: advised } })
    expect(await call('POST', `${PATH}?wait=20`, none)).toMatchObject({ status: 404, body: { detail: advised } })
    const events = await fetch('POST', PATH, none, ['execute'], 'acme', { Accept: 'text/event-stream' })
    expect(eventsOf(await events.text()).at(-1)).toMatchObject({
      event: 'error',
      data: { state: 'refused', error: { code: 'not_found', message: advised } },
    })
  })

  it('answers with events: the call first, its result last', async () => {
    const { fetch } = opened()
    const response = await fetch('POST', PATH, WRITE, ['execute'], 'acme', { Accept: 'text/event-stream' })
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    const events = eventsOf(await response.text())
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ['call', '0'],
      ['result', 'end'],
    ])
    const callId = events[0]?.data.call_id
    expect(events[1]?.data).toMatchObject({ call_id: callId, state: 'done', files: [{ path: 'a b.md' }] })
    expect(response.headers.get('Location')).toBe(`${PATH}/${callId}`)
  })
})

describe('the events of a call', () => {
  it('go on behind the one that a client has, and say what is no longer kept', async () => {
    const dialect = opened()
    const id = await waitingCall(dialect)
    const begun = dialect.bench.session.begun.find(id)
    for (const text of ['a\n', 'b\n', 'c\n']) begun?.follower.print({ stream: 'stdout', text })
    begun?.follower.print({ stream: 'stderr', text: '', skipped: 7 })
    await dialect.call('POST', `${PATH}/${id}/cancel`)
    const events = async (last?: string) => {
      const headers = last === undefined ? {} : { 'Last-Event-ID': last }
      return eventsOf(
        await (await dialect.fetch('GET', `${PATH}/${id}/events`, undefined, ['read'], 'acme', headers)).text(),
      )
    }
    expect((await events()).map(({ event, id: at, data }) => [event, at, data.text ?? data.skipped_bytes])).toEqual([
      ['call', '0', undefined],
      ['stdout', '0.1', 'a\n'],
      ['stdout', '0.2', 'b\n'],
      ['stdout', '0.3', 'c\n'],
      ['gap', '0.3', 7],
      ['result', 'end', expect.stringContaining('no answer yet')],
    ])
    expect((await events('0.2')).map(({ event, data }) => [event, data.text])).toEqual([
      ['call', undefined],
      ['stdout', 'c\n'],
      ['gap', undefined],
      ['result', expect.stringContaining('no answer yet')],
    ])
    const all = await dialect.fetch('GET', `${PATH}/${id}/events`, undefined, ['read'], 'acme', {
      'Last-Event-ID': 'end',
    })
    expect(all.status).toBe(204)
  })

  it.each(['end', '999999999999999', '999999999999999.999999999999999', '-1', '1e3', '٣', '', 'x'.repeat(5_000)])(
    'begin anew for a client that names an event which there was not: %j',
    async (last) => {
      const dialect = opened()
      const id = await waitingCall(dialect)
      const begun = dialect.bench.session.begun.find(id)
      begun?.follower.print({ stream: 'stdout', text: 'before\n' })
      // Header values are Latin-1; what is beyond comes as its bytes.
      const headers = { 'Last-Event-ID': Buffer.from(last).toString('latin1') }
      const response = await dialect.fetch('GET', `${PATH}/${id}/events`, undefined, ['read'], 'acme', headers)
      expect(response.status).toBe(200)
      const reader = response.body?.getReader()
      const first = eventsOf(new TextDecoder().decode((await reader?.read())?.value))
      expect(first.map(({ data }) => data.text)).toEqual([undefined, 'before\n'])
      begun?.follower.print({ stream: 'stdout', text: 'behind\n' })
      const next = eventsOf(new TextDecoder().decode((await reader?.read())?.value))
      expect(next.map(({ id: at, data }) => [at, data.text])).toEqual([['0.2', 'behind\n']])
      await reader?.cancel()
      await dialect.call('POST', `${PATH}/${id}/cancel`)
    },
  )

  it('come whole to a thousand who follow one call, and leave nothing behind of those who left', async () => {
    const dialect = opened()
    const id = await waitingCall(dialect)
    const begun = dialect.bench.session.begun.find(id)
    const follow = async () => {
      const response = await dialect.fetch('GET', `${PATH}/${id}/events`, undefined, ['read'])
      return response.body?.getReader()
    }
    const readers = await Promise.all(Array.from({ length: 1_000 }, follow))
    for (const reader of readers.slice(500)) await reader?.cancel()
    for (let line = 0; line < 3; line++) begun?.follower.print({ stream: 'stdout', text: `line ${line}\n` })
    await dialect.call('POST', `${PATH}/${id}/cancel`)
    const whole = async (reader: (typeof readers)[number]) => {
      let text = ''
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        text += new TextDecoder().decode(part.value)
      return eventsOf(text).map(({ event }) => event)
    }
    const all = await Promise.all(readers.slice(0, 500).map(whole))
    expect(new Set(all.map((events) => events.join()))).toEqual(new Set(['call,stdout,stdout,stdout,result']))
    expect(await Promise.all(readers.slice(500).map(whole))).toEqual(Array(500).fill([]))
    expect((await dialect.call('GET', `${PATH}/${id}`)).body).toMatchObject({ running: false })
  })

  it('say that there is a gap where the output is not kept any more', async () => {
    const { bench, fetch, call } = opened()
    const { call_id } = (await call('POST', `${PATH}?wait=20`, WRITE)).body
    bench.sql.all(`UPDATE calls SET receipt = json_set(receipt, '$.executed_on', 'vm-warm')`)
    bench.evict()
    const response = await fetch('GET', `${PATH}/${call_id}/events`, undefined, ['read'])
    expect(eventsOf(await response.text()).map(({ event, data }) => [event, data.missed_pieces])).toEqual([
      ['call', undefined],
      ['gap', null],
      ['result', undefined],
    ])
  })

  it('go on when their reader leaves, and so does the call', async () => {
    const dialect = opened()
    const response = await dialect.fetch('POST', PATH, ASK, ['execute'], 'acme', { Accept: 'text/event-stream' })
    const reader = response.body?.getReader()
    const [first] = eventsOf(new TextDecoder().decode((await reader?.read())?.value))
    await reader?.cancel()
    const id = String(first?.data.call_id)
    expect((await dialect.call('GET', `${PATH}/${id}`)).body).toMatchObject({ state: 'running', running: true })
    await dialect.call('POST', `${PATH}/${id}/cancel`)
    expect((await dialect.call('GET', `${PATH}/${id}`)).body).toMatchObject({
      state: 'pending',
      running: false,
      result: { text: expect.stringContaining('no answer yet') },
    })
  })
})

it('calls are listed by tool and state, page by page', async () => {
  const { call } = opened()
  for (const n of [1, 2, 3])
    await call('POST', PATH, { tool: 'file_write', arguments: { file_path: `${n}`, content: '' } })
  await call('POST', PATH, { tool: 'file_read', arguments: { file_path: 'none' } })
  const first = (await call('GET', `${PATH}?tool=file_write&limit=2`)).body
  expect(first).toMatchObject({ data: [{ state: 'done' }, { state: 'done' }], next_cursor: expect.any(String) })
  const rest = (await call('GET', `${PATH}?tool=file_write&limit=2&cursor=${first.next_cursor}`)).body
  expect(rest).toMatchObject({ data: [{ arguments: expect.stringContaining('"1"') }], next_cursor: null })
  expect((await call('GET', `${PATH}?state=failed`)).body).toMatchObject({ data: [{ tool: 'file_read' }] })
  expect(await call('GET', `${PATH}?state=over`)).toMatchObject({ status: 400 })
})

describe('POST …/calls:batch', () => {
  const write = (file_path: string, more = {}) => ({
    tool: 'file_write',
    arguments: { file_path, content: 'x' },
    ...more,
  })
  const NONE = { tool: 'file_read', arguments: { file_path: 'none' } }
  const statesOf = ({ body }: { body: Record<string, unknown> }) =>
    (body.data as { status: number; call?: { state: string } }[]).map(({ status, call }) => [status, call?.state])

  it.each(['in_order', 'parallel'])('answers each call in its place: %s', async (mode) => {
    const { call } = opened()
    const calls = [write('a', { id: 'first' }), NONE, { tool: 'file_reed', arguments: {} }, write('b')]
    const answer = await call('POST', `${PATH}:batch`, { calls, mode })
    expect(answer.status).toBe(200)
    expect(statesOf(answer)).toEqual([
      [200, 'done'],
      [200, 'failed'],
      [404, undefined],
      [200, 'done'],
    ])
    expect(answer.body.data).toMatchObject([
      { id: 'first', call: { files: [{ path: 'a' }] } },
      {},
      { problem: { code: 'not_found' } },
      {},
    ])
  })

  it('makes no call after one that failed, where it is told so', async () => {
    const { call } = opened()
    const calls = [write('a'), NONE, write('b')]
    const answer = await call('POST', `${PATH}:batch`, { calls, stop_on_error: true })
    expect(statesOf(answer)).toEqual([
      [200, 'done'],
      [200, 'failed'],
      [424, undefined],
    ])
    expect((await call('GET', PATH)).body.data).toHaveLength(2)
  })

  it('keeps each answer within its share, and says that it is cut', async () => {
    const { bench, call } = opened()
    await bench.write('large.txt', 'x'.repeat(400_000))
    const read = { tool: 'file_read', arguments: { file_path: 'large.txt', max_chars: 400_000 } }
    const { body } = await call('POST', `${PATH}:batch`, {
      calls: Array.from({ length: 50 }, () => read),
      mode: 'parallel',
    })
    expect(body.data).toHaveLength(50)
    expect((body.data as object[])[49]).toMatchObject({
      status: 200,
      call: { state: 'done', text: expect.stringMatching(/x{1000}/) },
      cut_chars: expect.any(Number),
    })
    expect(JSON.stringify(body).length).toBeLessThan(8 * 1024 * 1024)
  })

  it.each(['failed', 'refused'] as const)('keeps each error of a %s call within its share too', async (kind) => {
    const { bench, call } = opened()
    const failure = { code: 'upstream', message: '\u0001'.repeat(100_000), data: { x: 'y'.repeat(200_000) } } as const
    vi.spyOn(bench.session, 'call').mockResolvedValue({ kind, failure })
    const { body } = await call('POST', `${PATH}:batch`, { calls: Array.from({ length: 50 }, () => NONE) })
    expect(body.data).toHaveLength(50)
    for (const item of body.data as object[]) {
      expect(JSON.stringify(item).length).toBeLessThan((8 * 1024 * 1024) / 50)
      expect(item).toMatchObject({ cut_chars: expect.any(Number) })
    }
  })

  it('refuses none, too many, and an unknown field', async () => {
    const { call } = opened()
    for (const body of [
      { calls: [] },
      { calls: Array.from({ length: 51 }, () => NONE) },
      { calls: [NONE], order: 1 },
    ]) {
      expect((await call('POST', `${PATH}:batch`, body)).status).toBe(400)
    }
  })
})
