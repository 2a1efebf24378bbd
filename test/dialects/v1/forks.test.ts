import { afterAll, expect, it } from 'vitest'
import { type LocalInternet, startLocalInternet } from '../../support/local-internet.ts'
import { aToolServer } from '../toolserver/support.ts'
import { sessionsOf } from './sessions-of.ts'

let internet: LocalInternet | undefined
const server = aToolServer(async () => {
  internet = await startLocalInternet(['greeting', 'farewell'])
  return { allow: [internet.host], vars: { PIP_INDEX_URL: internet.packageIndex } }
})
afterAll(() => internet?.stop())

const { ask, aSession } = sessionsOf(server)

/** Data of a call that is done. */
async function call(name: string, tool: string, args: object) {
  const { body } = await ask('POST', `/${name}/calls`, { tool, arguments: args })
  expect(body).toMatchObject({ state: 'done' })
  return body.data as Record<string, unknown>
}

const shell = async (name: string, command: string, more: object = {}) =>
  (await call(name, 'execute_shell', { command, workdir: '.', ...more })).stdout

async function fork(name: string, body: object = {}) {
  const answer = await ask('POST', `/${name}/fork`, body)
  expect(answer).toMatchObject({ status: 201 })
  return answer.body
}

it('a fork has what a command in the background has written so far, and the packages; neither sandbox sees files or processes of the other', async () => {
  const origin = await aSession({ requirements: ['greeting'] })
  await call(origin, 'pip_install', { packages: ['farewell==1.0'] })
  await shell(origin, 'python -c "import greeting, farewell"; mkdir -p src; echo 1 > src/a.txt; chmod 750 src/a.txt')
  // Named by a word that stands in no command which looks for it.
  const counting = 'n=0; while :; do n=$((n+1)); echo $n > count.txt; [ $n = 1 ] && touch begun; sleep 0.05; done'
  const { job_id } = await call(origin, 'execute_shell', {
    command: `exec -a origins-process bash -c '${counting}'`,
    ...{ workdir: '.', background: true },
  })
  await shell(origin, 'until [ -e begun ]; do sleep 0.05; done')

  const { name } = await fork(origin)
  // The first look at the fork's files needs no sandbox.
  const count = await (await server.request(`/v1/sessions/${name}/files/count.txt`)).text()
  expect(Number(count)).toBeGreaterThan(0)
  expect((await ask('GET', `/${name}`)).body.state).toBe('ready')
  const seen = await shell(
    name,
    'cat count.txt; stat -c %a src/a.txt; python -c "import greeting, farewell; print(farewell.__version__)"; pgrep -fc "[o]rigins-process"; true',
  )
  expect(seen).toBe(`${count}750\n1.0\n0\n`)
  expect(await shell(origin, 'pgrep -fc "[o]rigins-process"; true')).not.toBe('0\n')

  // What either does from now on is its own.
  await shell(name, 'echo fork > src/a.txt; (exec -a forks-process sleep 600 >/dev/null 2>&1 &)')
  expect(await shell(origin, 'cat src/a.txt; pgrep -fc "[f]orks-process"; true')).toBe('1\n0\n')
  const before = Number(await shell(name, 'cat count.txt'))
  expect(before).toBe(Number(count))
  expect(Number(await shell(origin, 'cat count.txt'))).toBeGreaterThan(before)
  const [one, other] = await Promise.all([ask('GET', `/${origin}`), ask('GET', `/${name}`)])
  expect([one.body.state, other.body.state]).toEqual(['running', 'running'])
  expect((await call(name, 'job_list', {})).jobs).toEqual([])

  // A fork goes on when its origin has gone.
  await call(origin, 'job_stop', { job_id })
  expect((await ask('DELETE', `/${origin}`)).status).toBe(204)
  expect(await shell(name, 'cat src/a.txt; python -c "import greeting"')).toBe('fork\n')
  await ask('DELETE', `/${name}`)
})

it('a fork has the internet policy, the lifetimes and the labels of its origin, and no more of the internet', async () => {
  const settings = { internet: false, lifetime_seconds: 5_000, idle_lifetime_seconds: 900, labels: { team: 'a' } }
  const origin = await aSession(settings)
  const { name, ...made } = await fork(origin, { title: 'beside' })
  expect(made).toMatchObject({ ...settings, title: 'beside' })
  const reach = `curl -sS --max-time 5 ${internet?.packageIndex} 2>/dev/null || echo unreachable`
  expect(await shell(name, reach)).toBe('unreachable\n')
  for (const session of [origin, name]) await ask('DELETE', `/${session}`)
})

it('the tools workspace_snapshot and workspace_fork do by the dialect of the Tool Server what the routes do, and say what went wrong', async () => {
  const task = await server.task()
  await task.write('plan.txt', 'first')
  expect(await task.call('workspace_snapshot', { name: 'before' })).toMatchObject({
    success: true,
    data: { name: 'before' },
  })
  await task.write('plan.txt', 'second')
  // The name of a snapshot is taken wherever a commit is.
  expect(await task.call('file_read', { file_path: 'plan.txt', as_of: 'before' })).toMatchObject({
    data: { content: 'first', as_of: 'before' },
  })
  expect(await task.call('workspace_diff', { from: 'before' })).toMatchObject({
    data: { diff: expect.stringContaining('-first') },
  })
  const forked = await task.call('workspace_fork', { as_of: 'before', title: 'again' })
  expect(forked).toMatchObject({ success: true, data: { name: expect.stringMatching(/^ses_/) } })
  const name = String(forked.data?.name)
  expect(await shell(name, 'cat plan.txt')).toBe('first')
  expect((await ask('GET', `/${name}`)).body.title).toBe('again')
  expect(await task.failure('workspace_fork', { name })).toMatch(/there is a .* already; give the fork another name/)
  expect(await task.failure('workspace_fork', { as_of: 'never' })).toMatch(/no snapshot never/)
  expect(await task.call('workspace_restore', { commit: 'before', path: 'plan.txt' })).toMatchObject({
    success: true,
    data: { changed: 1 },
  })
  expect(await task.call('workspace_snapshot', { action: 'list' })).toMatchObject({
    data: { snapshots: [{ name: 'before' }] },
  })
  await ask('DELETE', `/${name}`)
})
