import { afterAll, expect, it } from 'vitest'
import { aToolServer } from '../dialects/toolserver/support.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { newKey, newTenant } from '../support/tenants.ts'

const OPERATOR = 'ghp_of_the_operator'
const SECRET = 'ghp_0123456789_of_a_tenant'

let github: StandIn | undefined
const server = aToolServer(async () => {
  github = await startStandIn(() => ({ body: '{"total_count":0,"incomplete_results":false,"items":[]}' }))
  return { vars: { GITHUB_API_URL: github.url, GITHUB_TOKEN: OPERATOR } }
})
afterAll(() => github?.stop())

async function v1(key: string, method: string, path: string, body?: object) {
  const response = await fetch(`${server.url()}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** A tenant with a key for agents, and one for its owner. */
async function aTenant() {
  const toolyard = server.toolyard()
  const { id, key } = await newTenant(toolyard)
  const owner = await newKey(toolyard, id, ['admin'])
  const as = server.as(key)
  await as.create({ task_id: 'task', task_name: 'Task' })
  const search = async (params: object = {}) => {
    const task_id = 'task'
    const { body } = await as.execute({
      task_id,
      tool_name: 'github_search_repositories',
      params: { query: 'x', ...params },
    })
    return { body, sent: github?.requests.at(-1)?.headers.authorization }
  }
  return { agent: key, owner, search, as }
}

it("a tenant's secret is used by its own calls that bring none, and by nobody else's", async () => {
  const [one, two] = [await aTenant(), await aTenant()]
  expect((await one.search()).sent).toBe(`Bearer ${OPERATOR}`)
  const put = await v1(one.owner, 'PUT', '/v1/secrets/GITHUB_TOKEN', { value: SECRET })
  expect(put.status).toBe(200)
  const used = await one.search()
  expect(used.sent).toBe(`Bearer ${SECRET}`)
  expect(used.body).toMatchObject({ success: true })
  expect((await one.search({ token: 'of-the-call' })).sent).toBe('Bearer of-the-call')
  expect((await two.search()).sent).toBe(`Bearer ${OPERATOR}`)
  expect(await v1(two.owner, 'GET', '/v1/secrets')).toEqual({ status: 200, text: '{"data":[],"next_cursor":null}' })
  expect((await v1(two.owner, 'DELETE', '/v1/secrets/GITHUB_TOKEN')).status).toBe(404)

  const listed = await v1(one.owner, 'GET', '/v1/secrets')
  expect(JSON.parse(listed.text)).toEqual({
    data: [{ name: 'GITHUB_TOKEN', changed_at: expect.any(String) }],
    next_cursor: null,
  })
  const calls = await v1(one.owner, 'GET', '/v1/sessions/task/calls')
  const logs = JSON.stringify(server.toolyard().worker.logs())
  for (const text of [put.text, listed.text, calls.text, JSON.stringify(used.body), logs])
    expect(text).not.toContain(SECRET)

  expect((await v1(one.owner, 'DELETE', '/v1/secrets/GITHUB_TOKEN')).status).toBe(204)
  expect((await one.search()).sent).toBe(`Bearer ${OPERATOR}`)
})

it('a secret that was replaced or removed is not sent once that is answered, however often a session has sent it', async () => {
  const { owner, search } = await aTenant()
  const put = (value: string) => v1(owner, 'PUT', '/v1/secrets/GITHUB_TOKEN', { value })
  await put(SECRET)
  for (let time = 0; time < 3; time++) expect((await search()).sent).toBe(`Bearer ${SECRET}`)
  const calls = async () => JSON.parse((await v1(owner, 'GET', '/v1/usage')).text).total.calls
  // The session has reported, and goes by what it remembers from now on.
  await expect.poll(calls).toBeGreaterThanOrEqual(3)
  for (const value of ['ghp_next_one', 'ghp_last_one']) {
    for (let time = 0; time < 2; time++) expect((await search()).sent).not.toBe(`Bearer ${value}`)
    await put(value)
    for (let time = 0; time < 2; time++) expect((await search()).sent).toBe(`Bearer ${value}`)
  }
  await v1(owner, 'DELETE', '/v1/secrets/GITHUB_TOKEN')
  expect((await search()).sent).toBe(`Bearer ${OPERATOR}`)
})

it('an agent neither puts, lists nor removes secrets, and nothing reads one back', async () => {
  const { agent, owner } = await aTenant()
  await v1(owner, 'PUT', '/v1/secrets/GITHUB_TOKEN', { value: SECRET })
  for (const [method, path] of [
    ['PUT', '/v1/secrets/GITHUB_TOKEN'],
    ['GET', '/v1/secrets'],
    ['DELETE', '/v1/secrets/GITHUB_TOKEN'],
  ] as const) {
    const { status, text } = await v1(agent, method, path, method === 'PUT' ? { value: 'mine' } : undefined)
    expect({ status, code: JSON.parse(text).code }).toEqual({ status: 403, code: 'forbidden' })
  }
  expect((await v1(owner, 'GET', '/v1/secrets/GITHUB_TOKEN')).status).toBe(405)
  const wrong = await v1(owner, 'PUT', '/v1/secrets/github', { value: SECRET })
  expect(wrong.status).toBe(400)
  expect(wrong.text).not.toContain(SECRET)
})
