import { describe, expect, it } from 'vitest'
import {
  MAX_COMPLETIONS,
  MAX_RESOURCE_BYTES,
  MAX_RESOURCE_URI_CHARS,
  MAX_SUBSCRIBED_RESOURCES,
  RESOURCES_PER_PAGE,
} from '../../../../src/core/limits/mcp-resources.ts'
import { MAX_WATCHED_CHANGES } from '../../../../src/core/limits/watch.ts'
import { tarGzBytes } from '../../../support/archives.ts'
import { openResources } from './open-resources.ts'

const PRIVATE = { cacheScope: 'private' }

describe('resources/list', () => {
  it('lists the files of the usual session with type, size and time, and no directories', async () => {
    const { ask, put } = openResources()
    await put('notes/a b.md', 'hello')
    const { result } = await ask('resources/list')
    expect(result).toMatchObject({ ...PRIVATE, ttlMs: 5_000 })
    expect(result.resources).toEqual([
      {
        uri: 'toolyard://s/notes/a%20b.md',
        name: 'notes/a b.md',
        mimeType: 'text/markdown',
        size: 5,
        annotations: { lastModified: expect.stringMatching(/^\d{4}-.*Z$/) },
      },
    ])
    expect(result.nextCursor).toBeUndefined()
  })

  it('gives each file once, page by page', async () => {
    const { ask, put } = openResources()
    const names = Array.from({ length: RESOURCES_PER_PAGE + 20 }, (_, at) => `d${at % 30}/f${at}.txt`)
    for (const name of names) await put(name, '')
    const found: string[] = []
    let cursor: string | undefined
    do {
      const { result } = await ask('resources/list', cursor === undefined ? {} : { cursor })
      expect(result.resources.length).toBeLessThanOrEqual(RESOURCES_PER_PAGE)
      found.push(...result.resources.map(({ name }: { name: string }) => name))
      cursor = result.nextCursor
    } while (cursor !== undefined)
    expect(found.toSorted()).toEqual(names.toSorted())
  })

  it.each(['', 'garbage', 'L2V0Yw', btoa('file:../../etc'), btoa('file:a\0b'), 'A'.repeat(100_000)])(
    'refuses the cursor %j, which is none',
    async (cursor) => {
      const { error } = await openResources().ask('resources/list', { cursor })
      expect(error?.code).toBe(-32602)
      expect(error?.message.length).toBeLessThan(300)
    },
  )

  it('is empty for a session that was not made yet', async () => {
    const { result } = await openResources({ bound: 'not made' }).ask('resources/list')
    expect(result.resources).toEqual([])
  })

  it('has a template for all sessions, or for the one that the address binds', async () => {
    const free = (await openResources().ask('resources/templates/list')).result
    expect(free).toMatchObject({
      ...PRIVATE,
      ttlMs: 60_000,
      resourceTemplates: [{ uriTemplate: 'toolyard://{session}/{+path}' }],
    })
    const bound = (await openResources({ bound: 'not made' }).ask('resources/templates/list')).result
    expect(bound.resourceTemplates[0].uriTemplate).toBe('toolyard://not%20made/{+path}')
  })
})

describe('resources/read', () => {
  it('gives text as text under the URI that was sent', async () => {
    const { ask, put } = openResources()
    await put('a/über.py', '\ufeffprint("ü")\n')
    for (const uri of [
      'toolyard://s/a/%C3%BCber.py',
      'toolyard://s/a%2F%C3%BCber.py',
      'toolyard://%73/a/./x/../über.py',
    ]) {
      const { result } = await ask('resources/read', { uri })
      expect(result.contents).toEqual([{ uri, mimeType: 'text/x-python', text: '\ufeffprint("ü")\n' }])
      expect(result).toMatchObject({ ...PRIVATE, ttlMs: 0 })
    }
  })

  it.each([
    ['latin1.txt', [0x66, 0xfc, 0x72], 'text/plain'],
    ['nul.txt', [0x61, 0], 'text/plain'],
    ['pixel.png', [0x89, 0x50], 'image/png'],
    ['ascii.pdf', [0x25, 0x50, 0x44, 0x46], 'application/pdf'],
    ['unknown.bin', [0xff], 'application/octet-stream'],
  ])('gives %s, which is no UTF-8 text, as base64', async (name, bytes, mimeType) => {
    const { ask, put } = openResources()
    await put(name, Uint8Array.from(bytes))
    const uri = `toolyard://s/${name}`
    const { result } = await ask('resources/read', { uri })
    expect(result.contents).toEqual([{ uri, mimeType, blob: Buffer.from(bytes).toString('base64') }])
  })

  it('takes a file of an unknown type for text when its bytes are', async () => {
    const { ask, put } = openResources()
    await put('Makefile', 'all:\n')
    const { result } = await ask('resources/read', { uri: 'toolyard://s/Makefile' })
    expect(result.contents[0]).toMatchObject({ mimeType: 'text/plain', text: 'all:\n' })
  })

  it('lists the entries of a directory', async () => {
    const { ask, put } = openResources()
    await put('d/a.txt', 'a')
    await put('d/e/b.txt', 'b')
    const { result } = await ask('resources/read', { uri: 'toolyard://s/d' })
    expect(result.contents[0].mimeType).toBe('application/json')
    expect(JSON.parse(result.contents[0].text).entries).toMatchObject([
      { type: 'file', uri: 'toolyard://s/d/a.txt', size: 1 },
      { type: 'directory', uri: 'toolyard://s/d/e' },
    ])
  })

  it('names the ways to a file that is too large, which it does not read', async () => {
    const { ask, put } = openResources()
    await put('just right.txt', 'x'.repeat(MAX_RESOURCE_BYTES))
    await put('too large.txt', 'x'.repeat(MAX_RESOURCE_BYTES + 1))
    expect((await ask('resources/read', { uri: 'toolyard://s/just%20right.txt' })).result.contents).toHaveLength(1)
    const { error } = await ask('resources/read', { uri: 'toolyard://s/too%20large.txt' })
    expect(error).toMatchObject({ code: -32602 })
    expect(error?.message).toContain('file_read')
    expect(error?.message).toContain('http://localhost:8001/v1/sessions/s/files/too%20large.txt')
  })

  it('gives the whole result of a call by its handle', async () => {
    const { ask, session } = openResources()
    const call = { tool: 'file_write', args: { file_path: 'a.txt', content: 'a' } }
    const { callId } = await session.call(call)
    const uri = `toolyard-result://s/result_${callId}`
    const { result } = await ask('resources/read', { uri })
    expect(result.contents).toEqual([{ uri, mimeType: 'text/plain', text: expect.stringContaining('a.txt') }])
  })

  it.each([
    'toolyard://s/none.txt',
    'toolyard://not%20made/a.txt',
    'toolyard://other/a.txt',
    'toolyard-result://s/result_call_none',
    'toolyard-result://other/result_call_none',
    'test://of-another-server',
  ])('answers %s as a missing resource', async (uri) => {
    const { ask, put } = openResources()
    await put('a.txt', 'a')
    expect((await ask('resources/read', { uri })).error).toMatchObject({ code: -32602, data: { uri } })
  })

  it('leaves out all sessions but the one that the address binds', async () => {
    const { ask, put } = openResources({ bound: 'not made' })
    await put('a.txt', 'a')
    const uri = 'toolyard://s/a.txt'
    expect((await ask('resources/read', { uri })).error).toMatchObject({ code: -32602, data: { uri } })
  })

  it.each([
    'toolyard://s/../other/a.txt',
    'toolyard://s/..%2f..%2fetc/passwd',
    'toolyard://s/%2e%2e/%2e%2e/etc/passwd',
    'toolyard://s/a%00.txt',
    'toolyard://s/a\0.txt',
    'toolyard://s/%ff',
    'toolyard://s/%E0%A4%A',
    'toolyard://s%00/a.txt',
    'toolyard:///a.txt',
    'toolyard://s',
    'toolyard:/s/a.txt',
    'TOOLYARD://s/a.txt',
    'file:///etc/passwd',
    'http://169.254.169.254/',
    '',
    'toolyard://s%2fa.txt/a.txt',
    'toolyard://../s/a.txt',
    'toolyard://other%2f..%2fs/a.txt',
    `toolyard://s/${'a/'.repeat(MAX_RESOURCE_URI_CHARS)}`,
    `toolyard://s/${'%61'.repeat(300)}`,
  ])('reads nothing for the hostile URI %j', async (uri) => {
    const { ask, put } = openResources()
    await put('a.txt', 'secret')
    const { error, result } = await ask('resources/read', { uri })
    expect(result).toBeUndefined()
    expect(error?.code).toBe(-32602)
    expect(error?.message).not.toMatch(/\/work\/|node_modules|\bat /)
    expect(error?.message.length).toBeLessThan(400)
  })

  it('says nothing of an unforeseen error', async () => {
    const { ask, session } = openResources()
    session.files.read = () => Promise.reject(new Error('secret of the host'))
    const { error } = await ask('resources/read', { uri: 'toolyard://s/a.txt' })
    expect(error?.code).toBe(-32603)
    expect(error?.message).not.toContain('secret')
  })
})

describe('completion/complete', () => {
  const ref = { type: 'ref/resource', uri: 'toolyard://{session}/{+path}' }
  const completed = async (bench: ReturnType<typeof openResources>, argument: object, args = { session: 's' }) =>
    (await bench.ask('completion/complete', { ref, argument, context: { arguments: args } })).result.completion

  it('completes names of the directory that a path leads into', async () => {
    const bench = openResources()
    for (const path of ['src/main.ts', 'src/map.ts', 'src/ma/x.ts', 'src/other.ts', 'srcs', 'ß.txt'])
      await bench.put(path, '')
    expect((await completed(bench, { name: 'path', value: '' })).values).toEqual(['src/', 'srcs', 'ß.txt'])
    expect((await completed(bench, { name: 'path', value: 'src' })).values).toEqual(['src/', 'srcs'])
    const inside = await completed(bench, { name: 'path', value: 'src/ma' })
    expect(inside.values.toSorted()).toEqual(['src/ma/', 'src/main.ts', 'src/map.ts'])
    expect((await completed(bench, { name: 'path', value: 'nowhere/x' })).values).toEqual([])
    expect((await completed(bench, { name: 'path', value: 'src/..' })).values).toEqual([])
  })

  it('gives at most a hundred names, and says that there are more', async () => {
    const bench = openResources()
    for (let at = 0; at <= MAX_COMPLETIONS; at++) await bench.put(`f${at}`, '')
    const completion = await completed(bench, { name: 'path', value: 'f' })
    expect(completion.values).toHaveLength(MAX_COMPLETIONS)
    expect(completion).toMatchObject({ hasMore: true, total: MAX_COMPLETIONS + 1 })
  })

  it('completes sessions, unless the address binds one', async () => {
    expect((await completed(openResources(), { name: 'session', value: 'not' })).values).toEqual(['not made'])
    const bound = await openResources({ bound: 's' }).ask('completion/complete', {
      ref: { type: 'ref/resource', uri: 'toolyard://s/{+path}' },
      argument: { name: 'session', value: '' },
    })
    expect(bound.error?.code).toBe(-32602)
  })

  it.each([
    { ref: { type: 'ref/resource', uri: 'file:///{path}' }, argument: { name: 'path', value: '' } },
    { ref, argument: { name: 'other', value: '' } },
    { ref, argument: { name: 'path', value: '../../etc/pa' } },
    { ref, argument: { name: 'path', value: 'a\0b/c' } },
    { ref, argument: { name: 'path', value: '' }, context: { arguments: { session: 'other' } } },
    { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'x', value: '' } },
  ])('refuses %j', async (params) => {
    expect((await openResources().ask('completion/complete', params)).error?.code).toBe(-32602)
  })
})

describe('subscriptions', () => {
  /** Events of a listening stream, one after another. */
  const listen = async ({ fetch }: ReturnType<typeof openResources>, uris: readonly unknown[]) => {
    const response = await fetch('subscriptions/listen', { notifications: { resourceSubscriptions: uris } })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const next = async () => {
      for (;;) {
        const [, data, rest] = /^(?:event: message\n)data: (.*)\n\n([\s\S]*)$/.exec(text) ?? []
        if (data !== undefined) {
          text = rest ?? ''
          return JSON.parse(data)
        }
        const read = await reader?.read()
        if (!read || read.done) return null
        text += read.value
      }
    }
    return { next, close: () => reader?.cancel() }
  }

  it('tells a modern client of changed files and of those alone, while it listens', async () => {
    const bench = openResources()
    await bench.put('a.txt', '1')
    const uris = ['toolyard://s/a.txt', 'toolyard://s/dir', 'toolyard://other/a.txt', 'toolyard://s/../x', 7]
    const stream = await listen(bench, uris.slice(0, 4))
    expect((await stream.next()).params.notifications.resourceSubscriptions).toEqual(uris.slice(0, 2))
    await bench.put('b.txt', 'not mine')
    await bench.put('a.txt', '2')
    expect(await stream.next()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'toolyard://s/a.txt' },
    })
    await bench.put('dir/deep/c.txt', '3')
    expect((await stream.next()).params.uri).toBe('toolyard://s/dir')
    await stream.close()
    expect(bench.state.sockets.size).toBe(0)
  })

  it('tells of a file in a commit that changes more files than are named', async () => {
    const bench = openResources()
    const stream = await listen(bench, ['toolyard://s/z.txt', 'toolyard://s/other.txt'])
    await stream.next()
    const names = [...Array.from({ length: MAX_WATCHED_CHANGES + 1 }, (_, at) => `a${at}`), 'z.txt']
    await bench.unpack(tarGzBytes(names.map((name) => ({ name, content: name }))))
    expect((await stream.next()).params.uri).toBe('toolyard://s/z.txt')
    await stream.close()
  })

  it('tells of the removal of the session, and ends the stream', async () => {
    const bench = openResources()
    const stream = await listen(bench, ['toolyard://s/a.txt'])
    await stream.next()
    await expect.poll(() => bench.state.sockets.size).toBe(1)
    bench.remove()
    expect((await stream.next()).params.uri).toBe('toolyard://s/a.txt')
    expect(await stream.next()).toMatchObject({ result: { resultType: 'complete' } })
    expect(await stream.next()).toBeNull()
  })

  it('misses nothing while its connection to the session is opened again', async () => {
    const bench = openResources()
    const stream = await listen(bench, ['toolyard://s/a.txt'])
    await stream.next()
    await expect.poll(() => bench.state.sockets.size).toBe(1)
    for (const socket of bench.state.sockets) socket.close()
    await bench.put('a.txt', 'written meanwhile')
    expect((await stream.next()).params.uri).toBe('toolyard://s/a.txt')
    await stream.close()
  })

  it('looks at a session only when that has a commit', async () => {
    const bench = openResources()
    const stream = await listen(bench, ['toolyard://s/a.txt', 'toolyard://s/b.txt', 'toolyard://s/c.txt'])
    await stream.next()
    await bench.put('a.txt', '1')
    await stream.next()
    // The newest commit when it began, what was made before the socket was open, and the one commit.
    expect(bench.state.looked).toBeLessThanOrEqual(3)
    expect(bench.state.sockets.size).toBe(1)
    await stream.close()
  })

  it('tells a client of the older revisions, until it unsubscribes', async () => {
    const bench = openResources()
    const { client, updated, uris } = await bench.legacy()
    const uri = 'toolyard://s/a.txt'
    await client.subscribeResource({ uri })
    await bench.put('a.txt', '1')
    await expect.poll(() => updated).toEqual([uri])
    await client.unsubscribeResource({ uri })
    expect(bench.state.sockets.size).toBe(0)
    expect([...uris]).toEqual([])
    for (const bad of ['toolyard://other/a.txt', 'toolyard://not%20made/a', 'toolyard://s/../a', 'file:///a'])
      await expect(client.subscribeResource({ uri: bad })).rejects.toMatchObject({ code: -32602 })
  })

  it('tells after a pause what changed in it', async () => {
    const bench = openResources()
    const { client, updated, subscriptions } = await bench.legacy()
    await client.subscribeResource({ uri: 'toolyard://s/a.txt' })
    subscriptions.pause()
    await bench.put('a.txt', '1')
    expect(bench.state.sockets.size).toBe(0)
    subscriptions.open()
    await expect.poll(() => updated).toEqual(['toolyard://s/a.txt'])
  })

  it('refuses more resources than one connection may have', async () => {
    const { client } = await openResources().legacy()
    for (let at = 0; at < MAX_SUBSCRIBED_RESOURCES; at++) await client.subscribeResource({ uri: `toolyard://s/f${at}` })
    await expect(client.subscribeResource({ uri: 'toolyard://s/more' })).rejects.toMatchObject({
      message: expect.stringContaining('MAX_SUBSCRIBED_RESOURCES'),
    })
  })
})

describe('older revisions', () => {
  it('read, list and complete as the newest, without its fields', async () => {
    const bench = openResources()
    await bench.put('a.txt', 'hello')
    const { client } = await bench.legacy()
    expect(client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true })
    const listed = await client.listResources()
    expect(listed.resources.map(({ uri }) => uri)).toEqual(['toolyard://s/a.txt'])
    expect(listed).not.toHaveProperty('ttlMs')
    const read = await client.readResource({ uri: 'toolyard://s/a.txt' })
    expect(read.contents[0]).toMatchObject({ text: 'hello' })
    await expect(client.readResource({ uri: 'toolyard://s/none' })).rejects.toMatchObject({
      code: -32602,
      data: { uri: 'toolyard://s/none' },
    })
  })
})
