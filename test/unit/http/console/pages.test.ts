import { expect, it } from 'vitest'
import { consoleDialect } from '../../../../src/http/dialects/console/routes.ts'

const FILES: Readonly<Record<string, string>> = {
  '/console/': '<!doctype html>the page',
  '/console/assets/main-AB12.js': 'script()',
}

/** The dialect over these files, without a caller. */
function open(files = FILES) {
  const requested: string[] = []
  const { app, owns } = consoleDialect({
    sessions: {
      signIn: () => Promise.reject(new Error('nobody signs in here')),
      signInOpen: () => Promise.reject(new Error('nobody signs in here')),
      end: async () => false,
    },
    clock: { now: () => 0 },
    readPage: async (path, headers) => {
      requested.push(path)
      const text = files[path]
      if (text === undefined) return new Response('gone', { status: 404 })
      if (headers.get('If-None-Match') === `"${text.length}"`) return new Response(null, { status: 304 })
      return new Response(text, { headers: { ETag: `"${text.length}"`, 'Content-Type': 'text/html' } })
    },
  })
  const scope = { requestId: 'r', caller: { failure: { code: 'unauthenticated' as const, message: 'no key' } } }
  const get = (path: string, init: RequestInit = {}) => app.fetch(new Request(`http://localhost${path}`, init), scope)
  return { get, owns, requested }
}

it.each([
  '/console/',
  '/console/sessions/a%2Fb/calls?state=failed',
  '/console/sign-in',
  '/console/sessions/x/files/a.js',
])('serves the page to whoever comes, at any of its own paths: %s', async (path) => {
  const answer = await open().get(path)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('the page')
  expect(answer.headers.get('Cache-Control')).toBe('no-cache')
})

it('lets nothing but its own scripts run, under each of its answers', async () => {
  for (const path of ['/console/', '/console/any', '/console/assets/main-AB12.js']) {
    const policy = String((await open().get(path)).headers.get('Content-Security-Policy'))
    expect(policy).toContain("default-src 'none'; script-src http://localhost/console/assets/; style-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy.replace('http://localhost/console/assets/', '')).not.toMatch(/unsafe|https?:|\*/)
  }
})

it('has its hashed files kept for good, and a missing one is no page', async () => {
  const { get } = open()
  const found = await get('/console/assets/main-AB12.js')
  expect(found.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  const missing = await get('/console/assets/main-OLD.js')
  expect(missing.status).toBe(404)
  expect(missing.headers.get('Cache-Control')).toBe('no-store')
  expect(await missing.text()).not.toContain('the page')
})

it('answers 304 to a browser that has the page', async () => {
  const { get } = open()
  const tag = String((await get('/console/deep/link')).headers.get('ETag'))
  expect((await get('/console/deep/link', { headers: { 'If-None-Match': tag } })).status).toBe(304)
})

it('leads /console to /console/, has no other methods, and says so where it is not built', async () => {
  const { get } = open()
  const moved = await get('/console')
  expect([moved.status, moved.headers.get('Location')]).toEqual([308, '/console/'])
  expect((await get('/console/sessions', { method: 'POST' })).status).toBe(405)
  const missing = await open({}).get('/console/')
  expect(missing.status).toBe(404)
  expect(await missing.json()).toMatchObject({ detail: expect.stringContaining('not built') })
})

it('owns its own paths alone', () => {
  const { owns } = open()
  const headers = new Headers()
  expect(['/console', '/console/', '/console/a'].map((path) => owns(path, headers))).toEqual([true, true, true])
  expect(['/', '/consoles', '/v1/console'].map((path) => owns(path, headers))).toEqual([false, false, false])
})
