import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { newKey } from '../../src/auth/key.ts'
import { createServer } from '../../src/server.ts'
import { migrateAll } from '../support/all-databases.ts'
import { migratePapers, PAPERS } from '../support/papers-database.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const { OPEN_TENANT: _, ...closed } = env
const SETTINGS = {
  ...closed,
  ENVIRONMENT: 'production',
  ADMIN_TOKEN: TOKEN,
  SECRETS_KEY: 'a key for secrets, of the tests alone',
}
const server = createServer(SETTINGS)
/** Settings of one machine, and of every server before papers had a database of their own. */
const earlier = createServer({ ...SETTINGS, PAPERS: undefined })

beforeAll(async () => {
  await migrateAll(env.DB)
  await migratePapers(PAPERS)
})

async function ask(on: typeof server, key: string, method: string, path: string, body?: object) {
  const init = { method, headers: { Authorization: `Bearer ${key}` }, ...(body && { body: JSON.stringify(body) }) }
  const answer = await on.fetch(new Request(`http://localhost${path}`, init))
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}

/** Key of a new tenant. */
async function keyOfNewTenant(): Promise<string> {
  const { body } = await ask(server, TOKEN, 'POST', '/admin/tenants', { name: 'T' })
  const made = await ask(server, TOKEN, 'POST', `/admin/tenants/${body.id}/keys`, { name: 'n', scopes: ['execute'] })
  return String(made.body.key)
}

/** A database whose queries begin and wait until they are let go. */
function heldUp(db: D1Database) {
  const letGo = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const held = (statement: D1PreparedStatement): D1PreparedStatement =>
    Object.assign(Object.create(statement), {
      bind: (...values: unknown[]) => held(statement.bind(...values)),
      async all() {
        begun.resolve()
        await letGo.promise
        return statement.all()
      },
    })
  const database = { prepare: (query: string) => held(db.prepare(query)) }
  return { database, begun: begun.promise, letGo: () => letGo.resolve() }
}

const PAPER = { id: 'otters-1', title: 'On otters', abstract: 'Otters swim.' }
const titlesOf = ({ body }: { readonly body: Record<string, unknown> }) =>
  (body.data as { readonly title: string }[]).map(({ title }) => title)

it('requests are authenticated while the database of papers answers nobody', async () => {
  const [key, other] = [await keyOfNewTenant(), await keyOfNewTenant()]
  expect(await ask(server, key, 'POST', '/v1/papers', PAPER)).toMatchObject({ status: 201 })
  const { database, begun, letGo } = heldUp(PAPERS)
  const busy = createServer({ ...SETTINGS, PAPERS: database })
  const waiting = ask(busy, key, 'GET', '/v1/papers')
  await begun
  // This server remembers neither of these keys: it has to look them up.
  expect(await ask(busy, other, 'GET', '/v1/keys/current')).toMatchObject({ status: 200 })
  expect(await ask(busy, newKey().text, 'GET', '/v1/keys/current')).toMatchObject({ status: 401 })
  expect(await ask(busy, TOKEN, 'GET', '/admin/tenants?limit=1')).toMatchObject({ status: 200 })
  letGo()
  expect(titlesOf(await waiting)).toEqual(['On otters'])
})

it('no paper is in the database of the keys', async () => {
  const key = await keyOfNewTenant()
  await ask(server, key, 'POST', '/v1/papers', { ...PAPER, id: 'otters-2' })
  const count = (db: D1Database) => db.prepare("SELECT count(*) AS n FROM papers WHERE id = 'otters-2'").first('n')
  expect([await count(env.DB), await count(PAPERS)]).toEqual([0, 1])
})

it('papers of a server with one database stay there until they are moved, and are all found then', async () => {
  const key = await keyOfNewTenant()
  const put = (id: string) => ask(earlier, key, 'POST', '/v1/papers', { ...PAPER, id, title: `On ${id}` })
  for (const id of ['sea-otters', 'river-otters']) expect(await put(id)).toMatchObject({ status: 201 })
  expect(titlesOf(await ask(earlier, key, 'GET', '/v1/papers'))).toEqual(['On river-otters', 'On sea-otters'])
  expect(await ask(earlier, TOKEN, 'POST', '/admin/papers/move')).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/bind one as PAPERS first/) },
  })

  expect(await ask(server, key, 'POST', '/admin/papers/move')).toMatchObject({ status: 403 })
  const move = () => ask(server, TOKEN, 'POST', '/admin/papers/move')
  const moved = async () => {
    const { status, body } = await move()
    expect(status).toBe(200)
    return body.done === true
  }
  while (!(await moved()));
  expect(titlesOf(await ask(server, key, 'GET', '/v1/papers'))).toEqual(['On river-otters', 'On sea-otters'])
  expect(await env.DB.prepare('SELECT count(*) AS n FROM papers').first('n')).toBe(0)
  expect(await move()).toEqual({ status: 200, body: { moved: 0, remaining: 0, done: true } })
})
