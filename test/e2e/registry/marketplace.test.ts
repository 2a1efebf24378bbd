import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { jsonAnswer, type StandIn, startStandIn } from '../../support/stand-in.ts'
import { askWith, newOwner } from '../../support/tenants.ts'

let service: StandIn
const toolyard = runningToolyard(async () => {
  service = await startStandIn(({ url, headers }) =>
    jsonAnswer({ path: url.pathname, key: headers.authorization ?? null }),
  )
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: service.host } }
})
afterAll(() => service.stop())

let acme: string
let user: string
let third: string
beforeAll(async () => {
  ;[acme, user, third] = (await Promise.all([1, 2, 3].map(() => newOwner(toolyard())))).map(({ key }) => key) as [
    string,
    string,
    string,
  ]
})

const TOOLS = '/v1/marketplace/tools'

const ask = (key: string, method: string, path: string, body?: object) => askWith(key, toolyard(), method, path, body)

const put = (key: string, id: string, executor: object, more: object = {}) =>
  ask(key, 'PUT', `/v1/tools/registered/${id}`, {
    name: id,
    description: `What ${id} does.`,
    input_schema: { type: 'object', properties: { x: { type: 'string' } } },
    executor,
    ...more,
  })

const http = (path: string, request: object = {}) => ({ kind: 'http', target: `${service.url}${path}`, request })

const publish = (id: string, more: object = {}) =>
  ask(acme, 'POST', TOOLS, { id, publisher: 'acme', readme: `# ${id}`, ...more })

async function run(key: string, tool: string, args: object = {}) {
  await ask(key, 'POST', '/api/task/create?task_id=market&task_name=Market', {})
  return (await ask(key, 'POST', '/v1/sessions/market/calls', { tool, args })).body
}

it('publishes, finds, installs and runs Python in the installer’s own sandbox, pinned to what was installed', async () => {
  const source = (word: string) =>
    `def hello(x="nobody"):\n    open("said.txt", "w").write(x)\n    return "${word} " + x`
  await put(acme, 'greet', { kind: 'python', target: 'tool:hello', source: source('hello') })
  const readme = '# Greets\n<script>alert(1)</script>'
  const examples = [{ args: { x: 'you' }, result: 'hello you' }]
  expect(await publish('greet', { readme, examples })).toMatchObject({ status: 201, body: { version: 1 } })
  expect((await ask(user, 'GET', `${TOOLS}?q=greets`)).body.data).toMatchObject([{ publisher: 'acme', tool: 'greet' }])
  const page = await fetch(`${toolyard().url}${TOOLS}/acme/greet`, { headers: { authorization: `Bearer ${user}` } })
  expect(page.headers.get('content-type')).toContain('application/json')
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await page.json()).toMatchObject({ readme, examples, needs: { code: true }, versions: [{ version: 1 }] })

  expect(await ask(user, 'POST', `${TOOLS}/acme/greet/install`, {})).toMatchObject({
    status: 201,
    body: { id: 'acme.greet', version: 1, enabled: true, installed: { version: 1 } },
  })
  expect(await run(user, 'acme.greet', { x: 'you' })).toMatchObject({ data: { result: 'hello you' } })
  expect(await run(user, 'file_read', { file_path: 'said.txt' })).toMatchObject({
    data: { content: expect.stringContaining('you') },
  })
  expect(await run(acme, 'file_read', { file_path: 'said.txt' })).toMatchObject({ state: 'failed' })
  expect((await ask(third, 'GET', '/v1/tools/registered')).body).toMatchObject({ total: 0 })
  expect((await ask(acme, 'GET', `${TOOLS}/acme/greet`)).body.installs).toBe(1)

  // What the publisher does from now on is nothing to the installer.
  await put(acme, 'greet', { kind: 'python', target: 'tool:hello', source: source('evil') })
  const again = await ask(acme, 'POST', TOOLS, { id: 'greet', publisher: 'acme' })
  expect(again).toMatchObject({ status: 201, body: { version: 2, readme, examples } })
  expect(await ask(user, 'POST', `${TOOLS}/acme/greet/install`, {})).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/there is a tool acme.greet already.*another id/) },
  })
  expect(await run(user, 'acme.greet', { x: 'you' })).toMatchObject({ data: { result: 'hello you' } })
  await ask(acme, 'DELETE', '/v1/tools/registered/greet')
  expect(await ask(acme, 'DELETE', `${TOOLS}/acme/greet`)).toMatchObject({ status: 204 })
  expect(await run(user, 'acme.greet', { x: 'you' })).toMatchObject({ data: { result: 'hello you' } })
  expect((await ask(third, 'POST', `${TOOLS}/acme/greet/install`, {})).status).toBe(404)
})

it('gives an installed tool the secrets that its installer lets it have, never the publisher’s', async () => {
  await ask(acme, 'PUT', '/v1/secrets/SERVICE_KEY', { value: 'of-the-publisher' })
  await put(acme, 'keyed', http('/keyed', { auth: [{ type: 'bearer', secret: 'SERVICE_KEY' }] }))
  expect((await publish('keyed')).body).toMatchObject({ needs: { secrets: ['SERVICE_KEY'], hosts: [service.url] } })

  expect(
    (await ask(user, 'POST', `${TOOLS}/acme/keyed/install`, { allow_secrets: ['SERVICE_KEY'] })).body,
  ).toMatchObject({
    enabled: false,
    missing_secrets: ['SERVICE_KEY'],
  })
  expect(await run(user, 'acme.keyed')).toMatchObject({ code: 'forbidden' })
  await ask(user, 'PATCH', '/v1/tools/registered/acme.keyed', { enabled: true })
  const before = service.requests.length
  expect(await run(user, 'acme.keyed')).toMatchObject({ error: { message: expect.stringContaining('SERVICE_KEY') } })
  expect(service.requests.length).toBe(before)
  await ask(user, 'PUT', '/v1/secrets/SERVICE_KEY', { value: 'of-the-installer' })
  expect(await run(user, 'acme.keyed')).toMatchObject({ state: 'done' })
  expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer of-the-installer')

  // A secret that happens to have that name goes nowhere before its owner says so.
  await ask(third, 'PUT', '/v1/secrets/SERVICE_KEY', { value: 'for-something-else' })
  expect((await ask(third, 'POST', `${TOOLS}/acme/keyed/install`, {})).body).toMatchObject({
    enabled: false,
    missing_secrets: [],
    secrets_to_allow: ['SERVICE_KEY'],
  })
  expect(await run(third, 'acme.keyed')).toMatchObject({ code: 'forbidden' })
})

it('shows what an upgrade changes, and waits for a word where it breaks callers or needs more', async () => {
  await put(acme, 'up', http('/1'))
  await publish('up')
  const install = await ask(user, 'POST', `${TOOLS}/acme/up/install`, { id: 'my.up' })
  expect(install.status).toBe(201)
  expect((await ask(user, 'POST', `${TOOLS}/acme/up/install`, { id: 'my.up' })).status).toBe(409)
  expect((await ask(user, 'POST', `${TOOLS}/acme/up/install`, { id: 'File_Read' })).status).toBe(409)

  await put(acme, 'up', http('/2'), {
    input_schema: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
  })
  await publish('up')
  await put(acme, 'up', http('/3', { auth: [{ type: 'bearer', secret: 'SERVICE_KEY' }] }))
  await publish('up')
  const upgrade = (body: object) => ask(user, 'POST', `${TOOLS}/acme/up/upgrade`, { id: 'my.up', ...body })
  expect((await upgrade({ dry_run: true, version: 2 })).body).toMatchObject({
    from: 1,
    to: 2,
    breaking: true,
    changes: [{ schema: 'input', breaking: true }],
    applied: false,
  })
  expect((await upgrade({ version: 2 })).status).toBe(409)
  expect(await upgrade({})).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('the secret SERVICE_KEY'), errors: { to: 3, breaking: false } },
  })
  expect(await run(user, 'my.up')).toMatchObject({ data: { result: { path: '/1' } } })
  const both = await Promise.all([
    upgrade({ version: 2, accept_breaking: true }),
    upgrade({ version: 2, accept_breaking: true }),
  ])
  expect(both.filter(({ body }) => body.applied === true)).toHaveLength(1)
  expect((await ask(user, 'GET', '/v1/tools/registered/my.up/versions')).body.data).toHaveLength(2)
  expect(await run(user, 'my.up', { x: '' })).toMatchObject({ data: { result: { path: '/2' } } })
  expect((await ask(user, 'GET', '/v1/tools/registered/my.up')).body).toMatchObject({ version: 2, latest_version: 2 })
  expect((await ask(user, 'GET', `${TOOLS}/acme/up?since=1&version=2`)).body).toMatchObject({ breaking_since: true })

  await ask(user, 'POST', '/v1/tools/registered/my.up/rollback', { version: 1 })
  expect((await upgrade({ version: 2, dry_run: true })).body).toMatchObject({ from: null, to: 2, breaking: true })
  expect((await upgrade({ version: 2, accept_breaking: true })).body).toMatchObject({ applied: true, version: 2 })

  const audit = await fetch(`${toolyard().url}/v1/audit/export`, { headers: { authorization: `Bearer ${user}` } })
  expect(await audit.text()).toMatch(/"tool.install".*acme\/up.*"tool.upgrade".*acme\/up/s)

  const code = (what: string) => ({
    kind: 'python',
    target: 'a:f',
    source: `def f(x=1): return ${what}`,
    secrets: ['SERVICE_KEY'],
  })
  await put(acme, 'code', code('1'))
  await publish('code')
  await ask(user, 'POST', `${TOOLS}/acme/code/install`, { allow_secrets: ['SERVICE_KEY'] })
  await put(acme, 'code', code('2'))
  await publish('code')
  expect(await ask(user, 'POST', `${TOOLS}/acme/code/upgrade`, {})).toMatchObject({
    status: 409,
    body: { errors: { breaking: false, needs_more: ['to give other code its secrets'] } },
  })

  // The same host and secret, but where all can read it.
  const auth = { type: 'bearer', secret: 'SERVICE_KEY' }
  await put(acme, 'keyed', http('/mine', { auth: [auth] }))
  await publish('keyed')
  await ask(user, 'POST', `${TOOLS}/acme/keyed/install`, { allow_secrets: ['SERVICE_KEY'] })
  const field = { ...auth, type: 'body', name: 'text' }
  await put(acme, 'keyed', http('/notes/public', { method: 'POST', body: { as: 'json' }, auth: [field] }))
  await publish('keyed')
  expect(await ask(user, 'POST', `${TOOLS}/acme/keyed/upgrade`, {})).toMatchObject({
    status: 409,
    body: { errors: { breaking: false, needs_more: ['to send its secrets in another request'] } },
  })

  // What its owner changed, or put there, is no longer what was installed.
  await put(user, 'my.up', http('/mine'))
  expect((await upgrade({ accept_breaking: true })).status).toBe(409)
})

it('publishes a chain of the server’s tools, which works on the installer’s files', async () => {
  const steps = [{ id: 'kept', tool: 'file_write', input: { file_path: 'note.md', content: '${{ input.x }}' } }]
  await put(acme, 'note', { kind: 'chain', chain: { steps, output: '${{ steps.kept.result.file_path }}' } })
  expect((await publish('note')).body).toMatchObject({ needs: { tools: ['file_write'], hosts: [], code: false } })
  await ask(user, 'POST', `${TOOLS}/acme/note/install`, {})
  expect(await run(user, 'acme.note', { x: 'mine' })).toMatchObject({ data: { output: 'note.md' } })
  expect(await run(user, 'file_read', { file_path: 'note.md' })).toMatchObject({ state: 'done' })
  expect(await run(acme, 'file_read', { file_path: 'note.md' })).toMatchObject({ state: 'failed' })
})

it('refuses what is not for others, and names that are taken', async () => {
  await put(acme, 'inner', { kind: 'http', target: 'http://10.0.0.1/admin' })
  expect((await publish('inner')).status).toBe(403)
  await put(acme, 'leaky', http('/x', { headers: { 'X-Api-Key': 'abc' } }))
  expect((await publish('leaky')).status).toBe(400)
  await put(acme, 'chained', { kind: 'chain', chain: { steps: [{ id: 'a', tool: 'leaky' }] } })
  expect((await publish('chained')).body.detail).toContain('which others do not have')
  await put(user, 'mine', http('/x'))
  expect((await ask(user, 'POST', TOOLS, { id: 'mine', publisher: 'acme' })).status).toBe(409)
  expect((await ask(user, 'POST', TOOLS, { id: 'acme.keyed', publisher: 'copycat' })).body.detail).toContain('another')
  expect((await ask(user, 'DELETE', `${TOOLS}/acme/keyed`)).status).toBe(404)
})

it('takes reports, and lets the operator alone read them and block', async () => {
  await put(acme, 'bad', http('/bad'))
  await publish('bad')
  expect((await ask(user, 'POST', `${TOOLS}/acme/bad/report`, { reason: 'it is slow' })).status).toBe(200)
  expect((await ask(user, 'GET', '/v1/marketplace/reports')).status).toBe(403)
  const { adminToken } = toolyard()
  expect((await ask(adminToken, 'GET', '/v1/marketplace/reports')).body.data).toMatchObject([{ reason: 'it is slow' }])
  expect((await ask(acme, 'PUT', `${TOOLS}/acme/bad/block`, { reason: null })).status).toBe(403)
  expect((await ask(adminToken, 'PUT', `${TOOLS}/acme/bad/block`, { reason: 'slow' })).body).toMatchObject({
    blocked: true,
  })
  expect((await ask(user, 'GET', `${TOOLS}/acme/bad`)).status).toBe(404)
  expect((await publish('bad', { readme: 'new' })).status).toBe(403)
})
