import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { type LocalInternet, startLocalInternet } from '../support/local-internet.ts'
import { commandLine, descendantsOf, isAlive } from '../support/processes.ts'

const run = promisify(execFile)

let internet: LocalInternet
let state: string
const started: ChildProcess[] = []

beforeAll(async () => {
  internet = await startLocalInternet(['tiny'])
})
afterAll(() => internet.stop())
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
  await rm(state, { recursive: true, force: true })
})

const newState = async () => {
  state = await mkdtemp(join(tmpdir(), 'toolyard-start-'))
}

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
    const hello = { command: 'echo hello from $(whoami) | tee hello.txt' }
    expect(await first.tool('execute_shell', hello)).toMatchObject({ stdout: 'hello from user\n' })
    expect(await first.tool('pip_install', { packages: ['tiny'] })).toMatchObject({ results: [{ success: true }] })

    const token = readFileSync(join(state, 'admin-token'), 'utf8').trim()
    expect(await first.status('/admin/tenants', token)).toBe(200)
    expect(await first.status('/admin/tenants', 'another')).toBe(401)
    expect(first.family().map(commandLine)).not.toContainEqual(expect.stringContaining(token))
    for (const name of ['admin-token', 'secrets-key', 'migrated']) expect(mode(name)).toBe(0o600)
    for (const name of ['worker', 'worker-temporary']) expect(mode(name)).toBe(0o700)

    expect(await first.end('SIGTERM')).toEqual({ left: [], code: expect.toBeOneOf([0, null]) })

    const second = await start('node')
    expect(second.output()).not.toMatch(/making the tables|putting/)
    expect(await second.status('/api/task/my_task/status')).toBe(200)
    expect(await second.tool('file_read', { file_path: 'code_run/hello.txt' })).toMatchObject({
      content: 'hello from user\n',
    })
    const imports = { command: 'python3 -c "import tiny; print(tiny.__version__)"' }
    expect(await second.tool('execute_shell', imports)).toMatchObject({ stdout: '1.0\n' })
    expect(await second.status('/admin/tenants', token)).toBe(200)
    expect(await second.end('SIGINT')).toEqual({ left: [], code: 0 })
  })

  it('leaves nothing behind when it is killed, and starts again', async () => {
    await newState()
    const killed = await start('node')
    await shell(killed.bannerCurl())
    await killed.tool('execute_shell', { command: 'echo kept > kept.txt; sleep 600 &' })
    expect(await killed.end('SIGKILL')).toMatchObject({ left: [] })

    const npmKilled = await start('npm')
    expect(await npmKilled.tool('execute_shell', { command: 'cat kept.txt' })).toMatchObject({ stdout: 'kept\n' })
    expect(await npmKilled.end('SIGKILL')).toMatchObject({ left: [] })

    const server = await start('node')
    const host = server.family().find((pid) => commandLine(pid).includes('src/sandboxd/main.ts'))
    process.kill(host ?? Number.NaN, 'SIGKILL')
    expect(await server.ended()).toEqual({ left: [], code: 1 })
    expect(server.output()).toMatch(/the sandbox host ended \(SIGKILL\); stopping/)
  })

  it('starts the worker again when what listens on its port is killed; sandboxes stay', async () => {
    await newState()
    const server = await start('node')
    await shell(server.bannerCurl())
    await server.tool('execute_shell', { command: 'echo kept > kept.txt; echo here > /tmp/here.txt' })
    process.kill(server.listener() ?? Number.NaN, 'SIGKILL')
    await expect.poll(server.output, { timeout: 60_000 }).toContain('starting it again, sandboxes stay')
    const health = () => server.status('/health').catch(() => 'no answer')
    await expect.poll(health, { timeout: 60_000 }).toBe(200)
    const found = await server.tool('execute_shell', { command: 'cat kept.txt /tmp/here.txt' })
    expect(found).toMatchObject({ stdout: 'kept\nhere\n' })
    expect(await server.end('SIGTERM')).toEqual({ left: [], code: 0 })
  })

  it('says when nothing is isolated and when a key is needed, and refuses a state that another one uses', async () => {
    await newState()
    const first = await start('node', { ISOLATION: 'none', OPEN_TENANT: '' })
    expect(first.output()).toMatch(/sandboxes {2}NOT ISOLATED.*key {8}needed/s)
    expect(await first.status('/api/task/list')).toBe(401)
    const second = await refused({ PORT: String(await freePort()) })
    expect(second).toMatchObject({
      code: 1,
      said: expect.stringMatching(/another one runs with the state in .*: TOOLYARD_STATE=/),
    })
    expect(await first.status('/health')).toBe(200)
  })

  it('refuses a port that is taken, and says what to do', async () => {
    await newState()
    for (const host of ['127.0.0.1', '::1', '0.0.0.0']) {
      const server = createServer().listen(0, host)
      await once(server, 'listening')
      const { port } = server.address() as { port: number } // a TCP server's address is never a string
      expect(await refused({ PORT: String(port) })).toMatchObject({
        code: 1,
        said: expect.stringContaining(`port ${port} is in use; end what uses it, or choose another: PORT=`),
      })
      server.close()
    }
  })

  it('refuses settings that cannot be', async () => {
    await newState()
    for (const [settings, why] of [
      [{ PORT: 'abc' }, /PORT is a number from 1 to 65535, not "abc"/],
      [{ ISOLATION: 'much' }, /isolation is bwrap or none, not 'much'/],
      [{ OPEN_TENANT: 'Not A Tenant' }, /OPEN_TENANT: a tenant id is /],
    ] as const) {
      expect(await refused({ PORT: String(await freePort()), ...settings })).toMatchObject({
        code: 1,
        said: expect.stringMatching(why),
      })
    }
  })
})

/** Runs it as a newcomer does, or without npm between, until the banner is complete. */
async function start(by: 'npm' | 'node', settings: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const child = launch(by, { PORT: String(port), ...settings })
  await said(child, /Ctrl-C stops it/)
  const url = `http://localhost:${port}`
  const family = () => [child.pid ?? 0, ...descendantsOf(child.pid ?? 0)]
  let before = family()

  const ended = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    // After kill -9 the last ones end a moment later: whoever is left must go by itself.
    const left = () => before.filter(isAlive).map(commandLine)
    await expect.poll(left, { timeout: 15_000, interval: 50 }).toEqual([])
    return { left: left(), code: child.exitCode }
  }
  return {
    output: () => outputs.get(child) ?? '',
    bannerCurl: () => /^ {2}(curl .*)$/m.exec(outputs.get(child) ?? '')?.[1] ?? 'false',
    family,
    listener: () => family().find((pid) => commandLine(pid).includes(`api=127.0.0.1:${port}`)),
    ended,
    end(signal: NodeJS.Signals) {
      before = family()
      child.kill(signal)
      return ended()
    },
    async status(path: string, token?: string) {
      const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
      const answer = await fetch(`${url}${path}`, { headers })
      await answer.text()
      return answer.status
    },
    async tool(tool_name: string, params: object) {
      const body = JSON.stringify({ task_id: 'my_task', tool_name, params })
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch(`${url}/api/tool/execute`, { method: 'POST', headers, body })
      return ((await answer.json()) as { data: unknown }).data
    },
  }
}

/** What a start that does not come to be says, and its exit code. */
async function refused(settings: Readonly<Record<string, string>>) {
  const child = launch('node', settings)
  const [code] = await once(child, 'close')
  return { code, said: outputs.get(child) ?? '' }
}

const outputs = new WeakMap<ChildProcess, string>()

function launch(by: 'npm' | 'node', settings: Readonly<Record<string, string>>) {
  const [program, args] = by === 'npm' ? ['npm', ['start']] : [process.execPath, ['scripts/start.mjs']]
  const { npm_lifecycle_event: _, ...environment } = process.env
  const child = spawn(program, args, {
    env: {
      ...environment,
      TOOLYARD_STATE: state,
      SANDBOXD_PORT: '0',
      SANDBOXD_ALLOW: internet.host,
      PIP_INDEX_URL: internet.packageIndex,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => outputs.set(child, (outputs.get(child) ?? '') + chunk))
  }
  return child
}

async function said(child: ChildProcess, what: RegExp) {
  const output = () => outputs.get(child) ?? ''
  await expect.poll(() => what.test(output()) || child.exitCode !== null, { timeout: 60_000, interval: 50 }).toBe(true)
  expect(output()).toMatch(what)
}

const shell = async (command: string) => JSON.parse((await run('bash', ['-c', command])).stdout)
const mode = (name: string) => statSync(join(state, name)).mode & 0o777
