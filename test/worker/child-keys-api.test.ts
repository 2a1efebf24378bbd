import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_SESSION_TITLE_CHARS } from '../../src/core/limits/sessions.ts'
import { createServer } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const { OPEN_TENANT: _, ...closed } = env
const PRODUCTION = { ...closed, ENVIRONMENT: 'production', ADMIN_TOKEN: TOKEN }

type Answer = { readonly status: number; readonly location?: string; readonly body: Record<string, unknown> }

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
    const location = answer.headers.get('Location')
    const json = (answer.status === 204 ? {} : await answer.json()) as Answer['body']
    return { status: answer.status, body: json, ...(location !== null && { location }) }
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

it('a key and a child key are where Location says when they are made', async () => {
  for (const path of ['/v1/keys', CHILDREN]) {
    const { status, location = '', body } = await ask(root, 'POST', path, { name: 'found', scopes: ['read'] })
    expect([status, location]).toEqual([201, `/v1/keys/${body.id}`])
    expect(await ask(root, 'GET', location)).toMatchObject({ status: 200, body: { id: body.id, name: 'found' } })
  }
})

describe('GET /v1/keys/{key}/children', () => {
  /** A key of the tenant without `admin`, a child key of it, and one below that. */
  async function chain() {
    const { body } = await ask(root, 'POST', '/v1/keys', { name: 'worker', scopes: ['read', 'execute'] })
    const worker = { key: String(body.key), id: String(body.id) }
    const child = await mint(worker.key, { name: 'child' })
    return { worker, child, grandchild: await mint(child.key, { name: 'grandchild' }) }
  }
  const below = (by: string, id: string) => ask(by, 'GET', `/v1/keys/${id}/children`)

  it('shows an administrator what any key of the tenant has handed on, at all depths', async () => {
    const { worker, child, grandchild } = await chain()
    expect(await below(root, worker.id)).toMatchObject({
      status: 200,
      body: {
        data: [
          { id: child.id, parent: worker.id, name: 'child' },
          { id: grandchild.id, parent: child.id, name: 'grandchild' },
        ],
        next_cursor: null,
      },
    })
    expect((await below(root, child.id)).body.data).toMatchObject([{ id: grandchild.id }])
    expect((await ask(root, 'GET', CHILDREN)).body.data).toEqual([])
    const first = (await ask(root, 'GET', `/v1/keys/${worker.id}/children?limit=1`)).body
    const rest = await ask(root, 'GET', `/v1/keys/${worker.id}/children?limit=1&cursor=${first.next_cursor}`)
    expect([first.data, rest.body.data]).toMatchObject([[{ id: child.id }], [{ id: grandchild.id }]])
  })

  it('shows a key without admin its own and those below it, and no other', async () => {
    const { worker, child, grandchild } = await chain()
    expect((await below(worker.key, worker.id)).body.data).toHaveLength(2)
    expect((await below(child.key, child.id)).body.data).toMatchObject([{ id: grandchild.id }])
    const own = (await ask(root, 'GET', '/v1/keys/current')).body
    for (const [by, id] of [
      [worker.key, String(own.id)],
      [child.key, worker.id],
      [grandchild.key, child.id],
      [root, 'K_NONE'],
      [root, `${worker.id}.none`],
    ] as const) {
      expect(await below(by, id), id).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })

  it('knows no key of another tenant', async () => {
    const { worker, child } = await chain()
    const other = String((await ask(TOKEN, 'POST', '/admin/tenants', { name: 'O' })).body.id)
    const made = await ask(TOKEN, 'POST', `/admin/tenants/${other}/keys`, { name: 'o', scopes: ['admin'] })
    for (const id of [worker.id, child.id]) expect((await below(String(made.body.key), id)).status).toBe(404)
  })
})

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

  it('is named with its chain in the audit log when it makes, changes or deletes a session, by whichever API', async () => {
    const { key, id } = await mint(root)
    const send = async (path: string, method = 'POST', cookie = '') => {
      const headers = { Authorization: `Bearer ${key}`, ...(cookie && { Cookie: cookie }) }
      const answer = await createServer(PRODUCTION).fetch(new Request(`http://localhost${path}`, { method, headers }))
      expect(answer.ok).toBe(true)
      return answer.headers.get('Set-Cookie')?.split(';')[0] ?? ''
    }
    await ask(key, 'POST', '/v1/sessions', { name: 'native' })
    await ask(key, 'PATCH', '/v1/sessions/native', { title: 'x', idle_lifetime_seconds: 600 })
    await send('/api/task/create?task_id=task&task_name=x')
    await send('/release_session', 'POST', await send('/get_cookie'))
    await send('/v1/sessions/native', 'DELETE')
    await send('/api/task/task', 'DELETE')
    const { data } = (await ask(root, 'GET', '/v1/audit')).body
    const noted = (data as { action: string; subject: string; key: string; detail: { fields: string[] } }[]).filter(
      ({ action, subject }) => action.startsWith('session.') && subject !== 'mine',
    )
    expect(noted.map(({ action, subject }) => [action, subject])).toEqual([
      ['session.create', 'native'],
      ['session.update', 'native'],
      ['session.create', 'task'],
      ['session.create', expect.any(String)],
      ['session.delete', noted[3]?.subject],
      ['session.delete', 'native'],
      ['session.delete', 'task'],
    ])
    for (const entry of noted) expect(entry.key).toBe(id)
    expect(noted[1]?.detail.fields.sort()).toEqual(['idle_lifetime', 'title'])
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
        new Request('http://localhost/v1/audit/export', { headers: { Authorization: `Bearer ${root}` } }),
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

describe('a child key for some tools', () => {
  /** Status of a request whose body is not looked at. */
  async function statusOf(key: string, method: string, path: string, body?: object) {
    const answer = await createServer(PRODUCTION).fetch(
      new Request(`http://localhost/v1/sessions/mine${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}` },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    await answer.body?.cancel()
    return answer.status
  }

  it.each([
    ['workspace_history', 'GET', '/history', undefined, 200],
    ['workspace_history', 'GET', '/history/start', undefined, 200],
    ['workspace_diff', 'GET', '/diff?from=start', undefined, 200],
    ['workspace_restore', 'POST', '/restore', { commit: 'start' }, 200],
    ['dir_list', 'GET', '/snapshots', undefined, 200],
    ['dir_list', 'GET', '/snapshots/start', undefined, 200],
    ['workspace_snapshot', 'PUT', '/snapshots/more', {}, 201],
    ['workspace_snapshot', 'DELETE', '/snapshots/start', undefined, 204],
    ['workspace_fork', 'POST', '/fork', { name: 'forked', as_of: 'start' }, 201],
    ['dir_list', 'HEAD', '/watch?from=start', undefined, 200],
  ] as const)(
    'does by the routes of history what %s does, with that tool alone: %s %s',
    async (tool, method, path, body, status) => {
      await write(root)
      await ask(root, 'PUT', '/v1/sessions/mine/snapshots/start', {})
      await write(root, 'b.txt')
      const { key: other } = await mint(root, { tools: ['file_read', 'file_write'] })
      expect(await statusOf(other, method, path, body)).toBe(403)
      expect((await ask(root, 'GET', '/v1/sessions/mine/snapshots')).body.data).toHaveLength(1)
      expect(await ask(root, 'GET', '/v1/sessions/forked')).toMatchObject({ status: 404 })
      const { key } = await mint(root, { tools: [tool] })
      expect(await statusOf(key, method, path, body)).toBe(status)
    },
  )

  it('forks into sessions that it may use alone, and the audit log names it, the origin and the commit', async () => {
    await write(root)
    const { key, id } = await mint(root, { sessions: { names: ['mine'], prefixes: ['own-'] } })
    for (const name of ['other', undefined])
      expect(await ask(key, 'POST', '/v1/sessions/mine/fork', { ...(name && { name }) })).toMatchObject({ status: 403 })
    expect(await call(key, 'workspace_fork', { name: 'other' })).toMatchObject({ body: { state: 'failed' } })
    expect(await ask(key, 'POST', '/v1/sessions/mine/fork', { name: 'own-1' })).toMatchObject({ status: 201 })
    expect(await call(key, 'workspace_fork', { name: 'own-2' })).toMatchObject({ body: { state: 'done' } })
    const answer = await createServer(PRODUCTION).fetch(
      new Request('http://localhost/v1/audit/export', { headers: { Authorization: `Bearer ${root}` } }),
    )
    const made = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ action }) => action === 'session.create')
    expect(made).toEqual([
      expect.objectContaining({ subject: 'mine' }),
      expect.objectContaining({ subject: 'own-1', key: id, detail: { fork_of: 'mine', commit: 2 } }),
      expect.objectContaining({ subject: 'own-2', key: id, detail: { fork_of: 'mine', commit: 2 } }),
    ])
  })
})

describe('the audit log', () => {
  it('names who set files back, and who made, moved and removed a snapshot', async () => {
    await write(root)
    const { key, id } = await mint(root, { sessions: { names: ['mine'] } })
    await write(root, 'b.txt')
    const at = '/v1/sessions/mine'
    await ask(key, 'PUT', `${at}/snapshots/kept`, { commit: 2 })
    await ask(key, 'PUT', `${at}/snapshots/kept`, { commit: 3, replace: true })
    await ask(key, 'DELETE', `${at}/snapshots/kept`)
    expect(await ask(key, 'POST', `${at}/restore`, { commit: 2 })).toMatchObject({ status: 200 })
    const { data } = (await ask(root, 'GET', '/v1/audit?limit=100')).body as { data: { action: string }[] }
    const by = { key: id, session: 'mine', decision: 'done' }
    expect(data.filter(({ action }) => /^(snapshot|session\.restore)/.test(action))).toEqual([
      expect.objectContaining({ ...by, action: 'snapshot.create', subject: 'kept', detail: { commit: 2 } }),
      expect.objectContaining({ ...by, action: 'snapshot.replace', subject: 'kept', detail: { commit: 3, before: 2 } }),
      expect.objectContaining({ ...by, action: 'snapshot.delete', subject: 'kept', detail: { commit: 3 } }),
      expect.objectContaining({
        ...{ ...by, action: 'session.restore', subject: null },
        detail: { from_commit: 2, changed: 1, commit: 4 },
      }),
    ])
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
    expect(await ask(root, 'DELETE', `/v1/keys/${id}`)).toMatchObject({ status: 204 })
    expect(await ask(root, 'GET', `/v1/keys/${id}`)).toMatchObject({ body: { revoked_at: expect.any(String) } })
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
    expect(await ask(a.key, 'DELETE', `/v1/keys/${b.id}`)).toMatchObject({ status: 204 })
    const revoked = await ask(a.key, 'GET', `/v1/keys/${b.id}`)
    expect(revoked).toMatchObject({ status: 200, body: { id: b.id, revoked_at: expect.any(String) } })
    expect(await ask(a.key, 'DELETE', `/v1/keys/${b.id}`)).toMatchObject({ status: 204 })
    expect((await ask(a.key, 'GET', `/v1/keys/${b.id}`)).body).toEqual(revoked.body)
    await ask(root, 'DELETE', `/v1/keys/${sibling.id}`)
    ask = open()
    expect(await write(b.key)).toMatchObject({ status: 401 })
    expect(await write(sibling.key)).toMatchObject({ status: 401 })
    expect(await write(a.key)).toMatchObject({ status: 200 })
    expect(await ask(a.key, 'DELETE', `/v1/keys/${a.id}`)).toMatchObject({ status: 204 })
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

  it('watches a session only where it may list its files', async () => {
    const { key } = await mint(root, { tools: ['file_read'] })
    const path = '/v1/sessions/mine/watch'
    expect(await ask(key, 'GET', path)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('dir_list') },
    })
    const { key: enough } = await mint(root, { tools: ['dir_list'] })
    expect(await ask(enough, 'GET', '/v1/sessions/nowhere/watch')).toMatchObject({ status: 404 })
  })

  it('looks back, goes back and forks by no route without the tool that does the same', async () => {
    await write(root)
    await ask(root, 'PUT', '/v1/sessions/mine/snapshots/first', {})
    const { key } = await mint(root, { tools: ['file_info'] })
    for (const [tool, method, path, body] of [
      ['workspace_history', 'GET', '/history'],
      ['workspace_history', 'GET', '/history/1'],
      ['workspace_diff', 'GET', '/diff'],
      ['workspace_restore', 'POST', '/restore', { commit: 0 }],
      ['workspace_restore', 'POST', '/restore', { commit: 0, dry_run: true }],
      ['dir_list', 'GET', '/snapshots'],
      ['dir_list', 'GET', '/snapshots/first'],
      ['workspace_snapshot', 'PUT', '/snapshots/second', {}],
      ['workspace_snapshot', 'DELETE', '/snapshots/first'],
      ['workspace_fork', 'POST', '/fork', { name: 'forked' }],
      ['file_read', 'GET', '/files/a.txt?as_of=first'],
      ['dir_list', 'GET', '/files?as_of=first'],
    ] as const) {
      expect(await ask(key, method, `/v1/sessions/mine${path}`, body), path).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining(`the tool ${tool}`) },
      })
    }
    expect(await ask(root, 'GET', '/v1/sessions/forked')).toMatchObject({ status: 404 })
    expect(await exists('a.txt')).toBe(true)
    expect((await ask(root, 'GET', '/v1/sessions/mine/snapshots')).body.data).toMatchObject([{ name: 'first' }])
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

describe('calls of other tools than a key may call', () => {
  const states = async (key: string, query = '') => {
    const { body } = await ask(key, 'GET', `/v1/sessions/mine/calls?limit=2${query}`)
    return body as { data: { call_id: string; tool: string; arguments: string }[]; next_cursor: string | null }
  }
  const secret = 'Zebra in the history'

  it('are in no list, by no id and in no event of its own sessions, whose other calls it pages through', async () => {
    const definition = { name: 'N', description: 'd', input_schema: { type: 'object' } }
    const chain = { steps: [{ id: 'a', tool: 'file_info', input: { file_path: 'a.txt' } }] }
    for (const id of ['mine', 'other']) {
      const body = { ...definition, executor: { kind: 'chain', chain } }
      expect(await ask(root, 'PUT', `/v1/tools/registered/${id}`, body)).toMatchObject({ status: 201 })
    }
    for (let at = 0; at < 3; at++) {
      await call(root, 'file_write', { file_path: 'a.txt', content: secret })
      await call(root, 'file_info', { file_path: 'a.txt' })
      await call(root, 'other', {})
      await call(root, 'mine', {})
    }
    const all = await ask(root, 'GET', '/v1/sessions/mine/calls?limit=50')
    const calls = all.body.data as { call_id: string; tool: string; arguments: string }[]
    const { key } = await mint(root, { tools: ['mine', 'file_info'] })
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await states(key, cursor && `&cursor=${cursor}`)
      seen.push(...page.data.map(({ call_id }) => call_id))
      expect(JSON.stringify(page)).not.toMatch(/Zebra|"other"/)
      cursor = page.next_cursor
    }
    const isSeen = ({ tool, arguments: args }: (typeof calls)[number]) =>
      tool === 'file_info' || (tool === 'registered_call' && args.includes('"mine"'))
    expect(seen).toEqual(calls.filter(isSeen).map(({ call_id }) => call_id))
    expect(new Set(calls.filter((one) => !isSeen(one)).map(({ tool }) => tool))).toEqual(
      new Set(['file_write', 'registered_call']),
    )
    for (const one of calls) {
      for (const path of ['', '/events']) {
        const server = createServer(PRODUCTION)
        const answer = await server.fetch(
          new Request(`http://localhost/v1/sessions/mine/calls/${one.call_id}${path}`, {
            headers: { Authorization: `Bearer ${key}` },
          }),
        )
        const text = await answer.text()
        expect([answer.status, text.includes('Zebra')]).toEqual([isSeen(one) ? 200 : 404, false])
        if (!isSeen(one)) expect(text).toContain('the key sees calls of the tools that it may call')
      }
    }
    expect((await ask(key, 'GET', '/v1/sessions/mine/calls/cnone')).body.detail).toBe(
      (await ask(key, 'GET', `/v1/sessions/mine/calls/${calls.find((one) => !isSeen(one))?.call_id}`)).body.detail,
    )
  })

  it('are not ended by it, neither by their id nor by a pause that ends what runs', async () => {
    const args = { human_task: 'Zebra?', timeout: 60 }
    const begun = await ask(root, 'POST', '/v1/sessions/mine/calls?wait=0', { tool: 'human_in_loop', args })
    expect(begun).toMatchObject({ status: 202 })
    const id = String(begun.body.call_id)
    const { key } = await mint(root, { tools: ['file_info'] })
    expect(await ask(key, 'POST', `/v1/sessions/mine/calls/${id}/cancel`)).toMatchObject({ status: 404 })
    for (const path of ['/api/human-tasks/mine', '/v1/sessions/mine/questions', '/v1/questions']) {
      const tasks = await ask(key, 'GET', path)
      expect([tasks.status, JSON.stringify(tasks.body).includes('Zebra')]).toEqual([403, false])
    }
    expect(await ask(key, 'POST', '/v1/sessions/mine/pause?force=true')).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('may not end calls of other tools') },
    })
    expect(await ask(root, 'GET', `/v1/sessions/mine/calls/${id}`)).toMatchObject({ body: { state: 'running' } })
    const { key: asks } = await mint(root, { tools: ['human_in_loop'] })
    expect(await ask(asks, 'POST', `/v1/sessions/mine/calls/${id}/cancel`)).toMatchObject({ status: 200 })
    expect(await ask(root, 'GET', `/v1/sessions/mine/calls/${id}?wait=20`)).toMatchObject({ body: { state: 'failed' } })
  })

  it('leave it its own calls, which it waits for and follows by whichever name they have', async () => {
    const definition = { name: 'N', description: 'd', input_schema: { type: 'object' } }
    const chain = { steps: [{ id: 'a', tool: 'file_info', input: { file_path: '.' } }] }
    await ask(root, 'PUT', '/v1/tools/registered/mine', { ...definition, executor: { kind: 'chain', chain } })
    const { key } = await mint(root, { tools: ['mine', 'file_info'] })
    const waited = await ask(key, 'POST', '/v1/sessions/mine/calls?wait=20', { tool: 'mine', args: {} })
    expect(waited).toMatchObject({ status: 200, body: { state: 'done' } })
    expect(await ask(key, 'GET', `/v1/sessions/mine/calls/${waited.body.call_id}`)).toMatchObject({ status: 200 })
    // Its arguments are cut in the history.
    const long = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field_${at}`, 'x']))
    const large = await ask(key, 'POST', '/v1/sessions/mine/calls?wait=20', { tool: 'mine', args: long })
    expect(large).toMatchObject({ status: 200 })
    expect(await ask(key, 'GET', `/v1/sessions/mine/calls/${large.body.call_id}`)).toMatchObject({ status: 200 })
  })
})

describe('a fork by a key for some sessions', () => {
  it('gets no other name, by whichever API, chain or batch, and is in the audit log with the key that made it', async () => {
    await ask(root, 'PUT', '/v1/tools/registered/forker', {
      ...{ name: 'forker', description: 'forks', input_schema: { type: 'object' } },
      executor: { kind: 'chain', chain: { steps: [{ id: 'a', tool: 'workspace_fork', input: { name: 'taken' } }] } },
    })
    const { key, id } = await mint(root, { sessions: { names: ['mine'], prefixes: ['mine-'] } })
    const fork = (name: string) => ({ tool: 'workspace_fork', args: { name } })
    const params = { name: 'taken' }
    for (const [path, body] of [
      ['/v1/sessions/mine/fork', { name: 'taken' }],
      ['/v1/sessions/mine/fork', {}],
      ['/v1/sessions/mine/calls', fork('taken')],
      ['/v1/sessions/mine/calls', { tool: 'forker', args: {} }],
      ['/v1/sessions/mine/calls/batch', { calls: [fork('taken')] }],
      ['/api/tool/execute', { task_id: 'mine', tool_name: 'workspace_fork', params }],
      ['/internal/tools/call', { tool_id: 'workspace_fork', agent_id: 'a', microdao_id: 'mine', args: params }],
      ['/lagent/execute', { session: 'mine', name: 'workspace_fork', parameters: params }],
    ] as const)
      await ask(key, 'POST', path, body)
    const named = async () => {
      const { data } = (await ask(root, 'GET', '/v1/sessions')).body as { data: { name: string }[] }
      return data.map(({ name }) => name).sort()
    }
    expect(await named()).toEqual(['mine'])
    expect(await ask(key, 'POST', '/v1/sessions/mine/fork', { name: 'mine-route' })).toMatchObject({ status: 201 })
    expect(await call(key, 'workspace_fork', { name: 'mine-tool' })).toMatchObject({ body: { state: 'done' } })
    expect(await named()).toEqual(['mine', 'mine-route', 'mine-tool'])
    const log = (await ask(root, 'GET', '/v1/audit')).body.data as { action: string; subject: string; key: string }[]
    const made = log.filter(({ action, subject }) => action === 'session.create' && subject !== 'mine')
    expect(made.map(({ subject, key: by }) => [subject, by])).toEqual([
      ['mine-route', id],
      ['mine-tool', id],
    ])
  })

  it('has a title as short as any session', async () => {
    const title = 'x'.repeat(MAX_SESSION_TITLE_CHARS + 1)
    expect(await call(root, 'workspace_fork', { name: 'titled', title })).toMatchObject({
      body: { detail: expect.stringContaining('MAX_SESSION_TITLE_CHARS') },
    })
    expect(await ask(root, 'GET', '/v1/sessions/titled')).toMatchObject({ status: 404 })
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
    expect(await ask(null, 'DELETE', `/v1/keys/${id}`)).toMatchObject({ status: 204 })
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

it('a child key for some tools sees the history, a diff and the way back with the tool that does the same, and restores with execute alone', async () => {
  await write(root)
  const routes = async (key: string) => [
    (await ask(key, 'GET', '/v1/sessions/mine/history')).status,
    (await ask(key, 'GET', '/v1/sessions/mine/history/1')).status,
    (await ask(key, 'GET', '/v1/sessions/mine/diff')).status,
    (await ask(key, 'POST', '/v1/sessions/mine/restore', { commit: 1, dry_run: true })).status,
  ]
  const allowed = async (...tools: string[]) => routes((await mint(root, { tools })).key)
  expect(await allowed('file_read', 'file_write', 'dir_list')).toEqual([403, 403, 403, 403])
  expect(await allowed('workspace_history')).toEqual([200, 200, 403, 403])
  expect(await allowed('workspace_diff')).toEqual([403, 403, 200, 403])
  expect(await allowed('workspace_restore')).toEqual([403, 403, 403, 200])
  expect(await routes((await mint(root, { scopes: ['read'] })).key)).toEqual([200, 200, 200, 403])
  // A key for another session has none of them.
  expect(await routes((await mint(root, { sessions: { names: ['other'] } })).key)).toEqual([403, 403, 403, 403])
})

it('a child key compares two sessions only where it may use both, with the tool that compares', async () => {
  await write(root)
  expect((await ask(root, 'POST', '/v1/sessions/mine/fork', { name: 'mine-too' })).status).toBe(201)
  const compared = async (key: string) => [
    (await ask(key, 'GET', '/v1/sessions/mine-too/diff?against=mine')).status,
    (await ask(key, 'GET', '/v1/sessions/mine/diff?against=mine-too')).status,
  ]
  expect(await compared(root)).toEqual([200, 200])
  const minted = async (restrictions: object) => compared((await mint(root, restrictions)).key)
  expect(await minted({ sessions: { names: ['mine', 'mine-too'] }, tools: ['workspace_diff'] })).toEqual([200, 200])
  expect(await minted({ sessions: { names: ['mine'] } })).toEqual([403, 403])
  expect(await minted({ tools: ['workspace_history'] })).toEqual([403, 403])
  expect(await ask(root, 'GET', '/v1/sessions/mine/diff?against=nobody')).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining('no session nobody to compare with') },
  })
})
