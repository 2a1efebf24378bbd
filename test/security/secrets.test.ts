import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { aToolServer, type Task } from '../dialects/toolserver/support.ts'
import { type GitServer, startGitServer } from '../support/git-server.ts'
import { sandboxOf, sessionStorage } from '../support/sandbox-control.ts'
import { newTenant } from '../support/tenants.ts'

const TOKEN = 'tok-0123456789-abcdef-is-secret'

let git: (GitServer & { stop(): void }) | undefined
const server = aToolServer(async () => {
  git = await startGitServer({ tls: true, auth: `x-access-token:${TOKEN}` })
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: new URL(git.url).host }, certificate: git.certificate }
})
afterAll(() => git?.stop())

/** With what stands before the host. */
const repository = (credentials = '', name = 'project') =>
  `https://${credentials}${new URL(git?.url ?? '').host}/${name}.git`

/** Every place in which something of a task could be kept, as text. */
async function everythingKept(task: Task): Promise<string> {
  const storage = sessionStorage(server.toolyard(), task.id)
  const tables = (await storage.exec(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`,
  )) as {
    name: string
  }[]
  const rows = await Promise.all(tables.map(({ name }) => storage.exec(`SELECT * FROM "${name}"`)))
  const sandbox = await sandboxOf(server.toolyard(), task.id)
  return [
    JSON.stringify(rows, (_, value) => (value instanceof ArrayBuffer ? Buffer.from(value).toString('latin1') : value)),
    await task.read(`logs/${task.id}_detail.log`),
    await task.read(`logs/${task.id}_process.log`),
    JSON.stringify(server.toolyard().worker.logs()),
    ...filesBelow(join(server.toolyard().sandboxd.state, 's', sandbox?.id ?? '')),
  ].join('\n')
}

const filesBelow = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))

describe('a token that opens a repository', () => {
  it.each([
    ['as its own argument', () => ({ repo_url: repository(), token: TOKEN })],
    ['in the URL', () => ({ repo_url: repository(`x-access-token:${TOKEN}@`) })],
  ])('%s is used, and is in no answer, history, log, file of the sandbox or .git/config', async (_, params) => {
    const task = await server.task()
    const answer = await task.call('git_clone', params())
    expect(answer).toMatchObject({ success: true, data: { repo_url: repository(), commit: git?.commit } })
    expect(git?.authorizations.at(-1)).toBe(`x-access-token:${TOKEN}`)
    expect(await task.read('upload/project/.git/config')).toContain(repository())
    expect(JSON.stringify(answer)).not.toContain(TOKEN)
    const kept = await everythingKept(task)
    expect(kept).toContain('git_clone')
    expect(kept).toContain(repository())
    expect(kept).not.toContain(TOKEN)
  })

  it.each([
    ['a repository that does not exist', () => ({ repo_url: repository('', 'none'), token: TOKEN }), /not found/],
    ['a host that does not answer', () => ({ repo_url: `https://u:${TOKEN}@127.0.0.1:9/x.git` }), /127\.0\.0\.1/],
    ['a plain http URL', () => ({ repo_url: `http://u:${TOKEN}@127.0.0.1/x.git` }), /only sent over https/],
    ['a URL that is none', () => ({ repo_url: `https//u:${TOKEN}@host/x.git` }), /repo_url must be/],
    ['a URL without a scheme', () => ({ repo_url: `u:${TOKEN}@host.example/x.git` }), /repo_url must be|ssh URLs/],
    ['an ssh URL', () => ({ repo_url: `ssh://u:${TOKEN}@host/x.git` }), /ssh URLs cannot be cloned/],
  ])('does not come back with %s', async (_, params, error) => {
    const task = await server.task()
    const answer = await task.call('git_clone', params())
    expect(answer).toMatchObject({ success: false, error: expect.stringMatching(error) })
    expect(JSON.stringify(answer)).not.toContain(TOKEN)
    expect(await everythingKept(task)).not.toContain(TOKEN)
  })

  it('cannot be read by what else runs in the sandbox afterwards', async () => {
    const task = await server.task()
    await task.done('git_clone', { repo_url: repository(), token: TOKEN })
    const look =
      'cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline ~/.git-credentials ~/.gitconfig 2>/dev/null; grep -rl "$1" ~ /tmp; true'
    const { stdout } = await task.shell(look)
    expect(stdout).not.toContain(TOKEN)
  })
})

it('a repository that does not exist is said to, with what to check', async () => {
  const task = await server.task()
  expect(await task.failure('git_clone', { repo_url: repository('', 'none'), token: TOKEN })).toMatch(
    /^Git clone failed: .*repository '.*none\.git\/?' not found; check repo_url, and give token if the repository is private$/s,
  )
  expect(await task.failure('file_read', { file_path: 'upload/none/.git/config' })).toMatch(/^File not found/)
})

it('a credential in a command is kept in no history or log, however the command is cut there', async () => {
  const task = await server.task()
  for (let length = 470; length < 520; length += 7) {
    await task.shell(`: ${'x'.repeat(length - 20)} https://ann:${TOKEN}@host.example/ ${'y'.repeat(100)}`)
  }
  const storage = sessionStorage(server.toolyard(), task.id)
  const kept = JSON.stringify(await storage.exec('SELECT args, answer FROM calls'))
  expect(kept).toContain('xxx')
  expect(kept).not.toContain(TOKEN.slice(0, 6))
})

it("credentials in a package's URL come back in no answer and are kept nowhere", async () => {
  const task = await server.task()
  const answer = await task.call('pip_install', {
    packages: [`https://user:${TOKEN}@127.0.0.1:9/x-1.0-py3-none-any.whl`],
  })
  expect(answer).toMatchObject({
    success: false,
    data: { results: [{ package: expect.stringContaining('https://***@127.0.0.1:9/') }] },
  })
  expect(JSON.stringify(answer)).not.toContain(TOKEN)
  expect(await everythingKept(task)).not.toContain(TOKEN)
})

describe('an API key', () => {
  const tool = (task_id: string, tool_name: string, params: object = {}) => ({
    method: 'POST',
    body: JSON.stringify({ task_id, tool_name, params }),
  })

  it.each([
    ['in a header', (key: string) => ({ path: '', headers: { Authorization: `Bearer ${key}` } })],
    ['in the other header', (key: string) => ({ path: '', headers: { 'X-API-Key': key } })],
    ['in the path', (key: string) => ({ path: `/k/${key}`, headers: {} })],
  ])('%s is good, and is in no answer, no log, no history and no sandbox', async (_, show) => {
    const { id: tenant, key } = await newTenant(server.toolyard())
    const { path, headers } = show(key)
    const answers: string[] = []
    const ask = async (below: string, init: RequestInit = {}) => {
      const answer = await server.request(`${path}${below}`, { ...init, headers })
      answers.push(await answer.text(), JSON.stringify([...answer.headers]))
      return answer.status
    }
    expect(await ask('/api/task/create?task_id=t&task_name=x', { method: 'POST' })).toBe(200)
    expect(await ask('/api/tool/execute', tool('t', 'execute_shell', { command: 'env; cat /proc/*/environ' }))).toBe(
      200,
    )
    expect(await ask('/api/tool/execute', tool('t', 'no_such_tool'))).toBe(200)
    expect(await ask('/api/tool/execute', { method: 'POST', body: '{' })).toBe(422)
    expect(await ask('/api/download/t/none')).toBe(404)
    expect(await ask('/api/nothing')).toBe(404)
    expect(await ask('/nothing')).toBe(404)
    expect(await ask('/health')).toBe(200)
    const storage = sessionStorage(server.toolyard(), 't', tenant)
    const kept = JSON.stringify([await storage.exec('SELECT * FROM calls'), server.toolyard().worker.logs()])
    const secret = key.slice(-49)
    expect(answers.join()).not.toContain(secret)
    expect(kept).toContain('execute_shell')
    expect(kept).not.toContain(secret)
  })

  it.each([
    ['unknown', (key: string) => `${key.slice(0, -60)}${'A'.repeat(11)}${key.slice(-49)}`],
    [
      'of a good form, with another secret',
      (key: string) => `${key.slice(0, 20)}${key[20] === 'x' ? 'y' : 'x'}${key.slice(21)}`,
    ],
    ['cut off', (key: string) => key.slice(0, -1)],
    ['empty', () => ''],
    ['something else', () => "' OR 1=1 --"],
  ])('that is %s is refused in the shape of the dialect, without being echoed', async (_, spoil) => {
    const { key } = await newTenant(server.toolyard())
    const bad = spoil(key)
    for (const [path, headers] of [
      ['/api/task/list', { Authorization: `Bearer ${bad}` }],
      ['/api/task/list', { 'X-API-Key': bad }],
      ...(bad === '' ? [] : [[`/k/${encodeURIComponent(bad)}/api/task/list`, {}] as const]),
    ] as const) {
      const answer = await server.request(path, { headers })
      const text = await answer.text()
      expect({ status: answer.status, text }).toEqual({
        status: 401,
        text: expect.stringMatching(/^\{"detail":"this key is not valid/),
      })
      if (bad !== '') expect(text + JSON.stringify([...answer.headers])).not.toContain(bad)
    }
  })
})

it('what goes wrong inside is answered without a trace of the inside', async () => {
  const task = await server.task()
  const storage = sessionStorage(server.toolyard(), task.id)
  await storage.exec('DROP TABLE workspace_contents')
  const answer = await task.call('file_read', { file_path: 'config/meta.json' })
  expect(answer).toMatchObject({
    success: false,
    data: null,
    error: 'internal error; try again, and report it if it stays',
  })
  const download = await server.request(`/api/download/${task.id}/config/meta.json`)
  const text = await download.text()
  expect(download.status).toBe(500)
  for (const inner of ['workspace_contents', 'SQL', ' at ', 'src/', process.cwd()]) {
    expect(JSON.stringify(answer) + text).not.toContain(inner)
  }
})
