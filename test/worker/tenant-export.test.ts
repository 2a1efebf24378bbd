import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { MAX_INLINE_BLOB_BYTES } from '../../src/core/limits/workspace.ts'
import { readTar } from '../../src/core/tar.ts'
import { createServer } from '../../src/server.ts'
import { migrateAll } from '../support/all-databases.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const { OPEN_TENANT: _, ...closed } = env
const server = createServer({
  ...closed,
  ENVIRONMENT: 'production',
  ADMIN_TOKEN: TOKEN,
  SECRETS_KEY: 'a key for secrets, of the tests alone',
})

beforeAll(() => migrateAll(env.DB))

const send = (key: string, method: string, path: string, body?: unknown) =>
  server.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )

/** A request that must be carried out. */
async function done(key: string, method: string, path: string, body?: unknown) {
  const answer = await send(key, method, path, body)
  const text = await answer.text()
  expect({ status: answer.status, text }, `${method} ${path}`).toMatchObject({
    status: expect.toSatisfy((status) => status < 300),
  })
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
}

const TOOL = {
  name: 'Some tool',
  description: 'Does something.',
  input_schema: { type: 'object' },
  executor: { kind: 'http', target: 'https://service.example/do' },
}
const DEFAULTS = { lifetime_seconds: null, idle_lifetime_seconds: 86_400 }
/** Text of a file that goes to the store of objects at once. */
const LARGE = 'large '.padEnd(MAX_INLINE_BLOB_BYTES + 1)

async function aTenant() {
  const id = String((await done(TOKEN, 'POST', '/admin/tenants', { name: 'To be kept' })).id)
  const made = await done(TOKEN, 'POST', `/admin/tenants/${id}/keys`, { name: 'n', scopes: ['admin'] })
  const key = String(made.key)
  await done(TOKEN, 'PUT', `/admin/tenants/${id}/session-defaults`, DEFAULTS)
  await done(key, 'POST', '/v1/keys/current/children', { name: 'child' })
  await done(key, 'PUT', '/v1/tools/registered/mine', TOOL)
  await done(key, 'PUT', '/v1/tools/registered/mine', { ...TOOL, description: 'Does something else.' })
  for (const name of ['one', 'two']) {
    await done(key, 'POST', '/v1/sessions', {
      name,
      labels: { of: name },
      files: [
        { path: 'a.txt', text: `first of ${name}` },
        { path: 'deep/large.txt', text: LARGE },
      ],
    })
  }
  await done(key, 'PUT', '/v1/sessions/one/snapshots/start', {})
  await done(key, 'POST', '/v1/sessions/one/calls', {
    tool: 'file_write',
    arguments: { path: 'a.txt', content: 'second of one' },
  })
  return { id, key }
}

const exportOf = (id: string, key = TOKEN, method = 'GET') => send(key, method, `/admin/tenants/${id}/export`)

/** Files of an archive, below the directory of its tenant. */
async function unpacked(answer: Response, id: string) {
  expect(answer.status).toBe(200)
  const files = new Map<string, string>()
  await readTar(answer.body as ReadableStream<Uint8Array>, async ({ name, isFile, content }) => {
    const path = new TextDecoder().decode(name)
    expect(path.startsWith(`${id}/`)).toBe(true)
    if (isFile) files.set(path.slice(id.length + 1), new TextDecoder().decode(await content.bytes()))
  })
  const lines = (directory: string) =>
    [...files]
      .filter(([path]) => path.startsWith(`${directory}/`))
      .flatMap(([, text]) => text.trimEnd().split('\n'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { files, lines, json: (path: string) => JSON.parse(files.get(path) ?? '') as Record<string, unknown> }
}

it('an export has all of a tenant but the texts of its keys, and ends with its manifest', async () => {
  const { id, key } = await aTenant()
  const answer = await exportOf(id)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/x-tar',
    'content-disposition': `attachment; filename="${id}.tar"`,
    'cache-control': 'no-store',
  })
  const { files, lines, json } = await unpacked(answer, id)
  expect(json('tenant.json')).toMatchObject({
    id,
    name: 'To be kept',
    limits: { rules: [] },
    session_defaults: DEFAULTS,
  })
  expect(lines('keys')).toMatchObject([{ tenant: id, name: 'n', scopes: ['admin'] }])
  expect(lines('child-keys')).toMatchObject([{ name: 'child' }])
  expect(lines('tools')).toMatchObject([
    { id: 'mine', version: 1, stable: false, definition: { executor: TOOL.executor } },
    { id: 'mine', version: 2, stable: true, definition: { description: 'Does something else.' } },
  ])
  // The export is in the log that it has.
  expect(lines('audit').at(-1)).toMatchObject({ action: 'tenant.export', key: null, decision: 'done' })

  const [one, two] = ['sessions/000001-one', 'sessions/000002-two']
  expect(json(`${one}/session.json`)).toMatchObject({ name: 'one', labels: { of: 'one' }, as_of: 2 })
  expect(files.get(`${one}/files/a.txt`)).toBe('second of one')
  expect(files.get(`${two}/files/a.txt`)).toBe('first of two')
  expect(files.get(`${two}/files/deep/large.txt`)).toBe(LARGE)
  expect(lines(`${one}/snapshots`)).toMatchObject([{ name: 'start', commit: 1 }])
  expect(lines(`${one}/calls`)).toMatchObject([{ tool: 'file_write', state: 'done' }])
  expect(lines(`${one}/commits`)).toHaveLength(2)
  const change = lines(`${one}/changes`).find(({ commit }) => commit === 2)
  const { before } = change as { readonly before: { readonly sha256: string } }
  expect(files.get(`${one}/contents/${before.sha256}`)).toBe('first of one')

  expect([...files.keys()].at(-1)).toBe('manifest.json')
  expect(json('manifest.json')).toMatchObject({ tenant: id, sessions: 2, files: files.size - 1 })
  const all = [...files.values()].join('\n')
  expect(all).not.toContain(key)
})

it('a server that needs no keys exports its open tenant, and has it among those with use', async () => {
  const id = `laptop-${crypto.randomUUID().slice(0, 8)}`
  const open = createServer({ ...closed, OPEN_TENANT: id, ADMIN_TOKEN: TOKEN })
  const ask = (method: string, path: string, { body, by }: { readonly body?: object; readonly by?: string } = {}) =>
    open.fetch(
      new Request(`http://localhost${path}`, {
        method,
        ...(by !== undefined && { headers: { Authorization: `Bearer ${by}` } }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  const files = [{ path: 'a.txt', text: 'hello' }]
  expect((await ask('POST', '/v1/sessions', { body: { name: 'one', files } })).status).toBe(201)
  expect((await ask('POST', '/v1/keys/current/children', { body: { name: 'child' } })).status).toBe(201)
  const archive = await unpacked(await ask('GET', `/admin/tenants/${id}/export`, { by: TOKEN }), id)
  expect(archive.json('tenant.json')).toMatchObject({ id, created_at: null, disabled: false })
  expect(archive.lines('child-keys')).toMatchObject([{ name: 'child' }])
  expect(archive.files.get('sessions/000001-one/files/a.txt')).toBe('hello')
  // The cursor of whatever tenant comes before it.
  const used = await ask('GET', `/admin/usage?limit=1&cursor=${id.slice(0, -1)}`, { by: TOKEN })
  expect(await used.json()).toMatchObject({ data: [{ tenant: id, use: { calls: 0 } }] })
  for (const other of ['nobody-at-all', `${id}x`]) {
    expect((await ask('GET', `/admin/tenants/${other}/export`, { by: TOKEN })).status).toBe(404)
  }
  expect((await exportOf(id)).status).toBe(404)
})

it('a disabled tenant is exported; a deleted one, one that never was, and other callers are refused', async () => {
  const { id, key } = await aTenant()
  expect((await exportOf(id, key)).status).toBe(403)
  expect((await exportOf('nobody-at-all')).status).toBe(404)
  const head = await exportOf(id, TOKEN, 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
  await done(TOKEN, 'PATCH', `/admin/tenants/${id}`, { disabled: true })
  const { files, lines } = await unpacked(await exportOf(id), id)
  expect(files.get('sessions/000001-one/files/a.txt')).toBe('second of one')
  expect(lines('audit').filter(({ action }) => action === 'tenant.export')).toHaveLength(1)
  await done(TOKEN, 'DELETE', `/admin/tenants/${id}`)
  const gone = await exportOf(id)
  expect([gone.status, await gone.json()]).toMatchObject([404, { detail: expect.stringContaining('was deleted') }])
})
