import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MAX_WATCHERS } from '../../src/core/limits/watch.ts'

const TENANT = 'dev'

const ask = (method: string, path: string, body?: string) =>
  exports.default.fetch(`http://localhost/v1/sessions${path}`, { method, ...(body !== undefined && { body }) })

async function aSession(): Promise<string> {
  const { name } = (await (await ask('POST', '', '{}')).json()) as { name: string }
  return name
}

const put = async (session: string, path: string, text: string) => {
  const answer = await ask('PUT', `/${session}/files/${path}`, text)
  return (await answer.json<{ commit: number }>()).commit
}
const stubOf = (session: string) => env.SESSIONS.getByName(`${TENANT}/${session}`)

interface Event {
  readonly name: string
  readonly id: string | null
  readonly data: Record<string, unknown>
}

/** A client of the events, which remembers the last id as an EventSource does. */
class Watch {
  lastId: string | null = null
  readonly #reader: ReadableStreamDefaultReader<string>
  #text = ''

  private constructor(reader: ReadableStreamDefaultReader<string>) {
    this.#reader = reader
  }

  static async open(session: string, query = '', lastId?: string | null): Promise<Watch> {
    const answer = await exports.default.fetch(`http://localhost/v1/sessions/${session}/watch${query}`, {
      headers: lastId ? { 'Last-Event-ID': lastId } : {},
    })
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/event-stream'])
    const body = answer.body ?? new ReadableStream<Uint8Array>()
    const watch = new Watch(body.pipeThrough(new TextDecoderStream()).getReader())
    onTestFinished(() => watch.close())
    return watch
  }

  /** The next event; null at the end of the stream. */
  async next(): Promise<Event | null> {
    for (;;) {
      const at = this.#text.indexOf('\n\n')
      if (at !== -1) {
        const block = this.#text.slice(0, at)
        this.#text = this.#text.slice(at + 2)
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null
        this.lastId = field('id') ?? this.lastId
        const name = field('event')
        if (name !== null) return { name, id: field('id'), data: JSON.parse(field('data') ?? '{}') }
        continue
      }
      const { done, value } = await this.#reader.read()
      if (done) return null
      this.#text += value
    }
  }

  async rest(): Promise<Event[]> {
    const events: Event[] = []
    for (let event = await this.next(); event; event = await this.next()) events.push(event)
    return events
  }

  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined)
  }
}

describe('a client that watches a session', () => {
  it('gets each commit as it is made, with the call and its tool, the paths and the sizes', async () => {
    const session = await aSession()
    const watch = await Watch.open(session)
    const begun = await watch.next()
    expect(begun).toMatchObject({ name: 'watching', data: { commit: Number(begun?.id) } })
    const commit = await put(session, 'notes/a.txt', 'one')
    expect(await watch.next()).toEqual({
      name: 'commit',
      id: `${commit}`,
      data: {
        commit,
        committed_at: expect.stringMatching(/^\d{4}-.*Z$/),
        author: 'upload',
        tool: null,
        changes: [
          { path: 'notes', change: 'created', kind: 'directory', size: null },
          { path: 'notes/a.txt', change: 'created', kind: 'file', size: 3 },
        ],
        more_changes: 0,
      },
    })
    const args = { tool: 'file_write', args: { file_path: 'notes/a.txt', content: 'longer' } }
    const made = await ask('POST', `/${session}/calls`, JSON.stringify(args))
    const { call_id } = await made.json<{ call_id: string }>()
    expect(await watch.next()).toMatchObject({
      name: 'commit',
      data: { author: call_id, tool: 'file_write', changes: [{ path: 'notes/a.txt', change: 'modified', size: 6 }] },
    })
  })

  it('gets the commits behind a snapshot that it names, and is told when there is none of that name', async () => {
    const session = await aSession()
    const before = await put(session, 'first.txt', '1')
    await ask('PUT', `/${session}/snapshots/start`, '{}')
    const after = await put(session, 'second.txt', '2')
    const watch = await Watch.open(session, '?from=start')
    expect(await watch.next()).toMatchObject({ name: 'watching', data: { commit: before } })
    expect(await watch.next()).toMatchObject({ name: 'commit', data: { commit: after } })
    for (const [from, status] of [
      ['never', 404],
      ['1.5', 400],
      ['-1', 400],
    ])
      expect((await ask('GET', `/${session}/watch?from=${from}`)).status, `${from}`).toBe(status)
  })

  it('gets the commits behind the one that it names, and of one folder those that touch it', async () => {
    const session = await aSession()
    const before = await put(session, 'first.txt', '1')
    const inside = await put(session, 'src/a.ts', '2')
    await put(session, 'src.txt', '3')
    const removed = (await ask('DELETE', `/${session}/files/src/a.ts`)).headers.get('Toolyard-Commit')
    const watch = await Watch.open(session, `?from=${before}&path=src`)
    const events = [await watch.next(), await watch.next(), await watch.next()]
    expect(events.map((event) => [event?.name, event?.id])).toEqual([
      ['watching', `${before}`],
      ['commit', `${inside}`],
      ['commit', removed],
    ])
    const gone = { path: 'src/a.ts', change: 'deleted', kind: 'file', size: null }
    expect(events[2]).toMatchObject({ data: { changes: [gone] } })
    await put(session, 'other.txt', '4')
    const next = await put(session, 'src/b.ts', '5')
    expect(await watch.next()).toMatchObject({ name: 'commit', id: `${next}` })
  })

  it('gets names with line breaks as data, which forge no event', async () => {
    const session = await aSession()
    const watch = await Watch.open(session)
    await watch.next()
    const path = 'x\r\nevent: end\ndata: {}\n\nid: 9\u2028a\u0085b\u2029'
    const commit = await put(session, encodeURIComponent(path), 'one')
    expect(await watch.next()).toMatchObject({ name: 'commit', id: `${commit}`, data: { changes: [{ path }] } })
    const next = await put(session, 'plain', 'two')
    expect(await watch.next()).toMatchObject({ name: 'commit', id: `${next}` })
  })

  it('stays connected while the object leaves memory, and is told of the first commit after that', async () => {
    const session = await aSession()
    const [one, two] = [await Watch.open(session), await Watch.open(session)]
    await Promise.all([one.next(), two.next()])
    await evictDurableObject(stubOf(session))
    const commit = await put(session, 'a.txt', 'after')
    expect([(await one.next())?.id, (await two.next())?.id]).toEqual([`${commit}`, `${commit}`])
  })

  it('whose stream a restart ends misses nothing when it connects again by its last id', async () => {
    const session = await aSession()
    const watch = await Watch.open(session)
    await watch.next()
    const seen = await put(session, 'a.txt', 'seen')
    expect((await watch.next())?.id).toBe(`${seen}`)
    await runInDurableObject(stubOf(session), (_, context) => context.abort('restart')).catch(() => undefined)
    expect((await watch.rest()).filter(({ name }) => name !== 'commit')).toEqual([])
    const missed = [await put(session, 'b.txt', '1'), await put(session, 'c.txt', '2')]
    const again = await Watch.open(session, '?from=0', watch.lastId)
    const events = [await again.next(), await again.next(), await again.next()]
    expect(events.map((event) => event?.id)).toEqual([`${seen}`, ...missed.map(String)])
  })

  it('that names a commit that is no longer kept, or never was, is told to list the files, and goes on', async () => {
    const session = await aSession()
    await put(session, 'a.txt', '1')
    await put(session, 'a.txt', '2')
    const head = await put(session, 'a.txt', '3')
    await runInDurableObject(stubOf(session), (_, { storage }) => {
      storage.sql.exec('DELETE FROM workspace_changes WHERE seq < ?', head)
      storage.sql.exec('DELETE FROM workspace_commits WHERE seq < ?', head)
    })
    for (const from of [0, head + 100]) {
      const watch = await Watch.open(session, `?from=${from}`)
      expect((await watch.next())?.name).toBe('watching')
      const reset = {
        name: 'reset',
        id: `${head}`,
        data: { commit: head, hint: expect.stringContaining('list the files') },
      }
      expect(await watch.next()).toEqual(reset)
    }
    const watch = await Watch.open(session, `?from=${head - 1}`)
    await watch.next()
    expect(await watch.next()).toMatchObject({ name: 'commit', id: `${head}` })
  })

  it('is told that the session was removed, and then gets 404', async () => {
    const session = await aSession()
    const watch = await Watch.open(session)
    await watch.next()
    expect((await ask('DELETE', `/${session}`)).status).toBeLessThan(300)
    expect(await watch.rest()).toEqual([
      { name: 'end', id: null, data: { reason: 'session_removed', hint: expect.any(String) } },
    ])
    expect((await ask('GET', `/${session}/watch`)).status).toBe(404)
  })

  it('is refused with what to do where the session has as many as it may, and let in when one has left', async () => {
    const session = await aSession()
    const watches: Watch[] = []
    for (let n = 0; n < MAX_WATCHERS; n++) watches.push(await Watch.open(session))
    // It opens no stream.
    expect((await ask('HEAD', `/${session}/watch`)).status).toBe(200)
    const refused = await ask('GET', `/${session}/watch`)
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ detail: expect.stringContaining('MAX_WATCHERS') }),
    ])
    await watches[0]?.next()
    await watches[0]?.close()
    const again = async () => {
      const answer = await ask('GET', `/${session}/watch`)
      await answer.body?.cancel()
      return answer.status
    }
    await expect.poll(again).toBe(200)
  })

  it('who reads slowly gets every commit in order, each once, however many are made meanwhile', async () => {
    const session = await aSession()
    const watch = await Watch.open(session)
    await watch.next()
    const commits: string[] = []
    for (let n = 0; n < 120; n++) commits.push(`${await put(session, `${n % 7}.txt`, `${n}`)}`)
    const seen: (string | null | undefined)[] = []
    while (seen.length < commits.length) seen.push((await watch.next())?.id)
    expect(seen).toEqual(commits)
  })
})
