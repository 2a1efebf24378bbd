import { describe, expect, it } from 'vitest'
import { newKey } from '../../../src/auth/key.ts'
import { receive } from '../../../src/http/authenticate.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'

const KEY = newKey().text
const OTHER = newKey().text

const received = (path: string, init?: RequestInit) => {
  const { credentials, request } = receive(new Request(`https://test${path}`, init))
  return { credentials, url: request.url.slice('https://test'.length), request }
}

describe('receive()', () => {
  it.each([
    ['Authorization', `Bearer ${KEY}`],
    ['Authorization', `bearer   ${KEY}`],
    ['X-API-Key', KEY],
    ['x-api-key', ` ${KEY} `],
  ])('finds the key in %s: %s', (name, value) => {
    expect(received('/x', { headers: { [name]: value } }).credentials).toEqual([KEY])
  })

  it('finds none where none was sent', () => {
    expect(received('/x?key=1').credentials).toEqual([])
  })

  it.each(['Basic dXNlcjpwYXNz', KEY, 'Bearer', 'Bearer ', ''])(
    'counts Authorization: %j as a key that is no good',
    (value) => {
      expect(received('/x', { headers: { Authorization: value } }).credentials).toEqual([''])
    },
  )

  it('finds all keys that were sent, also those that agree', () => {
    const headers = { Authorization: `Bearer ${KEY}`, 'X-API-Key': OTHER }
    expect(received(`/k/${KEY}/x`, { headers }).credentials).toEqual([KEY, OTHER, KEY])
  })

  it.each([
    [`/k/${KEY}/api/tools`, '/api/tools'],
    [`/k/${KEY}`, '/'],
    [`/k/${KEY}/`, '/'],
    [`/k/${KEY}?a=1`, '/?a=1'],
    [`/k/${KEY}/a/b?x=/k/y&z=%2Fk%2F1`, '/a/b?x=/k/y&z=%2Fk%2F1'],
    [`//k//${KEY}//api/tools`, '/api/tools'],
    [`/k/${KEY}///example.com/x`, '/example.com/x'],
    [`/%6b/${KEY}/api`, '/api'],
    [`/%6B/${KEY.replaceAll('_', '%5F')}/api`, '/api'],
    [`/./k/./${KEY}/./api`, '/api'],
    [`/x/../k/${KEY}/api`, '/api'],
    [`/k/${KEY}/api/download/t/a%2Fb%20c%00.txt`, '/api/download/t/a%2Fb%20c%00.txt'],
  ])('cuts the key out of %s', (path, rest) => {
    const { credentials, url } = received(path)
    expect(credentials).toEqual([KEY])
    expect(url).toBe(rest)
  })

  it('cuts out every key that stands before the path', () => {
    expect(received(`/k/${KEY}/k/${OTHER}/api`)).toMatchObject({ credentials: [KEY, OTHER], url: '/api' })
  })

  it.each(['/k/not-a-key/api', '/k/%ff%fe/api', '/k/%/api'])('counts what stands in %s as a key', (path) => {
    const { credentials, url } = received(path)
    expect(credentials).toHaveLength(1)
    expect(url).toBe('/api')
  })

  it.each(['/k', '/k/', '//k//', '/api/k/x', '/kk/x', '/K/x'])('leaves %s as it is', (path) => {
    expect(received(path)).toMatchObject({ credentials: [], url: path })
  })

  it('keeps the method, the headers and the body, and drops a Referer with the key', async () => {
    const { request } = received(`/k/${KEY}/api`, {
      method: 'POST',
      body: 'ö',
      headers: { 'X-Other': 'y', Referer: `https://test/k/${KEY}/page` },
    })
    expect(request.method).toBe('POST')
    expect(request.headers.get('X-Other')).toBe('y')
    expect(await request.text()).toBe('ö')
    expect(JSON.stringify([request.url, ...request.headers])).not.toContain(KEY)
  })

  it('cuts a path of ten thousand prefixes in time', async () => {
    const { credentials } = await expectCost(() => received(`${'/k/x'.repeat(10_000)}/api`), {
      below: () => 60 * plainPassMs(40_000),
    })
    expect(credentials).toHaveLength(10_000)
  })
})
