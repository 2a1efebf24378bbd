import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { lagent } from '../../src/http/dialects/lagent/routes.ts'
import { toolcore } from '../../src/http/dialects/toolcore/routes.ts'
import { toolserver } from '../../src/http/dialects/toolserver/routes.ts'
import { v1 } from '../../src/http/dialects/v1/routes.ts'
import { xagent } from '../../src/http/dialects/xagent/routes.ts'
import { routesOf } from '../../src/http/operations/route.ts'
import { createServer, type Server } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'
import { NO_KEYS } from '../support/no-keys.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const { OPEN_TENANT: _, ...closed } = env

/** Routes of all dialects; what stands behind those of v1 is the server's. */
const V1 = v1({ ...NO_KEYS, ...({ publicPapers: null, adminToken: TOKEN } as Parameters<typeof v1>[0]) })
const ROUTES = [V1, toolserver, xagent, lagent, toolcore].flatMap(({ name, app }) =>
  app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ dialect: name, method, path, title: `${name} ${method} ${path}` })),
)

/**
 * Routes that a key for one session is answered by with success, whatever else it names: they show what belongs to no session, or
 * to the key itself. A new route that lets such a key in fails the test below, until somebody decides and docs/dialects/v1-keys.md
 * says so.
 */
const OPEN: ReadonlySet<string> = new Set([
  'v1 GET /v1/openapi.json',
  'v1 GET /v1/keys/current',
  'v1 GET /v1/keys/current/children',
  'v1 GET /v1/console-sessions',
  'v1 GET /v1/sessions',
  'v1 GET /v1/questions',
  'v1 POST /v1/chains/dry-run',
  'v1 GET /v1/tools',
  'v1 GET /v1/toolkits',
  'v1 GET /v1/tools/registered',
  'v1 GET /v1/apis',
  'v1 GET /v1/usage',
  'v1 GET /v1/usage/export',
  'toolserver GET /health',
  'toolserver GET /',
  'toolserver GET /api/tools',
  'toolserver GET /api/tools/info',
  'toolserver GET /api/task/list',
  'xagent GET /alive',
  'lagent GET /lagent/tools',
  'toolcore GET /health',
  'toolcore GET /internal/tools',
  'toolcore GET /internal/usage/tools',
  'toolcore GET /internal/usage/summary',
])

/** Routes of published dialects that say no with 200, and what they say then. */
const SAYS_NO: ReadonlyMap<string, RegExp> = new Map([
  ['toolserver POST /api/tool/execute', /"success":false/],
  ['toolserver GET /api/hil/:id', /"found":false/],
  ['toolserver GET /api/tool-confirmation/:id', /"found":false/],
  ['xagent POST /close_session', /invalid node_id/],
  ['xagent POST /reconnect_session', /invalid node_id/],
  ['xagent POST /release_session', /invalid node_id/],
])

/** Examples of the operations of /v1, by method and path: requests that are let in as far as what they say goes. */
const EXAMPLES = new Map(
  routesOf(V1.app).map(({ method, path, operation }) => [`${method.toUpperCase()} ${path}`, operation.example]),
)

/** What a request names: a session, its node, and a human task or anything else by its id. */
interface Named {
  readonly session: string
  readonly node: string
  readonly id: string
}

const ABSENT: Named = { session: 'absen-session', node: 'b'.repeat(64), id: 'absen-task' }
/** What nobody but keys for the other session should ever read. */
const MARKS = {
  title: 'Zebra-Title',
  content: 'Zebra-Content',
  question: 'Zebra-Question',
  label: 'Zebra-Label',
}
const FILE = 'a-file.txt'

let server: Server
let root: string
let child: string
let other: Named

const ask = (key: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.fetch(
    new Request(`http://test${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body: JSON.stringify(body) }),
    }),
  )

async function json(key: string, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await ask(key, method, path, body)
  const read = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(read)}`)
  return read
}

beforeAll(async () => {
  await migrateKeys(env.DB)
  server = createServer({ ...closed, ENVIRONMENT: 'production', ADMIN_TOKEN: TOKEN })
  const { id } = await json(TOKEN, 'POST', '/admin/tenants', { name: 'T' })
  root = String((await json(TOKEN, 'POST', `/admin/tenants/${id}/keys`, { name: 'n', scopes: ['admin'] })).key)
  await json(root, 'POST', '/v1/sessions', { name: 'mine' })
  const cookie = (await ask(root, 'POST', '/get_cookie')).headers.get('Set-Cookie') ?? ''
  const [, node = ''] = /node_id=([0-9a-f]{64})/.exec(cookie) ?? []
  expect(node).toHaveLength(64)
  other = { session: 'other-session', node, id: 'zebra-task' }
  const { session } = other
  await json(root, 'POST', '/v1/sessions', { name: session, title: MARKS.title, labels: { zebra: MARKS.label } })
  const call = { tool: 'file_write', args: { file_path: FILE, content: MARKS.content } }
  await json(root, 'POST', `/v1/sessions/${session}/calls`, call)
  const confirm = {
    confirm_id: other.id,
    task_id: session,
    tool_name: 'execute_shell',
    arguments: { command: MARKS.question },
  }
  await json(root, 'POST', '/api/tool-confirmation/create', confirm)
  const minted = await json(root, 'POST', '/v1/keys/current/children', { sessions: { names: ['mine'] } })
  child = String(minted.key)
})

/** Body that has a session in every field that some dialect reads one from. */
const bodyFor = ({ session, id }: Named) => ({
  ...{ task_id: session, session, name: session, tool_name: 'file_read', tool: 'file_read', workspace_id: session },
  ...{ params: { file_path: FILE }, args: { file_path: FILE }, arguments: {}, inputs: {}, parameters: {} },
  ...{ tool_id: 'x', agent_id: 'a', microdao_id: session, confirm_id: id, arguments_text: '', title: 'x', result: 'x' },
})

/** Body of an example, which makes the session where it makes one. */
const exampleBody = (body: unknown, { session }: Named) =>
  typeof body === 'object' && body !== null && 'labels' in body && 'name' in body ? { ...body, name: session } : body

/** Path of a route with a session, and an id, in each of its places. */
const pathFor = (path: string, { session, id }: Named, query: Readonly<Record<string, string>> | undefined) => {
  const own = new URLSearchParams(query)
  const filled = path
    .replaceAll(/\{[^}]*\}/g, '')
    .replace('*', `${session}/status`)
    .replaceAll(/:(\w+)/g, (_, name: string) => (/^(session|name)$/.test(name) ? session : id))
  return query
    ? `${filled}?${own}`
    : `${filled}?task_id=${session}&session=${session}&task_name=x&workspace_id=${session}`
}

/** Answer to a request that names these things wherever it can, comparable with that for others. */
async function answerFor({ method, path }: (typeof ROUTES)[number], named: Named) {
  const headers = {
    Cookie: `node_id=${named.node}`,
    ...(path.startsWith('/health') || path.startsWith('/internal') ? { 'X-Internal-Secret': child } : {}),
  }
  const example = EXAMPLES.get(`${method} ${path}`)
  const body = example ? exampleBody(example.body, named) : bodyFor(named)
  const answer = await ask(child, method, pathFor(path, named, example && (example.query ?? {})), body, headers)
  const text = await answer.text()
  const comparable = text
    .replaceAll(named.session, '<session>')
    .replaceAll(named.node, '<node>')
    .replaceAll(named.node.slice(0, 32), '<node>')
    .replaceAll(named.id, '<id>')
    .replaceAll(/"request_id":"[^"]*"|"execution_time":[\d.]+/g, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+/g, '')
  return { status: answer.status, ok: answer.ok, text, comparable }
}

it.each(ROUTES)(
  '$title lets a key for one session into no other, and does not tell whether there is one',
  async (route) => {
    const [answer, absent] = [await answerFor(route, other), await answerFor(route, ABSENT)]
    for (const mark of Object.values(MARKS)) expect(answer.text).not.toContain(mark)
    expect(answer.comparable).toBe(absent.comparable)
    expect(answer.status).toBe(absent.status)
    expect(answer.status).toBeLessThan(500)
    const no = SAYS_NO.get(route.title)
    if (no) expect(answer.text).toMatch(no)
    else if (!OPEN.has(route.title)) expect(answer.ok, `${answer.status} ${answer.text.slice(0, 300)}`).toBe(false)
  },
)

it('every route that is let in by name is there', () => {
  const titles = new Set(ROUTES.map(({ title }) => title))
  expect([...OPEN, ...SAYS_NO.keys()].filter((title) => !titles.has(title))).toEqual([])
})

it('after all of that the other session is as it was', async () => {
  const read = { tool: 'file_read', args: { file_path: FILE } }
  const { text } = await json(root, 'POST', `/v1/sessions/${other.session}/calls`, read)
  expect(text).toContain(MARKS.content)
  const { data } = (await json(child, 'GET', '/v1/sessions')) as { data: { name: string }[] }
  expect(data.map(({ name }) => name)).toEqual(['mine'])
  expect((await json(root, 'GET', '/v1/sessions')).data).toHaveLength(3)
})
