import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { type LocalInternet, startLocalInternet } from '../support/local-internet.ts'
import { endServers, refusedStart, startedState, startServer } from '../support/npm-start.ts'
import { commandLine, isAlive, processesMentioning } from '../support/processes.ts'
import { startWranglerDev } from '../support/wrangler-dev.ts'
import { wrongKey } from '../support/wrong-key.ts'

const run = promisify(execFile)

let internet: LocalInternet
let state: string

beforeAll(async () => {
  internet = await startLocalInternet(['tiny'])
})
afterAll(() => internet.stop())
afterEach(async () => {
  await endServers()
  await rm(state, { recursive: true, force: true })
})

const newState = async () => {
  state = await mkdtemp(join(tmpdir(), 'toolyard-start-'))
}

const started = async () => {
  state = await startedState()
}

type Settings = Readonly<Record<string, string>>

const own = (settings: Settings) => ({
  TOOLYARD_STATE: state,
  SANDBOXD_ALLOW: internet.host,
  PIP_INDEX_URL: internet.packageIndex,
  ...settings,
})

async function start(by: 'npm' | 'node', settings: Settings = {}) {
  const server = await startServer(by, own(settings))
  return { ...server, bannerCurl: () => /^ {2}(curl .*)$/m.exec(server.output())?.[1] ?? 'false' }
}

const refused = (settings: Settings) => refusedStart(own(settings))

describe('npm start', () => {
  it('serves what its banner says, keeps everything over restarts, and leaves no process', async () => {
    await newState()
    const first = await start('npm')
    expect(first.output()).toMatch(/making the tables for keys/)
    expect(await shell(first.bannerCurl())).toMatchObject({ success: true, data: { task_id: 'my_task' } })
    expect(first.output()).toMatch(/putting \d+ papers into the library/)
    const found = await first.tool('rag_search_abstracts', { query: 'transformer attention mechanism' })
    expect(found).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ file_id: '1706.03762v7' })]),
    })
    const asPrinted = { query: 'multi-head attention', file_id: '2017.03762v7' }
    expect(await first.tool('rag_search_details', asPrinted)).toMatchObject({ results: [{ doc_id: 'chunk_001' }] })
    const of2023 = { query: 'large language model', publish_year_filter: '2023' }
    expect(await first.tool('rag_search_abstracts_filtered', of2023)).toMatchObject({ results: [{}, {}, {}, {}, {}] })
    const spares = () => runningSpares(first.listening('sandboxd/main.ts')[0])
    await expect.poll(spares).toHaveLength(1)
    const [spare] = await spares()
    const hello = { command: 'echo hello from $(whoami) | tee hello.txt; echo $E2B_SANDBOX_ID' }
    // The first command finds a sandbox booted, and another one is booted for the next task.
    expect(await first.tool('execute_shell', hello)).toMatchObject({ stdout: `hello from user\n${spare}\n` })
    await expect.poll(spares).toHaveLength(2)
    await first.tool('file_write', { file_path: 'page.html', content: '<h1>Hello</h1><p>from a page</p>' })
    expect(await first.tool('parse_document', { file_path: 'page.html' })).toMatchObject({
      content: expect.stringContaining('from a page'),
    })
    expect(await first.tool('pip_install', { packages: ['tiny'] })).toMatchObject({ results: [{ success: true }] })

    const token = readFileSync(join(state, 'admin-token'), 'utf8').trim()
    expect(await first.status('/admin/tenants', token)).toBe(200)
    expect(await first.status('/admin/tenants', 'another')).toBe(401)
    expect(first.family().map(commandLine)).not.toContainEqual(expect.stringContaining(token))
    for (const name of ['admin-token', 'secrets-key', 'migrated']) expect(mode(name)).toBe(0o600)
    for (const name of ['worker', 'worker-temporary']) expect(mode(name)).toBe(0o700)
    expect(existsSync(join(state, 'worker.env'))).toBe(false)

    expect(await first.end('SIGTERM')).toEqual({ left: [], code: expect.toBeOneOf([0, null]) })

    const second = await start('node')
    expect(second.output()).not.toMatch(/making the tables|building|putting/)
    expect(await second.status('/api/task/my_task/status')).toBe(200)
    expect(await second.tool('file_read', { file_path: 'code_run/hello.txt' })).toMatchObject({
      content: 'hello from user\n',
    })
    const imports = { command: 'python3 -c "import tiny; print(tiny.__version__)"' }
    expect(await second.tool('execute_shell', imports)).toMatchObject({ stdout: '1.0\n' })
    expect(await second.status('/admin/tenants', token)).toBe(200)
    expect(await second.end('SIGINT')).toEqual({ left: [], code: 0 })
  })

  it('leaves nothing behind when it is killed, and starts again at once on the same port', async () => {
    await started()
    const killed = await start('node')
    await shell(killed.bannerCurl())
    await killed.tool('execute_shell', { command: 'echo kept > kept.txt; sleep 600 &' })
    const left = killed.end('SIGKILL')

    const npmKilled = await start('npm', { PORT: String(killed.port) })
    expect(await left).toMatchObject({ left: [] })
    expect(await npmKilled.tool('execute_shell', { command: 'cat kept.txt' })).toMatchObject({ stdout: 'kept\n' })
    expect(await npmKilled.end('SIGKILL')).toMatchObject({ left: [] })
  })

  it('starts the sandbox host again when it is killed or hangs; its calls say so, the next has files and packages', async () => {
    await started()
    // So that at the end there is no sandbox when the task is gone.
    const server = await start('node', { SANDBOX_SPARES: '0' })
    await shell(server.bannerCurl())
    await server.tool('pip_install', { packages: ['tiny'] })
    for (const [round, signal, why] of [
      [1, 'SIGKILL', 'ended (SIGKILL)'],
      [2, 'SIGSTOP', 'did not answer for 9 s'],
    ] as const) {
      const before = server.output().length
      const cut = server.call('execute_shell', {
        command: `echo begun > begun.txt; echo ${round} > round.txt; sleep 600`,
      })
      const hasBegun = () => server.tool('file_read', { file_path: 'code_run/round.txt' })
      await expect.poll(hasBegun).toMatchObject({ content: `${round}\n` })
      const old = server.familyOf('src/sandboxd/main.ts')
      process.kill(old[0] ?? Number.NaN, signal)
      expect(await cut).toMatchObject({
        success: false,
        error: expect.stringMatching(/the sandbox ended while this ran.*what it wrote is kept. Call again/),
      })
      expect(ownLines(server.output().slice(before))).toEqual([
        `Toolyard: the sandbox host ${why}; starting it again, what ran in sandboxes is lost, files stay`,
      ])
      await expect.poll(() => old.filter(isAlive).map(commandLine)).toEqual([])
      const command = 'cat begun.txt round.txt; python3 -c "import tiny; print(tiny.__version__)"'
      expect(await server.tool('execute_shell', { command })).toMatchObject({
        stdout: `begun\n${round}\n1.0\n`,
        generation: round + 1,
        restored: { packages: ['tiny==1.0'], failed: [] },
      })
    }

    const before = server.output().length
    const [reader = Number.NaN] = server.familyOf('src/readerd/main.ts')
    process.kill(reader, 'SIGKILL')
    await server.tool('file_write', { file_path: 'page.html', content: '<h1>Hello</h1>' })
    expect(await server.tool('parse_document', { file_path: 'page.html' })).toMatchObject({
      content: expect.stringContaining('Hello'),
    })
    expect(ownLines(server.output().slice(before))).toEqual([
      'Toolyard: the reader of documents ended (SIGKILL); starting it again, documents that were being read can be asked for again',
    ])

    expect((await fetch(`${server.url}/api/task/my_task`, { method: 'DELETE' })).status).toBe(200)
    await expect.poll(() => server.familyOf('src/sandboxd/main.ts')).toHaveLength(1)
    expect(readdirSync(join(state, 'sandboxes/s'))).toEqual([])
    expect(await server.end('SIGTERM')).toEqual({ left: [], code: 0 })
  })

  it('starts the worker again when what serves its port is killed, as often as it takes; new connections wait, sandboxes stay', async () => {
    await started()
    const server = await start('node')
    await shell(server.bannerCurl())
    await server.tool('execute_shell', { command: 'echo kept > kept.txt; echo here > /tmp/here.txt' })
    const again = () => server.output().match(/the worker ended \(SIGKILL\); starting it again, sandboxes stay/g)
    // As multiples of a bare start right before: what else the machine does comes and goes.
    const restarts: number[] = []
    for (const times of [1, 2, 3]) {
      const bareMs = await bareStart(server.listener() ?? Number.NaN)
      await server.killListener()
      const killed = performance.now()
      const waiting = Array.from({ length: 20 }, () => server.statusAnew('/api/task/my_task/status'))
      expect(await Promise.all(waiting)).toEqual(Array(20).fill(200))
      restarts.push((performance.now() - killed) / bareMs)
      expect(again()).toHaveLength(times)
    }
    expect(Math.min(...restarts)).toBeLessThan(3)
    const found = await server.tool('execute_shell', { command: 'cat kept.txt /tmp/here.txt' })
    expect(found).toMatchObject({ stdout: 'kept\nhere\n' })
    await server.killListener()
    await expect.poll(server.output).toMatch(/the worker ended \(SIGKILL\); starting it again in 30 s, sandboxes stay/)
    expect(await server.end('SIGTERM')).toEqual({ left: [], code: 0 })
  })

  it('starts the worker again when it hangs, and says so in one line; files and sandboxes stay', async () => {
    await started()
    const server = await start('node')
    await shell(server.bannerCurl())
    await server.tool('execute_shell', { command: 'echo kept > kept.txt; echo here > /tmp/here.txt' })
    const before = server.output().length
    const hung = server.listener() ?? Number.NaN
    process.kill(hung, 'SIGSTOP')
    const line = 'Toolyard: the worker did not answer for 9 s; starting it again, sandboxes stay\n'
    await expect.poll(() => server.output().slice(before)).toBe(line)
    await expect.poll(() => server.status('/health').catch(() => 'no answer')).toBe(200)
    expect(server.listener()).not.toBe(hung)
    const found = await server.tool('execute_shell', { command: 'cat kept.txt /tmp/here.txt' })
    expect(found).toMatchObject({ stdout: 'kept\nhere\n' })
    expect(server.output().slice(before)).toBe(line)
    expect(await server.end('SIGTERM')).toEqual({ left: [], code: 0 })
  })

  it('leaves a worker alone that is busy for some seconds and answers then', async () => {
    await started()
    const server = await start('node')
    const before = server.output().length
    const busy = server.listener() ?? Number.NaN
    for (const seconds of [2, 5]) {
      const late = run('bash', ['-c', `kill -STOP ${busy}; sleep ${seconds}; kill -CONT ${busy}`])
      expect(await server.status('/health')).toBe(200)
      await late
    }
    expect(server.listener()).toBe(busy)
    expect(server.output().slice(before)).toBe('')
  })

  it('opens a state that `wrangler dev` made, whole, and keeps no secret of it in a file that is not needed', async () => {
    await newState()
    const adminToken = 'admin-token-of-an-earlier-version'
    await writeFile(join(state, 'admin-token'), `${adminToken}\n`)
    const large = 'a text of some length\n'.repeat(10_000)
    const migrations = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', join(state, 'worker')]
    await run(process.execPath, ['node_modules/wrangler/bin/wrangler.js', ...migrations], {
      env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', TMPDIR: state },
    })
    const earlier = await startWranglerDev(state, { ADMIN_TOKEN: adminToken, OPEN_TENANT: 'dev' })
    const post = async (path: string, body: object, headers: object = {}) => {
      const init = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }
      const answer = await fetch(`${earlier.url}${path}`, init)
      return (await answer.json()) as Record<string, unknown>
    }
    let key: string
    try {
      await post('/api/task/create?task_id=my_task&task_name=My_Task', {})
      for (const [file_path, content] of [
        ['small.txt', 'small'],
        ['large.txt', large],
      ]) {
        const call = { task_id: 'my_task', tool_name: 'file_write', params: { file_path, content } }
        expect(await post('/api/tool/execute', call)).toMatchObject({ success: true })
      }
      const owner = { Authorization: `Bearer ${adminToken}` }
      await post('/admin/tenants', { id: 'acme', name: 'Acme' }, owner)
      const made = await post('/admin/tenants/acme/keys', { name: 'one', scopes: ['read', 'execute'] }, owner)
      key = String(made.key)
      expect(key).toMatch(/^ty_/)
    } finally {
      await earlier.kill()
    }
    expect(existsSync(join(state, 'worker.env'))).toBe(true)

    const server = await start('node')
    expect(existsSync(join(state, 'worker.env'))).toBe(false)
    expect(await server.tool('file_read', { file_path: 'small.txt' })).toMatchObject({ content: 'small' })
    expect(await server.tool('file_read', { file_path: 'large.txt', max_chars: 300_000 })).toMatchObject({
      content: large,
    })
    expect(await server.status('/api/task/my_task/status')).toBe(200)
    expect(await server.status('/api/task/list', key)).toBe(200)
    expect(await server.status('/api/task/list', wrongKey(key))).toBe(401)

    // A worker that is killed in the middle of a call that names its key in the URL prints no part of it.
    const mine = `${server.url}/k/${key}/api`
    await fetch(`${mine}/task/create?task_id=mine&task_name=Mine`, { method: 'POST' })
    const call = { task_id: 'mine', tool_name: 'human_in_loop', params: { human_task: 'wait' } }
    const waiting = fetch(`${mine}/tool/execute`, { method: 'POST', body: JSON.stringify(call) }).catch(() => 'cut off')
    await expect.poll(async () => (await fetch(`${mine}/human-tasks/mine`)).text()).toContain('wait')
    await server.killListener()
    expect(await waiting).toBe('cut off')
    await expect.poll(() => server.status('/health').catch(() => 'no answer')).toBe(200)
    expect(server.output()).not.toContain(key.split('_')[2])
  })

  it('says when nothing is isolated and when a key is needed, and refuses a state that what is left of another one uses', async () => {
    await started()
    const first = await start('node', { ISOLATION: 'none', OPEN_TENANT: '' })
    expect(first.output()).toMatch(/sandboxes {2}NOT ISOLATED.*key {8}needed/s)
    expect(await first.status('/api/task/list')).toBe(401)
    // The watcher of the spare sandbox's files has left its parent, and its group.
    await expect
      .poll(() => processesMentioning(state).map(commandLine))
      .toContainEqual(expect.stringContaining('watch.py'))
    const processes = first.family()
    const [main = Number.NaN] = processes
    const guards = processes.filter((pid) => commandLine(pid).startsWith('sh -c cat'))
    expect(guards).toHaveLength(3)
    for (const guard of guards) process.kill(guard, 'SIGSTOP')
    try {
      process.kill(main, 'SIGKILL')
      const second = await refused({ PORT: String(await freePort()) })
      expect(second).toMatchObject({
        code: 1,
        output: expect.stringMatching(/another one runs with the state in .*: TOOLYARD_STATE=/),
      })
      expect(await first.status('/health')).toBe(200)
    } finally {
      for (const guard of guards) process.kill(guard, 'SIGCONT')
    }
    await expect.poll(() => processes.filter(isAlive).map(commandLine)).toEqual([])
    await expect.poll(() => processesMentioning(state).map(commandLine)).toEqual([])
  })

  it('refuses a port that is taken, and says what to do', async () => {
    await newState()
    for (const host of ['127.0.0.1', '::1', '0.0.0.0']) {
      const server = createServer().listen(0, host)
      await once(server, 'listening')
      const { port } = server.address() as { port: number } // a TCP server's address is never a string
      expect(await refused({ PORT: String(port) })).toMatchObject({
        code: 1,
        output: expect.stringContaining(`port ${port} is in use; end what uses it, or choose another: PORT=`),
      })
      server.close()
    }
  })

  it('refuses settings that cannot be', async () => {
    await started()
    for (const [settings, why] of [
      [{ PORT: 'abc' }, /PORT is a number from 1 to 65535, not "abc"/],
      [{ ISOLATION: 'much' }, /isolation is bwrap or none, not 'much'/],
      [{ OPEN_TENANT: 'Not A Tenant' }, /OPEN_TENANT: a tenant id is /],
    ] as const) {
      expect(await refused({ PORT: String(await freePort()), ...settings })).toMatchObject({
        code: 1,
        output: expect.stringMatching(why),
      })
    }
  })
})

/** How long workerd alone takes until it answers, in milliseconds: as it was started there, over an empty storage. */
async function bareStart(pid: number): Promise<number> {
  const [program = '', ...args] = commandLine(pid).trim().split(' ')
  const texts = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
  const env = Object.fromEntries(texts.map((text) => [text.split('=', 1)[0], text.slice(text.indexOf('=') + 1)]))
  const port = await freePort()
  const names = args.flatMap((arg) => /^--directory-path=(\w+):/.exec(arg)?.[1] ?? [])
  const storage = names.map((name) => ({ name, directory: join(state, 'bare', name) }))
  for (const { directory } of storage) mkdirSync(directory, { recursive: true })
  const own = [
    ...args.filter((arg) => !arg.startsWith('--socket-fd') && !arg.startsWith('--directory-path')),
    `--socket-addr=api=127.0.0.1:${port}`,
    ...storage.map(({ name, directory }) => `--directory-path=${name}:storage=${directory}`),
  ]
  const begun = performance.now()
  const bare = spawn(program, own, { env, stdio: 'ignore' })
  const exit = once(bare, 'exit')
  try {
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await vi.waitUntil(isUp, { timeout: 100_000, interval: 10 })
    return performance.now() - begun
  } finally {
    bare.kill('SIGKILL')
    await exit
  }
}

/** Lines of `npm start` itself, without what its processes say. */
/** Ids of the running sandboxes that were booted before a task wanted one. @param address of the sandbox host */
async function runningSpares(address: string | undefined): Promise<string[]> {
  const key = readFileSync(join(state, 'sandboxd-key'), 'utf8').trim()
  const headers = { 'X-API-Key': key }
  const answer = await fetch(`http://${address}/v2/sandboxes?state=running&metadata=spare%3Dtrue`, { headers })
  return ((await answer.json()) as { sandboxID: string }[]).map(({ sandboxID }) => sandboxID)
}

const ownLines = (output: string) => output.split('\n').filter((line) => line.startsWith('Toolyard:'))
const shell = async (command: string) => JSON.parse((await run('bash', ['-c', command])).stdout)
const mode = (name: string) => statSync(join(state, name)).mode & 0o777
