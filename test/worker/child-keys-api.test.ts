import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createServer } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const { OPEN_TENANT: _, ...closed } = env
const PRODUCTION = { ...closed, ENVIRONMENT: 'production', ADMIN_TOKEN: TOKEN }

type Answer = { readonly status: number; readonly body: Record<string, unknown> }

/** A server in an isolate of its own, as far as its cache of keys goes. */
const open = (settings: object = PRODUCTION) => {
  const server = createServer(settings)
  return async (key: string | null, method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await server.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: key === null ? {} : { Authorization: `Bearer ${key}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
}

const CHILDREN = '/v1/keys/current/children'
let ask: ReturnType<typeof open>
let root: string
let tenant: string

beforeAll(() => migrateKeys(env.DB))
beforeEach(async () => {
  ask = open()
  tenant = String((await ask(TOKEN, 'POST', '/admin/tenants', { name: 'T' })).body.id)
  root = String((await ask(TOKEN, 'POST', `/admin/tenants/${tenant}/keys`, { name: 'n', scopes: ['admin'] })).body.key)
  await ask(root, 'POST', '/v1/sessions', { name: 'mine' })
})

async function mint(by: string, body: object = {}) {
  const answer = await ask(by, 'POST', CHILDREN, body)
  expect(answer).toMatchObject({ status: 201 })
  return { key: String(answer.body.key), id: String(answer.body.id), body: answer.body }
}
const call = (key: string, tool: string, args: object, session = 'mine') =>
  ask(key, 'POST', `/v1/sessions/${session}/calls`, { tool, args })
const write = (key: string, path = 'a.txt') => call(key, 'file_write', { file_path: path, content: 'x' })
/** Has all sessions report what they have done: new limits do that. */
const report = () => ask(root, 'PUT', '/v1/limits', { rules: [] })
const exists = async (path: string) => (await call(root, 'file_info', { file_path: path })).body.state === 'done'

describe('GET /v1/keys/current', () => {
  it('says who a key is: tenant, scopes, expiry, the keys above it and what each link takes away', async () => {
    const own = await ask(root, 'GET', '/v1/keys/current')
    expect(own.body).toMatchObject({
      tenant,
      name: 'n',
      scopes: ['read', 'execute', 'admin'],
      parents: [],
      restrictions: [],
    })
    const a = await mint(root, { name: 'a', sessions: { names: ['mine'] }, budget: { calls: 5 } })
    const b = await mint(a.key, { name: 'b', scopes: ['read'], expires_in_seconds: 60 })
    const { body } = await ask(b.key, 'GET', '/v1/keys/current')
    expect(body).toMatchObject({
      ...{ tenant, id: b.id, name: 'b', scopes: ['read'], parents: [own.body.id, a.id] },
      restrictions: [
        { id: a.id, sessions: { names: ['mine'], prefixes: [] }, budget: { calls: 5, cost: null }, tools: null },
        { id: b.id, sessions: null, scopes: ['read'], used: { calls: 0, cost: 0 } },
      ],
      expires_at: b.body.expires_at,
    })
    expect(JSON.stringify(body)).not.toContain('tyc_')
  })
})

describe('minting', () => {
  it('refuses whatever would be stronger than the key that mints, with what that key may', async () => {
    const limits = {
      scopes: ['read', 'execute'],
      sessions: { names: ['mine'], prefixes: ['job-'] },
      tools: ['file_read'],
    }
    const { key } = await mint(root, { ...limits, expires_in_seconds: 600 })
    const refused: readonly [object, RegExp][] = [
      [{ scopes: ['admin'] }, /lacks the scope "admin"/],
      [{ sessions: { names: ['other'] } }, /may not use "other" itself/],
      [{ sessions: { names: ['min'] } }, /may not use "min"/],
      [{ sessions: { names: ['Mine'] } }, /may not use "Mine"/],
      [{ sessions: { prefixes: ['mine'] } }, /may not use all sessions that begin with "mine"/],
      [{ sessions: { prefixes: ['job'] } }, /may not use all sessions that begin with "job"/],
      [{ sessions: {} }, /give names, prefixes or both/],
      [{ sessions: { names: [] } }, /sessions/],
      [{ tools: ['execute_shell'] }, /may not call execute_shell itself/],
      [{ tools: ['FILE_READ'] }, /may not call FILE_READ itself/],
      [{ expires_in_seconds: 601 }, /this key itself expires in/],
      [{ expires_in_days: 1 }, /expires_in_days/],
      [{ budget: { call: 1 } }, /call/],
    ]
    for (const [body, why] of refused) {
      const answer = await ask(key, 'POST', CHILDREN, body)
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input', detail: expect.stringMatching(why) } })
    }
    const inner = await mint(key, { sessions: { prefixes: ['job-1-'] }, tools: ['file_read'] })
    expect(inner.body).toMatchObject({ sessions: { names: [], prefixes: ['job-1-'] } })
  })

  it('is for every scope, down to a depth, and ends no later than the key above', async () => {
    let { key, body } = await mint(root, { scopes: ['read'], expires_in_seconds: 300 })
    const first = body.expires_at
    for (let depth = 2; depth <= 8; depth++) ({ key, body } = await mint(key))
    expect(body.expires_at).toBe(first)
    expect(await ask(key, 'POST', CHILDREN, {})).toMatchObject({
      body: { code: 'limit_exceeded', detail: expect.stringContaining('MAX_CHILD_KEY_DEPTH') },
    })
  })

  it('is noted in the audit log with the chain, and so is what a child key does', async () => {
    const a = await mint(root, { name: 'a', tools: ['file_write'] })
    const b = await mint(a.key, { budget: { calls: 9 } })
    await write(b.key)
    await call(b.key, 'file_read', { file_path: 'a.txt' })
    await report()
    const server = createServer(PRODUCTION)
    const lines = async () => {
      const answer = await server.fetch(
        new Request('http://localhost/v1/audit', { headers: { Authorization: `Bearer ${root}` } }),
      )
      const text = new TextDecoder().decode(await answer.arrayBuffer())
      expect(text).not.toContain('tyc_')
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    }
    expect(await lines()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'key.child',
          subject: a.id,
          detail: expect.objectContaining({ tools: ['file_write'] }),
        }),
        expect.objectContaining({ action: 'key.child', subject: b.id, key: a.id }),
        expect.objectContaining({ action: 'tool.call', subject: 'file_write', key: b.id }),
        expect.objectContaining({ action: 'request.refused', subject: 'tool file_read', key: b.id }),
      ]),
    )
  })
})

describe('keys of the tenant', () => {
  it('are listed, made, shown and revoked by a key with the scope admin, as by the admin API', async () => {
    const made = await ask(root, 'POST', '/v1/keys', { name: 'w', scopes: ['read'], expires_in_days: 1 })
    expect(made).toMatchObject({ status: 201, body: { tenant, name: 'w', key: expect.stringMatching(/^ty_/) } })
    const id = String(made.body.id)
    const page = await ask(root, 'GET', '/v1/keys?limit=1')
    expect(page.body).toMatchObject({ data: [{ name: 'n' }], next_cursor: expect.any(String) })
    const rest = await ask(root, 'GET', `/v1/keys?limit=1&cursor=${page.body.next_cursor}`)
    expect(rest.body).toMatchObject({ data: [{ id, name: 'w' }], next_cursor: null })
    expect(await ask(root, 'GET', `/v1/keys/${id}`)).toMatchObject({ status: 200, body: { id, revoked_at: null } })
    expect(await ask(String(made.body.key), 'DELETE', `/v1/keys/${id}`)).toMatchObject({ status: 403 })
    expect(await ask(root, 'DELETE', `/v1/keys/${id}`)).toMatchObject({ body: { revoked_at: expect.any(String) } })
    expect(await ask(root, 'GET', '/v1/keys/000000000000')).toMatchObject({ status: 404 })
  })

  it('are not managed by a child key, whatever its scopes, nor made out of one', async () => {
    const { key } = await mint(root, { name: 'all' })
    expect((await ask(key, 'GET', '/v1/keys/current')).body.scopes).toContain('admin')
    const rootId = String((await ask(root, 'GET', '/v1/keys/current')).body.id)
    for (const [method, path, body] of [
      ['GET', '/v1/keys'],
      ['POST', '/v1/keys', { name: 'x', scopes: ['admin'] }],
      ['GET', `/v1/keys/${rootId}`],
      ['DELETE', `/v1/keys/${rootId}`],
      ['GET', `/admin/tenants/${tenant}/keys`],
      ['POST', `/admin/tenants/${tenant}/keys`, { name: 'x' }],
      ['DELETE', `/admin/tenants/${tenant}/keys/${rootId}`],
    ] as const) {
      expect(await ask(key, method, path, body), `${method} ${path}`).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('a child key manages no keys') },
      })
    }
    expect(await ask(key, 'PUT', '/v1/secrets/A', { value: 'v' })).not.toMatchObject({ status: 403 })
  })
})

describe('revoking a child key', () => {
  it('is for itself and for those above it; for others it is not there', async () => {
    const a = await mint(root)
    const b = await mint(a.key)
    const sibling = await mint(root)
    const reader = await ask(root, 'POST', '/v1/keys', { name: 'r', scopes: ['read', 'execute'] })
    for (const stranger of [sibling.key, String(reader.body.key)]) {
      for (const { id } of [a, b]) {
        expect(await ask(stranger, 'DELETE', `/v1/keys/${id}`)).toMatchObject({ status: 404 })
        expect(await ask(stranger, 'GET', `/v1/keys/${id}`)).toMatchObject({ status: 404 })
      }
      expect((await ask(stranger, 'GET', CHILDREN)).body.data).toEqual([])
    }
    expect(await ask(b.key, 'DELETE', `/v1/keys/${a.id}`)).toMatchObject({ status: 404 })
    expect(await ask(a.key, 'GET', `/v1/keys/${b.id}`)).toMatchObject({ status: 200, body: { parent: a.id } })
    expect(((await ask(root, 'GET', CHILDREN)).body.data as { id: string }[]).map(({ id }) => id).sort()).toEqual(
      [a.id, b.id, sibling.id].sort(),
    )
    const revoked = await ask(a.key, 'DELETE', `/v1/keys/${b.id}`)
    expect(revoked).toMatchObject({ status: 200, body: { id: b.id, revoked_at: expect.any(String) } })
    expect((await ask(a.key, 'DELETE', `/v1/keys/${b.id}`)).body).toEqual(revoked.body)
    await ask(root, 'DELETE', `/v1/keys/${sibling.id}`)
    ask = open()
    expect(await write(b.key)).toMatchObject({ status: 401 })
    expect(await write(sibling.key)).toMatchObject({ status: 401 })
    expect(await write(a.key)).toMatchObject({ status: 200 })
    expect(await ask(a.key, 'DELETE', `/v1/keys/${a.id}`)).toMatchObject({ status: 200 })
    ask = open()
    expect(await write(a.key)).toMatchObject({ status: 401 })
  })
})

describe('a key for some tools', () => {
  it('calls these alone, and is told which; what it lacks is not done', async () => {
    const { key } = await mint(root, { tools: ['file_read'] })
    expect(await write(key, 'refused.txt')).toMatchObject({
      status: 403,
      body: {
        detail:
          'this key may call the tools file_read alone, also inside of chains; ask whoever minted it for one that may call more',
      },
    })
    expect(await exists('refused.txt')).toBe(false)
    await write(root, 'b.txt')
    expect(await call(key, 'file_read', { file_path: 'b.txt' })).toMatchObject({ status: 200, body: { state: 'done' } })
  })

  it('reaches no other tool by a chain: each step is on its list, or the step is refused', async () => {
    const chain = { steps: [{ id: 'a', tool: 'file_write', input: { file_path: 'by-chain.txt', content: 'x' } }] }
    const put = await ask(root, 'PUT', '/v1/tools/registered/writer', {
      ...{ name: 'writer', description: 'writes', input_schema: { type: 'object' } },
      executor: { kind: 'chain', chain },
    })
    expect(put).toMatchObject({ status: 201 })
    const { key } = await mint(root, { tools: ['writer', 'file_read'] })
    const answer = await call(key, 'writer', {})
    expect(JSON.stringify(answer.body)).toContain('may call the tools writer, file_read alone')
    expect(await exists('by-chain.txt')).toBe(false)
    const { key: enough } = await mint(root, { tools: ['writer', 'file_write'] })
    expect(await call(enough, 'writer', {})).toMatchObject({ body: { state: 'done' } })
    expect(await exists('by-chain.txt')).toBe(true)
    const { key: unlisted } = await mint(root, { tools: ['file_write'] })
    expect(await call(unlisted, 'writer', {})).toMatchObject({ status: 403 })
    expect(await call(unlisted, 'writer@1', {})).toMatchObject({ status: 403 })
    expect(await call(unlisted, 'registered_call', { tool_id: 'writer', args: {} })).toMatchObject({ status: 403 })
  })

  it('makes no tools, under whatever name, though making were on its list', async () => {
    const { key } = await mint(root, { tools: ['tool_create', 'free', 'registered_call', 'own_tool_register'] })
    const chain = { steps: [{ id: 'a', tool: 'file_write', input: { file_path: 'made.txt', content: 'x' } }] }
    const made = await call(key, 'tool_create', {
      ...{ id: 'free', description: 'd', executor: { kind: 'chain', chain }, test: { args: {} } },
    })
    expect(JSON.stringify(made.body)).toContain('limited to some tools, so it may not make others')
    const own = { tool_code: 'def free():\n    """Free.\n\n    :return string: x"""\n    return 1', tool_name: 'free' }
    expect((await call(key, 'own_tool_register', own)).body.state).not.toBe('done')
    expect(await exists('made.txt')).toBe(false)
    expect(await ask(key, 'PUT', '/v1/tools/registered/free', {})).toMatchObject({ status: 403 })
  })

  it('does by no route what it needs a tool for that it lacks', async () => {
    await write(root, 'c.txt')
    const { key } = await mint(root, { tools: ['file_info'] })
    const download = await ask(key, 'GET', '/api/download/mine/c.txt')
    expect(download.status).toBe(403)
    const upload = await ask(key, 'POST', '/api/tool/execute', {
      ...{ task_id: 'mine', tool_name: 'file_upload', params: { files: [] } },
    })
    expect(upload.body).toMatchObject({ success: false })
    const files = [{ path: 'x.txt', text: 'x' }]
    const created = await ask(key, 'POST', '/v1/sessions', { name: 'with-files', files })
    expect(created.status).toBeGreaterThanOrEqual(400)
  })
})

describe('a key for some tools, of a session with files of others,', () => {
  it('deletes it by no route, and by no lifetime, without the tool that deletes files', async () => {
    await write(root, 'kept.txt')
    const { key } = await mint(root, { tools: ['file_read', 'file_write'] })
    const refused = { status: 403, body: { detail: expect.stringContaining('only with the tool file_delete') } }
    expect(await ask(key, 'DELETE', '/v1/sessions/mine')).toMatchObject(refused)
    expect(await ask(key, 'PATCH', '/v1/sessions/mine', { lifetime_seconds: 3_600 })).toMatchObject(refused)
    expect(await ask(key, 'PATCH', '/v1/sessions/mine', { idle_lifetime_seconds: 60 })).toMatchObject(refused)
    expect(await ask(key, 'DELETE', '/api/task/mine')).toMatchObject({ status: 403 })
    expect(await ask(key, 'PATCH', '/v1/sessions/mine', { title: 'T', idle_lifetime_seconds: null })).toMatchObject({
      status: 200,
      body: { expires_at: null },
    })
    expect(await exists('kept.txt')).toBe(true)
    const { key: deletes } = await mint(root, { tools: ['file_delete'] })
    const gone = await createServer(PRODUCTION).fetch(
      new Request('http://localhost/v1/sessions/mine', {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${deletes}` },
      }),
    )
    expect(gone.status).toBe(204)
  })
})

describe('a budget', () => {
  it('is used up by calls of the key in its sessions, and said where it is asked', async () => {
    const { key, id } = await mint(root, { budget: { calls: 3 } })
    const inner = await mint(key)
    expect(await write(key)).toMatchObject({ status: 200 })
    expect(await write(inner.key)).toMatchObject({ status: 200 })
    expect(await write(inner.key)).toMatchObject({ status: 200 })
    expect(await write(inner.key)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining(`the key ${id} has used its budget of 3 calls`) },
    })
    expect(await write(root)).toMatchObject({ status: 200 })
    await report()
    expect((await ask(root, 'GET', `/v1/keys/${id}`)).body.used).toEqual({ calls: 3, cost: 0 })
  })
})

describe('sessions of a key for some', () => {
  it('bring it its own use, and not that of others in the same sessions', async () => {
    const { key } = await mint(root, { sessions: { names: ['mine'] } })
    await write(key)
    await write(root)
    await write(root)
    await report()
    const calls = async (path: string) => (await ask(key, 'GET', path)).body.total
    expect(await calls('/v1/usage')).toMatchObject({ calls: 1 })
    expect((await ask(root, 'GET', '/v1/usage')).body.total).toMatchObject({ calls: 3 })
    const rootId = String((await ask(root, 'GET', '/v1/keys/current')).body.id)
    expect(await calls(`/v1/usage?key=${rootId}`)).toMatchObject({ calls: 1 })
  })

  it('include one with a slash in its name, by every way to write it, and none that only looks alike', async () => {
    for (const name of ['a', 'a/b', 'a%2Fb', 'a/B']) await ask(root, 'POST', '/v1/sessions', { name })
    const { key } = await mint(root, { sessions: { names: ['a/b'] } })
    await call(root, 'file_write', { file_path: 'f.txt', content: 'x' }, 'a%2Fb')
    const status = async (path: string) => (await ask(key, 'GET', path)).status
    expect(await status('/v1/sessions/a%2Fb')).toBe(200)
    expect(await status('/v1/sessions/a%2fb')).toBe(200)
    for (const name of ['a', 'a%252Fb', 'a%2FB', 'a%2Fb%2F', 'a%2F.%2Fb', 'a%2F%2Fb', 'A%2Fb', 'a%2Fb%20']) {
      expect(await status(`/v1/sessions/${name}`), name).toBe(403)
    }
    expect(await status('/api/task/a/b/status')).toBe(200)
    expect(await status('/api/task/a/status')).toBe(403)
    const server = createServer(PRODUCTION)
    const headers = { Authorization: `Bearer ${key}` }
    expect((await server.fetch(new Request('http://test/api/download/a/b/f.txt', { headers }))).status).toBe(200)
    expect((await server.fetch(new Request(`http://test/k/${key}/api/download/a/b/f.txt`))).status).toBe(200)
  })

  it('are made under an allowed name, and under no other', async () => {
    const { key } = await mint(root, { sessions: { prefixes: ['job-'] } })
    expect(await ask(key, 'POST', '/v1/sessions', { name: 'job-1' })).toMatchObject({ status: 201 })
    for (const body of [{ name: 'job' }, { name: 'other' }, {}]) {
      expect(await ask(key, 'POST', '/v1/sessions', body)).toMatchObject({
        status: 403,
        body: {
          detail:
            'this key may use the sessions whose names begin with "job-" alone; ask whoever minted it for a key for more',
        },
      })
    }
  })

  it('are listed page by page, and the last page is the last', async () => {
    for (const name of ['job-1', 'x1', 'job-2', 'x2', 'job-3', 'x3']) await ask(root, 'POST', '/v1/sessions', { name })
    const { key } = await mint(root, { sessions: { prefixes: ['job-'] } })
    const names: string[] = []
    let cursor: unknown = ''
    for (let pages = 0; cursor !== null; pages++) {
      expect(pages).toBeLessThan(3)
      const { body } = await ask(key, 'GET', `/v1/sessions?limit=2${cursor && `&cursor=${cursor}`}`)
      names.push(...(body.data as { name: string }[]).map(({ name }) => name))
      cursor = body.next_cursor
    }
    expect(names).toEqual(['job-3', 'job-2', 'job-1'])
    const { body } = await ask(key, 'GET', '/api/task/list')
    expect((body.data as unknown[]).length).toBe(3)
  })
})

describe('on a server without keys', () => {
  it('whoever comes without one mints child keys as well, which are limited all the same', async () => {
    ask = open({ ...env, ADMIN_TOKEN: TOKEN })
    const { key, id } = await mint(null as unknown as string, { sessions: { names: ['local-one'] } })
    expect(id).toMatch(/^local\.[0-9A-Za-z]{12}$/)
    expect(await ask(key, 'GET', '/v1/sessions/other')).toMatchObject({ status: 403 })
    expect(await ask(key, 'POST', '/v1/sessions', { name: 'local-one' })).toMatchObject({ status: 201 })
    expect((await ask(null, 'GET', '/v1/keys/current')).body).toMatchObject({
      id: null,
      scopes: ['read', 'execute', 'admin'],
    })
    expect(await ask(null, 'DELETE', `/v1/keys/${id}`)).toMatchObject({ status: 200 })
    ask = open({ ...env, ADMIN_TOKEN: TOKEN })
    expect(await ask(key, 'GET', '/v1/sessions/local-one')).toMatchObject({ status: 401 })
  })

  it('and without a secret says what its owner sets', async () => {
    ask = open({ ...env, ADMIN_TOKEN: undefined, SECRETS_KEY: undefined })
    expect(await ask(null, 'POST', CHILDREN, {})).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('SECRETS_KEY') },
    })
  })
})
