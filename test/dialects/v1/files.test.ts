import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { MAX_BODY_BYTES } from '../../../src/core/limits/requests.ts'
import { zipBytes } from '../../support/archives.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { newTenant } from '../../support/tenants.ts'

const toolyard = runningToolyard(async () => ({}))

async function newSession(name: string) {
  const { key } = await newTenant(toolyard())
  const url = `${toolyard().url}/v1/sessions/${encodeURIComponent(name)}`
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(path.startsWith('/') ? `${url}${path}` : path, {
      ...init,
      headers: { ...(key && { Authorization: `Bearer ${key}` }), ...init.headers },
    })
  const made = await fetch(`${toolyard().url}/api/task/create?task_id=${encodeURIComponent(name)}&task_name=x`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
  })
  expect(made.status).toBe(200)
  return { key, url, ask }
}

/** Different at each place, so that a lost or swapped piece shows. */
function largeContent(size: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(size / 4)
  for (let at = 0; at < words.length; at++) words[at] = Math.imul(at, 2_654_435_761)
  return new Uint8Array(words.buffer)
}

it('a file larger than a body that is held in memory passes through whole, and comes back in parts', async () => {
  const { ask } = await newSession('a/b')
  const content = largeContent(MAX_BODY_BYTES + 4 * 1024 * 1024)
  const etag = `"${createHash('sha256').update(content).digest('hex')}"`
  const put = await ask('/files/d/large.bin', { method: 'PUT', body: content })
  expect([put.status, put.headers.get('ETag')]).toEqual([201, etag])
  const got = await ask('/files/d%2Flarge.bin')
  expect(got.headers.get('Content-Length')).toBe(String(content.length))
  expect(
    createHash('sha256')
      .update(Buffer.from(await got.arrayBuffer()))
      .digest('hex'),
  ).toBe(etag.slice(1, -1))
  const part = await ask('/files/d/large.bin', { headers: { Range: 'bytes=20000001-20000010' } })
  expect([part.status, part.headers.get('Content-Length')]).toEqual([206, '10'])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(Buffer.from(content.subarray(20_000_001, 20_000_011)))
  const head = await ask('/files/d/large.bin', { method: 'HEAD' })
  expect([head.status, head.headers.get('ETag'), head.headers.get('Content-Length')]).toEqual([
    200,
    etag,
    String(content.length),
  ])
  expect((await ask('/files/d/large.bin', { headers: { 'If-None-Match': etag } })).status).toBe(304)
})

it('a path that ends with a slash is that of a directory, written as %2F too', async () => {
  const { ask } = await newSession('s')
  await ask('/files/d/a.json', { method: 'PUT', body: '{"data": "mine"}' })
  const [plain, encoded] = await Promise.all(['/files/d/', '/files/d%2F'].map((path) => ask(path)))
  expect([await plain?.json(), plain?.status]).toEqual([await encoded?.json(), encoded?.status])
  for (const path of ['/files/d/a.json/', '/files/d%2Fa.json%2F']) {
    expect([path, (await ask(path)).ok]).toEqual([path, false])
    expect([path, (await ask(path, { method: 'PUT', body: 'x' })).status]).toEqual([path, 400])
  }
})

it('a large file that cannot be stored is refused with what to do, although it was not read', async () => {
  const { ask } = await newSession('s')
  expect((await ask('/files/a.bin', { method: 'PUT', body: 'x' })).status).toBe(201)
  const body = new Uint8Array(MAX_BODY_BYTES)
  const refused = await ask('/files/a.bin', { method: 'PUT', body, headers: { 'If-None-Match': '*' } })
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([412, 'precondition_failed'])
  expect((await ask('/files/a.bin/b', { method: 'PUT', body })).status).toBe(409)
})

it('an upload that is cut off leaves nothing, and holds neither calls nor the removal of its session', async () => {
  const { ask, key, url } = await newSession('s')
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(
    `PUT ${pathname}/files/slow.bin HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${MAX_BODY_BYTES}\r\n\r\n`,
  )
  socket.write(new Uint8Array(2 * 1024 * 1024))
  expect((await ask('/files/b.txt', { method: 'PUT', body: '1' })).status).toBe(201)
  expect((await ask('/files/slow.bin', { method: 'HEAD' })).status).toBe(404)
  const removed = await fetch(`${toolyard().url}/api/task/s`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${key}` },
  })
  expect(removed.status).toBe(200)
  socket.destroy()
  expect((await ask('/files')).status).toBe(404)
})

it('a signed link downloads and uploads without a key until its key is revoked or its session is deleted', async () => {
  const { ask, key, url } = await newSession('a/b')
  await ask('/files/a.txt', { method: 'PUT', body: 'hello' })
  const link = async (body: object) => {
    const made = await ask('/links', { method: 'POST', body: JSON.stringify(body) })
    return `${toolyard().url}${((await made.json()) as { url: string }).url}`
  }
  const [down, up] = [
    await link({ path: 'a.txt', method: 'download' }),
    await link({ path: 'b.txt', method: 'upload' }),
  ]
  const got = await fetch(down)
  expect([await got.text(), got.headers.get('Referrer-Policy')]).toEqual(['hello', 'no-referrer'])
  expect((await fetch(up, { method: 'PUT', body: largeContent(4 * 1024 * 1024) })).status).toBe(201)
  // Who has a key of the tenant besides is not kept waiting for its own turn.
  expect((await fetch(down, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200)
  expect((await ask('/files/b.txt', { method: 'HEAD' })).headers.get('Content-Length')).toBe(String(4 * 1024 * 1024))
  const task = `${toolyard().url}/api/task/${encodeURIComponent('a/b')}`
  expect((await fetch(task, { method: 'DELETE', headers: { Authorization: `Bearer ${key}` } })).status).toBe(200)
  expect([(await fetch(down)).status, (await fetch(up, { method: 'PUT', body: 'x' })).status, url.length > 0]).toEqual([
    410,
    410,
    true,
  ])
})

it('an archive of two thousand files is one commit, and goes out and comes in again', async () => {
  const { ask } = await newSession('s')
  const body = zipBytes(
    Array.from({ length: 2_000 }, (_, at) => ({ name: `d${at % 90}/${at}.txt`, content: `${at}`, method: 0 })),
  )
  const unpacked = await ask('/archive?path=in', { method: 'PUT', body })
  expect([unpacked.status, await unpacked.json()]).toMatchObject([200, { files: 2_000 }])
  const packed = await ask('/archive?path=in&format=tar.gz')
  const again = await ask('/archive?path=again', { method: 'PUT', body: await packed.arrayBuffer() })
  expect(await again.json()).toMatchObject({ files: 2_000 })
  const { data } = (await (await ask('/history?limit=2')).json()) as { data: unknown }
  const commit = { author: expect.stringMatching(/^unpack:/), changed: 2_091 }
  expect(data).toMatchObject([commit, commit])
})
