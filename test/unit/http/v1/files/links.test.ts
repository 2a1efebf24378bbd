import { afterEach, describe, expect, it, vi } from 'vitest'
import { LinkSigner } from '../../../../../src/auth/link-signer.ts'
import { createIsKeyAlive } from '../../../../../src/auth/living-key.ts'
import { tenantId } from '../../../../../src/core/ids.ts'
import { MAX_LINK_SECONDS, MAX_LINKS } from '../../../../../src/core/limits/files.ts'
import type { StoredKey } from '../../../../../src/ports/keys.ts'
import { openFiles } from './open-files.ts'

afterEach(() => {
  vi.useRealTimers()
})

async function linked(body: object = {}) {
  const opened = openFiles()
  await opened.put('a.html', '<p>hello')
  const link = { path: 'a.html', method: 'download', ...body }
  const { status, body: made } = await opened.json('POST', '/links', { body: link })
  expect(status).toBe(201)
  return { ...opened, made, url: String(made.url) }
}

const code = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code]

describe('a link', () => {
  it('downloads its file without a key, as an attachment that nobody keeps', async () => {
    const { open, made, url, state } = await linked({ expires_in_seconds: 60 })
    expect(made).toMatchObject({ id: expect.stringMatching(/^lnk_[0-9a-f]{32}$/), path: 'a.html', max_bytes: null })
    expect(Date.parse(String(made.expires_at)) - Date.parse(String(made.created_at))).toBe(60_000)
    const answer = await open('GET', url)
    expect(await answer.text()).toBe('<p>hello')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="a.html"',
      'x-content-type-options': 'nosniff',
    })
    expect((await open('GET', url, { headers: { Range: 'bytes=0-0' } })).status).toBe(206)
    expect([(await open('HEAD', url)).status, state.released]).toEqual([200, 3])
  })

  it('uploads its file without a key, up to its size, as a commit that names the link', async () => {
    const { open, made, url, json, send } = await linked({ method: 'upload', path: 'in/new.txt', max_bytes: 5 })
    expect(await code(await open('PUT', url, { body: '123456' }))).toEqual([413, 'limit_exceeded'])
    expect(await code(await open('PUT', url, { body: '1', headers: { 'Content-Length': '6' } }))).toEqual([
      413,
      'limit_exceeded',
    ])
    expect((await open('PUT', url, { body: '12345' })).status).toBe(201)
    expect((await open('PUT', url, { body: '123' })).status).toBe(200)
    expect(await (await send('GET', '/files/in/new.txt')).text()).toBe('123')
    expect((await json('GET', '/history?limit=1')).body.data).toMatchObject([{ author: `link:${made.id}` }])
  })

  it('for an upload tells nothing of the content that is there', async () => {
    const { open, url, put } = await linked({ method: 'upload' })
    const etag = await put('a.html', 'a secret of few letters')
    const tag = `"${'0'.repeat(64)}"`
    const refused = await open('PUT', url, { body: 'x', headers: { 'If-Match': tag } })
    expect([refused.status, refused.headers.get('ETag')]).toEqual([412, null])
    expect(await refused.text()).not.toContain(etag.slice(1, -1))
  })

  it('allows its own method alone', async () => {
    const down = await linked()
    expect((await down.open('PUT', down.url, { body: 'x' })).status).toBe(405)
    expect((await down.open('DELETE', down.url)).status).toBe(405)
    const up = await linked({ method: 'upload' })
    const refused = await up.open('GET', up.url)
    expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'PUT'])
    expect((await up.open('HEAD', up.url)).status).toBe(405)
  })

  it('is gone when it has expired, was revoked, when its key is revoked, and when its file is no file', async () => {
    const { open, url, made, json, state } = await linked({ expires_in_seconds: 60 })
    state.isKeyAlive = false
    expect(await code(await open('GET', url))).toEqual([410, 'gone'])
    state.isKeyAlive = true
    expect((await open('GET', url)).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(await code(await open('GET', url))).toEqual([410, 'gone'])
    expect((await json('GET', '/links')).body).toEqual({ data: [], next_cursor: null })
    vi.useRealTimers()
    expect(await json('DELETE', `/links/${made.id}`)).toEqual({ status: 204, body: {} })
    expect((await json('DELETE', `/links/${made.id}`)).status).toBe(404)
    expect(await code(await open('GET', url))).toEqual([410, 'gone'])
  })

  it('is looked at alone, without its URL, where its Location says', async () => {
    const { made, json } = await linked()
    const { url: _, ...listed } = made
    expect(await json('GET', `/links/${made.id}`)).toEqual({ status: 200, body: listed })
    expect((await json('GET', '/links/lnk_none')).status).toBe(404)
  })

  it('is listed in pages, and a cursor goes on holding when its link is revoked', async () => {
    const { made, json } = await linked()
    const ids = [made.id]
    for (const path of ['b', 'c'])
      ids.push((await json('POST', '/links', { body: { path, method: 'upload' } })).body.id)
    const first = (await json('GET', '/links?limit=2')).body as { data: { id: string }[]; next_cursor: string }
    const [, second] = first.data
    await json('DELETE', `/links/${second?.id}`)
    const rest = (await json('GET', `/links?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)).body
    expect(rest).toMatchObject({ data: [{ id: expect.any(String) }], next_cursor: null })
    expect([...first.data, ...(rest.data as { id: string }[])].map(({ id }) => id).sort()).toEqual(ids.sort())
  })

  it('is listed without its URL, and revoked with all others of its session', async () => {
    const { open, url, made, json } = await linked()
    const { url: _, ...listed } = made
    expect((await json('GET', '/links')).body).toEqual({ data: [listed], next_cursor: null })
    await json('POST', '/links', { body: { path: 'b', method: 'upload' } })
    expect(await json('DELETE', '/links')).toEqual({ status: 204, body: {} })
    expect((await json('GET', '/links')).body).toEqual({ data: [], next_cursor: null })
    expect((await open('GET', url)).status).toBe(410)
  })

  it('cannot be changed in any part, or be made without the key of the server', async () => {
    const { open, url } = await linked()
    const [, , , token = ''] = url.split('/')
    const [body = '', tag = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as unknown[]
    const changed = (at: number, value: unknown) =>
      `${Buffer.from(JSON.stringify(claims.with(at, value))).toString('base64url')}.${tag}`
    const foreign = await new LinkSigner('another key').sign({
      ...{ id: String(claims[0]), tenant: 'acme', session: 's', path: 'a.html', method: 'download' as const },
      ...{ maxBytes: null, key: 'k', expiresAt: Date.now() + 1_000 },
    })
    const forged = [
      ...claims.map((_, at) => changed(at, at === 7 ? 9e15 : 'x')),
      `${body}.${tag.slice(1)}A`,
      `${body}.`,
      body,
      `${body}x.${tag}`,
      '.',
      'x'.repeat(20_000),
      foreign,
    ]
    for (const text of forged) expect(await code(await open('GET', `/v1/links/${text}`))).toEqual([404, 'not_found'])
    expect((await open('GET', url)).status).toBe(200)
  })

  it.each([
    [{ path: '../x' }, 400],
    [{ path: '' }, 400],
    [{ path: '.' }, 400],
    [{ path: 'none.txt' }, 404],
    [{ method: 'delete' }, 400],
    [{ expires_in_seconds: MAX_LINK_SECONDS + 1 }, 400],
    [{ expires_in_seconds: 0 }, 400],
    [{ max_bytes: 5 }, 400],
    [{ method: 'upload', max_bytes: 0 }, 400],
    [{ foo: 1 }, 400],
  ])('is not made for what it cannot be: %o', async (body, status) => {
    const { json, put } = openFiles()
    await put('a.html', 'x')
    expect((await json('POST', '/links', { body: { path: 'a.html', method: 'download', ...body } })).status).toBe(
      status,
    )
  })

  it('allows no more than its maker may: a key that reads makes none for an upload', async () => {
    const { json, put } = openFiles()
    await put('a.html', 'x')
    const make = (method: string) => json('POST', '/links', { body: { path: 'a.html', method }, scopes: ['read'] })
    expect((await make('upload')).status).toBe(403)
    expect((await make('download')).status).toBe(201)
  })

  it('of a child key ends with that key at the latest', async () => {
    const { json, put } = openFiles()
    await put('a.html', 'x')
    const keyExpiresAt = Date.now() + 30_000
    const make = (at: number) =>
      json('POST', '/links', {
        body: { path: 'a.html', method: 'download', expires_in_seconds: 3_600 },
        keyExpiresAt: at,
      })
    const life = ({ body }: Awaited<ReturnType<typeof make>>) =>
      Date.parse(String(body.expires_at)) - Date.parse(String(body.created_at))
    expect(life(await make(keyExpiresAt))).toBeLessThanOrEqual(30_000)
    expect(life(await make(keyExpiresAt + 86_400_000))).toBe(3_600_000)
  })

  it('is one of a bounded number in its session', async () => {
    const { session, put, json } = openFiles()
    await put('a.html', 'x')
    const link = {
      path: 'a.html',
      method: 'download',
      maxBytes: null,
      key: null,
      lifeMs: 60_000,
    } as const
    for (let made = 0; made < MAX_LINKS; made++) await session.links.make(link)
    expect((await json('POST', '/links', { body: { path: 'a.html', method: 'download' } })).body).toMatchObject({
      detail: expect.stringMatching(/MAX_LINKS/),
    })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect((await json('POST', '/links', { body: { path: 'a.html', method: 'download' } })).status).toBe(201)
  })
})

it('what a key made ends with it: revoked, expired, of a tenant that is disabled, or of another one', async () => {
  const alive: StoredKey = {
    ...{ id: 'k', tenant: tenantId('acme'), hash: new Uint8Array(32), scopes: ['read'] as const },
    ...{ expiresAt: 2_000, revokedAt: null, tenantDisabledAt: null, revokedChildren: ['k.x'] },
    ...{ firstHash: new Uint8Array(32), old: null, addresses: [] },
  }
  const judge = (key: StoredKey | null, openTenant = null as ReturnType<typeof tenantId> | null) =>
    createIsKeyAlive({ keys: { find: async () => key }, clock: { now: () => 1_000 }, openTenant })
  expect(await judge(alive)('acme', 'k', 'read')).toBe(true)
  expect(await judge(alive)('acme', 'k', 'execute')).toBe(false)
  expect(await judge(alive)('other', 'k', 'read')).toBe(false)
  expect(await judge(null)('acme', 'k', 'read')).toBe(false)
  expect(await judge({ ...alive, revokedAt: 1 })('acme', 'k', 'read')).toBe(false)
  expect(await judge({ ...alive, tenantDisabledAt: 1 })('acme', 'k', 'read')).toBe(false)
  expect(await judge({ ...alive, expiresAt: 1_000 })('acme', 'k', 'read')).toBe(false)
  expect(await judge(alive)('acme', 'k.y.z', 'read')).toBe(true)
  expect(await judge(alive)('acme', 'k.x', 'read')).toBe(false)
  expect(await judge(alive)('acme', 'k.x.z', 'read')).toBe(false)
  expect(await judge(null, tenantId('acme'))('acme', null, 'execute')).toBe(true)
  expect(await judge(null)('acme', null, 'read')).toBe(false)
})
