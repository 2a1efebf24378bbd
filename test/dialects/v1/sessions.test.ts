import { afterAll, expect, it } from 'vitest'
import { sandboxOf } from '../../support/sandbox-control.ts'
import { type StandIn, startStandIn } from '../../support/stand-in.ts'
import { askWith, newTenant } from '../../support/tenants.ts'
import { aToolServer } from '../toolserver/support.ts'
import { sessionsOf } from './sessions-of.ts'

let site: StandIn | undefined
const server = aToolServer(async () => {
  site = await startStandIn(() => ({ body: 'reached' }))
  return { allow: [site.host] }
})
afterAll(() => site?.stop())

const { ask, aSession } = sessionsOf(server)

/** What a shell command prints, and the notice that goes with it. */
async function shell(name: string, command: string): Promise<Record<string, unknown>> {
  const { body } = await ask('POST', `/${name}/calls`, { tool: 'execute_shell', args: { command } })
  expect(body).toMatchObject({ state: 'done' })
  return body.data
}

/** Connects to a site that sandboxes may reach, by its name and by its address. */
const reach = (name: string) => {
  const port = new URL(site?.url ?? '').port
  const get = (host: string) => `curl -sS --max-time 5 http://${host}:${port}/ 2>/dev/null || echo unreachable`
  return shell(name, `${get('host.sandbox.internal')}; echo; ${get('10.0.2.2')}; ls /sys/class/net`)
}
const REACHED = expect.stringMatching(/^reached\nreached/)
const CUT_OFF = expect.stringMatching(/^unreachable\n\nunreachable\n(lo\n)?$/)

it('commands of a session without the internet reach nothing, by name or by address', async () => {
  const [open, closed] = await Promise.all([aSession(), aSession({ internet: false })])
  expect(await reach(open)).toMatchObject({ stdout: REACHED })
  expect(await reach(closed)).toMatchObject({ stdout: CUT_OFF })
  const { environment } = (await ask('GET', `/${closed}`)).body
  expect(environment?.network ?? 'none').toMatch(/^none/)
  for (const name of [open, closed]) await ask('DELETE', `/${name}`)
})

it('commands of a session with a list of hosts reach these, in a shell and in a notebook, and are told the list for another', async () => {
  const [name, other] = await Promise.all([
    aSession({ internet: ['host.sandbox.internal'] }),
    aSession({ internet: ['elsewhere.example'] }),
  ])
  const url = `http://host.sandbox.internal:${new URL(site?.url ?? '').port}/`
  const run = async (session: string, tool: string, args: object) =>
    JSON.stringify((await ask('POST', `/${session}/calls`, { tool, args })).body)
  const code = `import urllib.request as r\nprint(r.urlopen("${url}").read())`
  expect(await run(name, 'execute_shell', { command: `curl -sS ${url}` })).toContain('reached')
  expect(await run(name, 'ipython_run', { command: code, timeout: 120 })).toContain('reached')
  expect(await run(other, 'execute_shell', { command: `curl -sS ${url}` })).toContain(
    'host.sandbox.internal is not allowed: this session may reach only elsewhere.example',
  )
  // The index is given up after some seconds, which a busy machine may need for less.
  await expect
    .poll(() => run(other, 'pip_install', { packages: ['flask'] }))
    .toContain(
      'the package index cannot be reached from the sandbox: pypi.org:443 (pypi.org is not allowed: this session may reach only elsewhere.example)',
    )
  const around = `curl -sS --max-time 5 --noproxy "*" http://10.0.2.2:${new URL(url).port}/ 2>/dev/null || echo unreachable`
  expect(await shell(name, around)).toMatchObject({ stdout: 'unreachable\n' })
  for (const one of [name, other]) await ask('DELETE', `/${one}`)
}, 240_000)

it('another internet policy is in force when its change is answered, also for a paused sandbox, and no file is lost', async () => {
  const name = await aSession()
  expect(await reach(name)).toMatchObject({ stdout: REACHED })
  await shell(name, 'echo kept > kept.txt; (setsid sleep 1000 >/dev/null 2>&1 &)')
  const changed = await ask('PATCH', `/${name}`, { internet: false })
  expect(changed).toMatchObject({ status: 200, body: { internet: false, state: 'ready' } })
  expect(await shell(name, 'cat kept.txt; pgrep -fc "[s]leep 1000"; true')).toMatchObject({ stdout: 'kept\n0\n' })
  expect(await reach(name)).toMatchObject({ stdout: CUT_OFF })

  expect((await ask('POST', `/${name}/pause`)).body.state).toBe('paused')
  expect((await ask('PATCH', `/${name}`, { internet: true })).body).toMatchObject({ internet: true, state: 'ready' })
  expect(await reach(name)).toMatchObject({ stdout: REACHED })
  await ask('DELETE', `/${name}`)
})

it("a tenant's new ceiling ends sandboxes that reach more, with what runs in them and no file lost, and holds for whatever is made after it", async () => {
  const { id, key } = await newTenant(server.toolyard())
  const { ask, aSession } = sessionsOf(server.as(key))
  const run = async (name: string, command: string) =>
    (await ask('POST', `/${name}/calls`, { tool: 'execute_shell', args: { command } })).body.data?.stdout
  const put = async (internet: object) => {
    const { adminToken } = server.toolyard()
    const { status } = await askWith(adminToken, server.toolyard(), 'PATCH', `/admin/tenants/${id}`, { internet })
    expect(status).toBe(200)
  }
  const states = (names: readonly string[]) =>
    Promise.all(names.map(async (name) => (await ask('GET', `/${name}`)).body.state))
  const url = `http://host.sandbox.internal:${new URL(site?.url ?? '').port}/`
  const get = `curl -sS --max-time 5 ${url} 2>/dev/null || echo unreachable`

  const [usual, own, paused] = await Promise.all([aSession(), aSession({ internet: true }), aSession()])
  expect(await Promise.all([usual, own, paused].map((name) => run(name, get)))).toEqual(Array(3).fill('reached'))
  await ask('POST', `/${paused}/pause`)
  const running = run(own, 'echo kept > kept.txt; sleep 1000')
  const written = { tool: 'file_read', args: { file_path: 'code_run/kept.txt' } }
  await expect.poll(async () => (await ask('POST', `/${own}/calls`, written)).body.data?.content).toBe('kept\n')

  await put({ ceiling: false })
  // The call has ended with its sandbox.
  await running
  await expect.poll(() => states([usual, own, paused])).toEqual(Array(3).fill('ready'))
  const { name: fork, internet } = (await ask('POST', `/${own}/fork`)).body
  expect(internet).toBe(false)
  const cutOff = (name: string) => run(name, `ls /sys/class/net; ${get}`)
  for (const name of [usual, own, paused, fork])
    expect([name, await cutOff(name)]).toEqual([name, expect.stringMatching(/^(lo\n)?unreachable\n$/)])
  expect(await run(own, 'cat kept.txt')).toBe('kept\n')
  expect((await ask('GET', `/${own}`)).body).toMatchObject({ internet: false })
  expect(await ask('POST', '', { internet: true })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('keeps sessions of your tenant from the network') },
  })

  await put({ ceiling: ['host.sandbox.internal'], default: false })
  const current = await server.as(key).json('/v1/keys/current')
  expect(current.body).toMatchObject({ internet: { default: false, ceiling: ['host.sandbox.internal'] } })
  const listed = ['host.sandbox.internal']
  const [withDefault, withOwn] = await Promise.all([usual, own].map((name) => ask('GET', `/${name}`)))
  expect([withDefault?.body.internet, withOwn?.body.internet]).toEqual([false, listed])
  expect((await ask('PATCH', `/${usual}`, { internet: listed })).body).toMatchObject({ internet: listed })
  expect(await run(usual, get)).toBe('reached')
  expect((await ask('PATCH', `/${usual}`, { internet: null })).body).toMatchObject({ internet: false })
  expect(await run(usual, get)).toBe('unreachable\n')
  for (const name of [usual, own, paused, fork]) await ask('DELETE', `/${name}`)
})

it('pausing takes the files over and keeps the processes, and both a call and a resume wake them', async () => {
  const name = await aSession()
  expect((await ask('POST', `/${name}/pause`)).body).toMatchObject({ state: 'ready', state_since: null })
  await shell(name, '(setsid sleep 1000 >/dev/null 2>&1 &); (sleep 0.2; echo late > late.txt) & echo begun')
  const control = await sandboxOf(server.toolyard(), name)
  const paused = await ask('POST', `/${name}/pause`)
  expect(paused).toMatchObject({ status: 200, body: { state: 'paused', state_since: expect.any(String) } })
  expect(await control?.state()).toBe('paused')
  expect(await ask('POST', `/${name}/pause`)).toMatchObject({ status: 200, body: { state: 'paused' } })
  expect((await ask('GET', `?state=paused`)).body.data.map((one: { name: string }) => one.name)).toContain(name)

  // A file tool does not need the sandbox, and so does not wake it.
  await ask('POST', `/${name}/calls`, { tool: 'file_write', args: { file_path: 'b', content: 'b' } })
  expect((await ask('GET', `/${name}`)).body.state).toBe('paused')

  expect((await ask('POST', `/${name}/resume`)).body.state).toBe('running')
  expect(await control?.state()).toBe('running')
  expect((await ask('GET', `?state=running`)).body.data.map((one: { name: string }) => one.name)).toContain(name)
  await ask('POST', `/${name}/pause`)
  expect(await shell(name, 'pgrep -fc "[s]leep 1000"')).toMatchObject({ stdout: '1\n' })
  expect((await ask('GET', `/${name}`)).body.state).toBe('running')

  expect((await ask('DELETE', `/${name}`)).status).toBe(204)
  expect(await control?.state()).toBeNull()
})

it('resuming a session without a sandbox makes one, with its files and the internet policy of the session', async () => {
  const name = await aSession({ internet: false, files: [{ path: 'code_run/a.txt', text: 'first' }] })
  expect((await ask('POST', `/${name}/resume`)).body).toMatchObject({ state: 'running', internet: false })
  expect(await shell(name, 'cat a.txt')).toMatchObject({ stdout: 'first' })
  expect(await reach(name)).toMatchObject({ stdout: CUT_OFF })
  await ask('DELETE', `/${name}`)
})

it('a running call keeps its sandbox from a pause and from another policy, which say which it is, until it is forced', async () => {
  const name = await aSession()
  await shell(name, 'true')
  const running = ask('POST', `/${name}/calls`, {
    tool: 'execute_shell',
    args: { command: 'echo written > written.txt; sleep 1000', timeout: 900 },
  })
  const ids = async (): Promise<string[]> => (await ask('GET', `/${name}`)).body.running_calls
  const written = () =>
    ask('POST', `/${name}/calls`, { tool: 'file_read', args: { file_path: 'code_run/written.txt' } })
  await expect.poll(async () => (await written()).body.data?.content).toBe('written\n')
  const [id = ''] = await ids()
  for (const refused of [
    await ask('POST', `/${name}/pause`),
    await ask('PATCH', `/${name}`, { internet: false, title: 'not taken' }),
  ]) {
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', detail: expect.stringContaining(id) } })
  }
  expect((await ask('GET', `/${name}`)).body).toMatchObject({ internet: true, title: name, state: 'running' })

  expect((await ask('POST', `/${name}/pause?force=true`)).body).toMatchObject({ state: 'paused', running_calls: [] })
  expect((await running).body).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('cancelled') },
  })
  expect(await shell(name, 'cat written.txt')).toMatchObject({ stdout: 'written\n' })
  await ask('DELETE', `/${name}`)
})

it('a session of another tenant is none: it is not in the list, cannot be changed, paused or deleted, and its name is free', async () => {
  const name = await aSession({ labels: { of: 'dev' } })
  const { key } = await newTenant(server.toolyard())
  const other = server.as(key)
  const send = async (method: string, path: string, body?: object) =>
    (await other.request(`/v1/sessions${path}`, { method, ...(body && { body: JSON.stringify(body) }) })).status
  expect((await other.json('/v1/sessions?labels=of:dev')).body).toEqual({ data: [], next_cursor: null })
  for (const [method, path, body] of [
    ['GET', `/${name}`],
    ['PATCH', `/${name}`, { title: 'theirs' }],
    ['POST', `/${name}/pause`],
    ['POST', `/${name}/resume`],
    ['DELETE', `/${name}`],
  ] as const)
    expect([method, await send(method, path, body)]).toEqual([method, 404])
  expect(await send('POST', '', { name })).toBe(201)
  expect(await send('DELETE', `/${name}`)).toBe(204)
  expect((await ask('GET', `/${name}`)).body).toMatchObject({ title: name })
  await ask('DELETE', `/${name}`)
})
