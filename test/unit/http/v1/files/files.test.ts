import { describe, expect, it } from 'vitest'
import { MAX_HELD_UPLOAD_BYTES } from '../../../../../src/core/limits/files.ts'
import { MAX_FILE_BYTES } from '../../../../../src/core/limits/workspace.ts'
import { sha256 } from '../../../../../src/core/sha256.ts'
import { openFiles } from './open-files.ts'

const tag = (text: string) => `"${sha256(text)}"`

describe('a file', () => {
  it('is put with 201, then replaced with 200, and read with its ETag, digest, type and time, as an attachment', async () => {
    const { json, send } = openFiles()
    expect(await json('PUT', '/files/a/b.html', { body: '<p>1' })).toMatchObject({
      status: 201,
      body: { path: 'a/b.html', type: 'file', size: 4, etag: tag('<p>1'), created: true, commit: 1 },
    })
    expect(await json('PUT', '/files/a/b.html', { body: '<p>2' })).toMatchObject({
      status: 200,
      body: { etag: tag('<p>2'), created: false, commit: 2 },
    })
    const answer = await send('GET', '/files/a/b.html')
    expect(await answer.text()).toBe('<p>2')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      etag: tag('<p>2'),
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'attachment; filename="b.html"',
      'x-content-type-options': 'nosniff',
      'content-length': '4',
      'accept-ranges': 'bytes',
      'content-digest': `sha-256=:${Buffer.from(sha256('<p>2'), 'hex').toString('base64')}:`,
      'last-modified': expect.stringMatching(/GMT$/),
    })
  })

  it('has the same headers for HEAD, and no content', async () => {
    const { send, put } = openFiles()
    const etag = await put('a.txt', 'hello')
    const answer = await send('HEAD', '/files/a.txt')
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(answer.headers.get('ETag')).toBe(etag)
    expect(answer.headers.get('Content-Length')).toBe('5')
  })

  it.each([
    ['bytes=0-1', 206, 'he', 'bytes 0-1/5'],
    ['bytes=3-', 206, 'lo', 'bytes 3-4/5'],
    ['bytes=-2', 206, 'lo', 'bytes 3-4/5'],
    ['bytes=-99', 206, 'hello', 'bytes 0-4/5'],
    ['bytes=4-99', 206, 'o', 'bytes 4-4/5'],
    ['bytes=0-0,2-2', 200, 'hello', null],
    ['bytes=3-1', 200, 'hello', null],
    ['lines=1-2', 200, 'hello', null],
    ['bytes=-', 200, 'hello', null],
  ])('is read in part: %s', async (range, status, text, contentRange) => {
    const { send, put } = openFiles()
    await put('a.txt', 'hello')
    const answer = await send('GET', '/files/a.txt', { headers: { Range: range } })
    expect([answer.status, await answer.text(), answer.headers.get('Content-Range')]).toEqual([
      status,
      text,
      contentRange,
    ])
    expect(answer.headers.get('Content-Length')).toBe(String(text.length))
  })

  it.each(['bytes=5-', 'bytes=-0', 'bytes=99-100'])(
    'refuses a range behind its end with its size: %s',
    async (range) => {
      const { send, put } = openFiles()
      await put('a.txt', 'hello')
      const answer = await send('GET', '/files/a.txt', { headers: { Range: range } })
      expect([answer.status, answer.headers.get('Content-Range')]).toEqual([416, 'bytes */5'])
      expect(await answer.json()).toMatchObject({ code: 'range_not_satisfiable', request_id: 'r' })
    },
  )

  it('comes whole where If-Range names another content, and in part where it names this one', async () => {
    const { send, put } = openFiles()
    const etag = await put('a.txt', 'hello')
    const part = (ifRange: string) =>
      send('GET', '/files/a.txt', { headers: { Range: 'bytes=0-0', 'If-Range': ifRange } }).then(({ status }) => status)
    expect(await part(etag)).toBe(206)
    expect(await part(tag('other'))).toBe(200)
    expect(await part(`W/${etag}`)).toBe(200)
    expect(await part('Mon, 23 Nov 2026 03:00:00 GMT')).toBe(200)
  })

  it('is not sent again to who has it, and answers 412 with its ETag to who wants another one', async () => {
    const { send, put } = openFiles()
    const etag = await put('a.txt', 'hello')
    const get = async (headers: Record<string, string>) => {
      const answer = await send('GET', '/files/a.txt', { headers })
      return [answer.status, answer.headers.get('ETag'), (await answer.text()).length > 0]
    }
    expect(await get({ 'If-None-Match': `"x", W/${etag}` })).toEqual([304, etag, false])
    expect(await get({ 'If-None-Match': '*' })).toEqual([304, etag, false])
    expect(await get({ 'If-None-Match': tag('old') })).toEqual([200, etag, true])
    expect(await get({ 'If-Match': tag('old') })).toEqual([412, etag, true])
    expect(await get({ 'If-Match': `W/${etag}` })).toEqual([412, etag, true])
    expect(await get({ 'If-Match': '*' })).toEqual([200, etag, true])
  })

  it('is replaced only while it is what the client knows, and 412 says the ETag that it has', async () => {
    const { send, json, put } = openFiles()
    const first = await put('a.txt', '1')
    const replace = (body: string, headers: Record<string, string>) => send('PUT', '/files/a.txt', { body, headers })
    expect((await replace('2', { 'If-Match': first })).status).toBe(200)
    const refused = await replace('3', { 'If-Match': first })
    expect([refused.status, refused.headers.get('ETag')]).toEqual([412, tag('2')])
    expect(await refused.json()).toMatchObject({
      status: 412,
      detail: `the file is another one by now: its ETag is ${tag('2')}`,
      code: 'precondition_failed',
      retryable: false,
      request_id: 'r',
    })
    expect(await (await send('GET', '/files/a.txt')).text()).toBe('2')
    expect((await json('DELETE', '/files/a.txt', { headers: { 'If-Match': first } })).status).toBe(412)
    expect((await json('PUT', '/files/none.txt', { body: 'x', headers: { 'If-Match': '*' } })).status).toBe(412)
  })

  it('is not sent again to who has had it since its last change, by the date of Last-Modified', async () => {
    const { send, put } = openFiles()
    const etag = await put('a.txt', '1')
    const changed = (await send('HEAD', '/files/a.txt')).headers.get('Last-Modified') ?? ''
    const before = new Date(Date.parse(changed) - 1_000).toUTCString()
    const read = async (headers: Record<string, string>) => (await send('GET', '/files/a.txt', { headers })).status
    expect(await read({ 'If-Modified-Since': changed })).toBe(304)
    expect(await read({ 'If-Modified-Since': before })).toBe(200)
    expect(await read({ 'If-Modified-Since': changed, 'If-None-Match': '"other"' })).toBe(200)
    expect(await read({ 'If-Modified-Since': before, 'If-None-Match': etag })).toBe(304)
    expect(await read({ 'If-Modified-Since': changed.slice(5) })).toBe(200)
  })

  it('is replaced and deleted by If-Unmodified-Since only while its date is not later, and a tag goes before a date', async () => {
    const { send, json, put } = openFiles()
    const etag = await put('a.txt', '1')
    const changed = (await send('HEAD', '/files/a.txt')).headers.get('Last-Modified') ?? ''
    const before = new Date(Date.parse(changed) - 1_000).toUTCString()
    const late = { 'If-Unmodified-Since': before }
    expect((await send('GET', '/files/a.txt', { headers: late })).status).toBe(412)
    expect((await json('DELETE', '/files/a.txt', { headers: late })).status).toBe(412)
    expect(await json('PUT', '/files/a.txt', { body: '2', headers: late })).toMatchObject({
      status: 412,
      body: { detail: `the file was changed at ${changed}: its ETag is ${etag}` },
    })
    expect((await send('PUT', '/files/a.txt', { body: '2', headers: { ...late, 'If-Match': etag } })).status).toBe(200)
    const now = (await send('HEAD', '/files/a.txt')).headers.get('Last-Modified') ?? ''
    expect((await send('PUT', '/files/a.txt', { body: '3', headers: { 'If-Unmodified-Since': now } })).status).toBe(200)
    expect((await send('PUT', '/files/new.txt', { body: 'x', headers: late })).status).toBe(201)
    expect((await send('PUT', '/files/a.txt', { body: '4', headers: { 'If-Unmodified-Since': 'soon' } })).status).toBe(
      200,
    )
  })

  it('is made once by If-None-Match: *, however many ask at the same time', async () => {
    const { send } = openFiles()
    const answers = await Promise.all(
      ['1', '2', '3', '4'].map((body) => send('PUT', '/files/a.txt', { body, headers: { 'If-None-Match': '*' } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412])
    const late = answers.find(({ status }) => status === 412)
    expect(await late?.json()).toMatchObject({
      detail: expect.stringMatching(/^there is a file already: its ETag is "/),
      hint: expect.stringContaining('take another path, or replace the file'),
    })
  })

  it('takes one of two changes that were made from the same version, also of large files', async () => {
    const { send, put } = openFiles()
    const etag = await put('a.bin', 'x')
    const body = new Uint8Array(MAX_HELD_UPLOAD_BYTES + 1)
    const headers = { 'If-Match': etag, 'Content-Length': String(body.length) }
    const answers = await Promise.all(
      [1, 2].map((first) => send('PUT', '/files/a.bin', { body: body.slice().fill(first), headers })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  it('is refused when it arrives as other bytes than Content-Digest announces, small or large', async () => {
    const { send } = openFiles()
    const digest = (hash: string) => `sha-256=:${Buffer.from(hash, 'hex').toString('base64')}:`
    for (const size of [5, MAX_HELD_UPLOAD_BYTES + 1]) {
      const body = new Uint8Array(size).fill(7)
      const put = (hash: string) =>
        send('PUT', '/files/a.bin', {
          body,
          headers: { 'Content-Digest': digest(hash), 'Content-Length': String(size) },
        })
      expect((await put(sha256('other'))).status).toBe(400)
      expect((await send('HEAD', '/files/a.bin')).status).toBe(404)
      expect((await put(sha256(body))).status).toBe(201)
      await send('DELETE', '/files/a.bin')
    }
  })

  it('that is larger than any may be is refused by its stated size, with the limit named', async () => {
    const { json } = openFiles()
    const refused = await json('PUT', '/files/a.bin', {
      body: 'x',
      headers: { 'Content-Length': String(MAX_FILE_BYTES + 1) },
    })
    expect(refused).toMatchObject({
      status: 413,
      body: { code: 'limit_exceeded', detail: expect.stringMatching(/MAX_FILE_BYTES/) },
    })
  })

  it('that does not have the announced size is not stored', async () => {
    const { send } = openFiles()
    const body = new Uint8Array(MAX_HELD_UPLOAD_BYTES + 1)
    const answer = await send('PUT', '/files/a.bin', { body, headers: { 'Content-Length': String(body.length + 1) } })
    expect(answer.status).toBe(400)
    expect((await send('HEAD', '/files/a.bin')).status).toBe(404)
  })

  it('is read as it was after an earlier commit, also when it was replaced or deleted since', async () => {
    const { json, send, put } = openFiles()
    await put('a.txt', 'one')
    await put('a.txt', 'two')
    const deleted = await send('DELETE', '/files/a.txt')
    expect([deleted.status, deleted.headers.get('Toolyard-Commit')]).toEqual([204, '3'])
    const at = async (commit: number) => (await send('GET', `/files/a.txt?as_of=${commit}`)).text()
    expect([await at(1), await at(2)]).toEqual(['one', 'two'])
    expect((await send('GET', '/files/a.txt?as_of=3')).status).toBe(404)
    expect((await send('GET', '/files/a.txt')).status).toBe(404)
    expect(await json('GET', '/files/a.txt?as_of=99')).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(/no commit 99/) },
    })
    expect((await json('GET', '/files/a.txt?as_of=-1')).status).toBe(400)
  })

  it('names in its commit who uploaded or deleted it', async () => {
    const { json, put } = openFiles()
    await put('a.txt', '1')
    await json('DELETE', '/files/a.txt')
    const { body } = await json('GET', '/history')
    expect(body.data).toMatchObject([
      { commit: 2, author: 'delete:k', changed: 1 },
      { commit: 1, author: 'upload:k', changed: 1 },
    ])
    const page = await json('GET', '/history?limit=1')
    expect(page.body).toMatchObject({ data: [{ commit: 2 }], next_cursor: '2' })
    expect((await json('GET', '/history?limit=1&cursor=2')).body).toMatchObject({
      data: [{ commit: 1 }],
      next_cursor: null,
    })
    expect((await json('GET', '/history?cursor=x')).status).toBe(400)
  })
})

describe('a path', () => {
  it.each([
    ['a%2Fb.txt', 'a/b.txt'],
    ['a//b.txt', 'a/b.txt'],
    ['100%25.txt', '100%.txt'],
    ['%252e', '%2e'],
    ['x%0Ay', 'x\ny'],
    ['%E6%96%87%20%23%3F.txt', '文 #?.txt'],
    ['C:%5Cwindows%5Cx', 'C:\\windows\\x'],
    ['a%2F.%2Fb%2F..%2Fc', 'a/c'],
    ['%2Fhome%2Fuser%2Fworkspace%2Fx', 'x'],
  ])('means the same however it is encoded: %s', async (sent, meant) => {
    const { json, send } = openFiles()
    expect(await json('PUT', `/files/${sent}`, { body: '1' })).toMatchObject({ status: 201, body: { path: meant } })
    const again = meant.split('/').map(encodeURIComponent).join('/')
    expect(await (await send('GET', `/files/${again}`)).text()).toBe('1')
  })

  it.each([
    ['..%2Fx', /leaves/],
    ['a%2F..%2F..%2Fx', /leaves/],
    ['%2E%2E%2Fx', /leaves/],
    ['a%00b', /NUL/],
    ['%FF', /percent-encoded UTF-8/],
    ['%E0%A4%A', /percent-encoded UTF-8/],
    ['n'.repeat(256), /longer than 255 bytes/],
    ['dir/', /ends with/],
  ])('that cannot be one is refused for reading and writing: %s', async (path, reason) => {
    const { json } = openFiles()
    expect(await json('PUT', `/files/${path}`, { body: '1' })).toMatchObject({ status: 400, body: { detail: reason } })
    if (path !== 'dir/')
      expect(await json('GET', `/files/${path}`)).toMatchObject({ status: 400, body: { detail: reason } })
  })

  it('on which something else stands is a conflict, before and after its content came', async () => {
    const { json, put } = openFiles()
    await put('d/f', '1')
    expect((await json('PUT', '/files/d', { body: 'x' })).status).toBe(409)
    expect((await json('PUT', '/files/d/f/g', { body: 'x' })).status).toBe(409)
    expect((await json('PUT', '/files/..%2F', { body: 'x' })).status).toBe(400)
  })

  it('through a link leads to its file, and never out of the workspace', async () => {
    const { send, json, workspace, put } = openFiles()
    await put('real.txt', 'inside')
    const link = (path: string, target: string) => workspace.commit([{ op: 'link', path: path as never, target }])
    await link('to-file', 'real.txt')
    await link('out', '/etc/passwd')
    await link('up', '../../etc/passwd')
    await link('loop', 'loop')
    await put('real.txt', 'changed')
    expect(await (await send('GET', '/files/to-file?as_of=2')).text()).toBe('inside')
    await put('real.txt', 'inside')
    const answer = await send('GET', '/files/to-file')
    expect([await answer.text(), answer.headers.get('Content-Disposition')]).toEqual([
      'inside',
      'attachment; filename="to-file"',
    ])
    expect((await json('GET', '/files/out')).status).toBe(403)
    expect((await json('GET', '/files/up')).status).toBe(403)
    expect((await json('GET', '/files/loop')).status).toBe(400)
  })
})

describe('a directory', () => {
  const filled = async () => {
    const opened = openFiles()
    for (const path of ['a.txt', 'd/b.txt', 'd/e/c.txt', 'd-1.txt']) await opened.put(path, path)
    return opened
  }
  const paths = (body: Record<string, unknown>) => (body.data as { path: string }[]).map(({ path }) => path)

  it('is listed with types, sizes, ETags and times, its own entries alone unless more is asked for', async () => {
    const { json } = await filled()
    const { status, body } = await json('GET', '/files')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      data: [
        { path: 'a.txt', type: 'file', size: 5, etag: tag('a.txt'), modified_at: expect.stringMatching(/Z$/) },
        { path: 'd', type: 'directory', size: null, etag: null },
        { path: 'd-1.txt', type: 'file' },
      ],
      next_cursor: null,
      commit: 4,
    })
    for (const way of ['/files/d', '/files/d/', '/files/d?depth=1']) {
      expect(paths((await json('GET', way)).body)).toEqual(['d/b.txt', 'd/e'])
    }
    expect(paths((await json('GET', '/files/d?recursive=true')).body)).toEqual(['d/b.txt', 'd/e', 'd/e/c.txt'])
    expect(paths((await json('GET', '/files/?depth=2')).body)).toEqual(['a.txt', 'd', 'd-1.txt', 'd/b.txt', 'd/e'])
  })

  it('is listed in pages that have each entry once', async () => {
    const { json } = await filled()
    const seen: string[] = []
    let cursor: unknown = null
    do {
      const after = cursor === null ? '' : `&cursor=${cursor}`
      const { body } = await json('GET', `/files?recursive=true&limit=2${after}`)
      seen.push(...paths(body))
      cursor = body.next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(['a.txt', 'd', 'd-1.txt', 'd/b.txt', 'd/e', 'd/e/c.txt'])
    expect((await json('GET', '/files?cursor=%2B%2B')).status).toBe(400)
  })

  it('is listed as it was after a commit, page by page', async () => {
    const { json } = await filled()
    await json('DELETE', '/files/d?recursive=true')
    expect(paths((await json('GET', '/files?recursive=true')).body)).toEqual(['a.txt', 'd-1.txt'])
    expect(paths((await json('GET', '/files?recursive=true&as_of=3')).body)).toEqual([
      'a.txt',
      'd',
      'd/b.txt',
      'd/e',
      'd/e/c.txt',
    ])
    expect(paths((await json('GET', '/files/d/?as_of=4')).body)).toEqual(['d/b.txt', 'd/e'])
    const { body } = await json('GET', '/files?recursive=true&as_of=4&limit=3')
    expect(paths(body)).toEqual(['a.txt', 'd', 'd-1.txt'])
    const next = await json('GET', `/files?recursive=true&as_of=4&limit=3&cursor=${body.next_cursor}`)
    expect(paths(next.body)).toEqual(['d/b.txt', 'd/e', 'd/e/c.txt'])
  })

  it('is deleted with its files on request only, and the root and the environment never', async () => {
    const { json } = await filled()
    expect(await json('DELETE', '/files/d')).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/recursive=true/) },
    })
    expect((await json('DELETE', '/files/d?recursive=true')).status).toBe(204)
    expect((await json('DELETE', '/files/none')).status).toBe(404)
    expect((await json('DELETE', '/files/.?recursive=true')).status).toBeGreaterThanOrEqual(400)
    expect((await json('DELETE', '/files/a%2F..?recursive=true')).status).toBe(400)
    expect((await json('DELETE', '/files/code_env?recursive=true')).status).toBe(403)
  })

  it('that is a file is said to be none, and one that is missing is not found', async () => {
    const { json } = await filled()
    expect((await json('GET', '/files/a.txt/')).status).toBe(400)
    expect((await json('GET', '/files/none/')).status).toBe(404)
  })
})
