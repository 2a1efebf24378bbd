import { beforeEach, describe, expect, it } from 'vitest'
import { FakeServer } from './fake-server.ts'

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
})

async function task(id: string, files: Record<string, string> = {}) {
  await server.create(id)
  for (const [path, text] of Object.entries(files)) server.tasks.get(id)?.files.set(path, text)
}

describe('downloading a file', () => {
  it('sends its bytes as an attachment that a browser does not open', async () => {
    await task('t', { 'upload/a.html': '<b>hi</b>' })
    const response = await server.request('/api/download/t/upload/a.html')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('<b>hi</b>')
    expect(response.headers.get('Content-Type')).toBe('application/octet-stream')
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="a.html"')
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
  })

  it.each([
    ['论文.pdf', `attachment; filename="__.pdf"; filename*=UTF-8''%E8%AE%BA%E6%96%87.pdf`],
    ['it\'s "x".txt', `attachment; filename="it's _x_.txt"; filename*=UTF-8''it%27s%20%22x%22.txt`],
    ['a\r\nX: y', `attachment; filename="a__X: y"; filename*=UTF-8''a%0D%0AX%3A%20y`],
  ])('names %j so that every client understands', async (name, header) => {
    await task('t', { [name]: 'x' })
    const response = await server.request(`/api/download/t/${encodeURIComponent(name)}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Disposition')).toBe(header)
  })

  it.each([
    ['/abs/path', '/api/download//abs/path/upload/a', 'upload/a'],
    ['/abs/path', '/api/download/%2Fabs%2Fpath/upload/a', 'upload/a'],
    ['a/b', '/api/download/a/b/c', 'c'],
    ['a/b', '/api/download/a%2Fb/c%20d', 'c d'],
  ])('finds the file of the task %s at %s', async (id, url, path) => {
    await task(id, { [path]: 'here' })
    expect(await (await server.request(url)).text()).toBe('here')
  })

  it('takes the shortest id when two tasks fit', async () => {
    await task('a', { 'b/c': 'of a' })
    await task('a/b', { c: 'of a/b' })
    expect(await (await server.request('/api/download/a/b/c')).text()).toBe('of a')
    expect(await (await server.request('/api/download/a%2Fb/c')).text()).toBe('of a/b')
  })

  it.each([
    ['/api/download/t/none.txt', 404, 'File not found: none.txt'],
    ['/api/download/t/upload', 400, 'Cannot download directory: upload'],
    ['/api/download/t/..%2F..%2Fetc%2Fpasswd', 403, 'Access denied: file outside task directory'],
    ['/api/download/t/upload%2F..%2F..%2Fx', 403, 'Access denied: file outside task directory'],
    ['/api/download/nobody/a', 404, 'Task nobody not found'],
    [`/api/download/${'x/'.repeat(40)}y`, 404, 'Task x not found'],
  ])('%s is answered %d, %s', async (url, status, detail) => {
    await task('t')
    expect(await server.json(url)).toEqual({ status, body: { detail } })
  })

  it('answers HEAD without the bytes', async () => {
    await task('t', { a: 'x' })
    const response = await server.request('/api/download/t/a', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })
})
