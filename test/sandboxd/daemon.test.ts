import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Sandbox } from '@e2b/code-interpreter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLine, descendantsOf, isAlive } from '../support/processes.ts'
import { type Daemon, makeState, removeState, runDaemon, startDaemon } from './support/daemon.ts'

/** A directory for PATH that holds these programs only. */
function pathWith(...tools: string[]): string {
  const bin = mkdtempSync(join(tmpdir(), 'sandboxd-path-'))
  chmodSync(bin, 0o755)
  for (const tool of tools) {
    const found = spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim()
    symlinkSync(found, join(bin, tool))
  }
  return bin
}

describe('the command line', () => {
  it.each([
    [['--port', 'many'], /PORT must be a whole number/],
    [['--isolation', 'hope'], /isolation is bwrap or none/],
    [['--allow', 'example.com'], /--allow takes IPv4/],
    [['--allow', '127.0.0.1'], /one port at a time/],
    [['--port', '4567', '--allow', '127.0.0.1:4567'], /control each other/],
    [['--unknown'], /unknown/i],
  ])('refuses %j', async (args, message) => {
    const { code, log } = await runDaemon(args)
    expect(code).toBe(2)
    expect(log).toMatch(message)
  })

  it('refuses a state directory that another daemon uses', async () => {
    const daemon = await startDaemon()
    const { code, log } = await runDaemon(['--port', '0', '--state', daemon.stateDir])
    expect([code, log]).toEqual([2, expect.stringContaining('another sandboxd uses')])
    await daemon.stop()
  })

  it('says what to install where bubblewrap is missing, and how to do without', async () => {
    const bin = pathWith('bash', 'prlimit', 'unshare')
    const state = makeState()
    const { code, log } = await runDaemon(['--port', '0', '--state', state], { PATH: bin })
    expect(code).toBe(2)
    expect(log).toContain('apt-get install bubblewrap')
    expect(log).toContain('ISOLATION=none')
    removeState(state)
    rmSync(bin, { recursive: true })
  })

  it('says so where slirp4netns is missing, and gives no network', async () => {
    const bin = pathWith('bash', 'prlimit', 'unshare', 'bwrap', 'du')
    const daemon = await startDaemon({ env: { PATH: bin } })
    expect(daemon.log()).toContain('slirp4netns')
    const sandbox = await Sandbox.create(daemon.sdk)
    expect((await sandbox.commands.run('cut -d: -f1 /proc/net/dev | tail -n +3')).stdout.trim()).toBe('lo')
    await daemon.stop()
    rmSync(bin, { recursive: true })
  })

  it('works below a directory whose path is too long for a socket', async () => {
    const state = makeState()
    const deep = join(state, 'a'.repeat(60), 'b'.repeat(60))
    mkdirSync(deep, { recursive: true, mode: 0o711 })
    const daemon = await startDaemon({ stateDir: deep })
    const sandbox = await Sandbox.create(daemon.sdk)
    expect((await sandbox.commands.run('echo ok')).stdout).toBe('ok\n')
    await daemon.stop()
    removeState(state)
  })

  it('mounts what it is told to, read-only', async () => {
    const shared = mkdtempSync(join(tmpdir(), 'sandboxd-bind-'))
    spawnSync('sh', ['-c', `chmod 755 ${shared}; echo shared > ${shared}/file`])
    const daemon = await startDaemon({ env: { SANDBOXD_BINDS: `${shared}:/opt/shared` } })
    const sandbox = await Sandbox.create(daemon.sdk)
    expect(await sandbox.files.read('/opt/shared/file')).toBe('shared\n')
    await expect(sandbox.files.write('/opt/shared/file', 'x')).rejects.toThrow(/EROFS|read-only/i)
    await daemon.stop()
    rmSync(shared, { recursive: true })
  })
})

describe('who may ask', () => {
  let daemon: Daemon
  let sandbox: Sandbox
  beforeAll(async () => {
    daemon = await startDaemon({ env: { SANDBOXD_API_KEY: 'the-key' } })
    sandbox = await Sandbox.create({ ...daemon.sdk, apiKey: 'the-key' })
  })
  afterAll(() => daemon.stop())

  it('needs the configured key', async () => {
    await expect(Sandbox.create({ ...daemon.sdk, apiKey: 'another' })).rejects.toThrow(/Unauthorized/)
    expect((await fetch(`${daemon.url}/v2/sandboxes`)).status).toBe(401)
  })

  it('says, to those with the key, what every sandbox has: its own Python, programs that are there, its memory', async () => {
    expect((await fetch(`${daemon.url}/environment`)).status).toBe(401)
    const answer = await fetch(`${daemon.url}/environment`, { headers: { 'X-API-KEY': 'the-key' } })
    const facts = (await answer.json()) as {
      python: string
      programs: string[]
      packages: string[]
      memory_mb?: number
    }
    const { stdout } = await sandbox.commands.run(
      'python3 -V; command -v "$@"; echo $SANDBOX_MEMORY_MB'.replace('"$@"', facts.programs.join(' ')),
    )
    const [version, ...found] = stdout.trimEnd().split('\n')
    expect(version).toBe(`Python ${facts.python}`)
    expect(facts.programs).toContain('git')
    expect(found.slice(0, -1)).toHaveLength(facts.programs.length)
    expect(found.at(-1)).toBe(`${facts.memory_mb ?? ''}`)
    expect(facts).toMatchObject({ packages: expect.any(Array), internet: expect.any(Boolean) })
  })

  it('needs a key that it made for itself where none is configured, for its user alone and for good', async () => {
    const stateDir = makeState()
    const keys: string[] = []
    for (const _ of ['first', 'second']) {
      const own = await startDaemon({ stateDir, env: { SANDBOXD_API_KEY: '' } })
      const file = join(stateDir, 'api-key')
      expect(own.log()).toContain(`the key for X-API-KEY (E2B_API_KEY) is in ${file}`)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const key = readFileSync(file, 'utf8').trim()
      keys.push(key)
      expect(own.log()).not.toContain(key)
      expect(commandLine(own.pid)).not.toContain(key)
      const made = await Sandbox.create({ ...own.sdk, apiKey: key })
      for (const wrong of ['', 'local', own.sdk.apiKey, `${key}0`, key.slice(0, -1)]) {
        for (const [method, path] of [
          ['GET', '/v2/sandboxes'],
          ['GET', `/sandboxes/${made.sandboxId}`],
          ['POST', `/sandboxes/${made.sandboxId}/connect`],
          ['DELETE', `/sandboxes/${made.sandboxId}`],
        ] as const) {
          const answer = await fetch(`${own.url}${path}`, { method, headers: { 'X-API-KEY': wrong } })
          expect({ wrong, method, status: answer.status }).toEqual({ wrong, method, status: 401 })
          expect(await answer.text()).not.toContain(key)
        }
      }
      expect((await made.commands.run('env; cat /proc/*/environ 2>/dev/null')).stdout).not.toContain(key)
      await own.stop()
    }
    expect(keys[0]).toMatch(/^e2b_[0-9a-f]{40}$/)
    expect(keys[1]).toBe(keys[0])
    removeState(stateDir)
  })

  it('needs a token for what serves inside of a sandbox that was made without public traffic', async () => {
    const closed = await Sandbox.create({ ...daemon.sdk, apiKey: 'the-key', network: { allowPublicTraffic: false } })
    const { promise: listening, resolve: up } = Promise.withResolvers<void>()
    const serve =
      'cd /tmp && python3 -u -c "import http.server as h; s = h.HTTPServer((\'127.0.0.1\', 8300), h.SimpleHTTPRequestHandler); print(1, flush=True); s.serve_forever()"'
    await closed.commands.run(serve, { background: true, timeoutMs: 0, onStdout: () => up() })
    await listening
    const target = { 'E2b-Sandbox-Id': closed.sandboxId, 'E2b-Sandbox-Port': '8300' }
    const token = closed.trafficAccessToken ?? ''
    const ask = (headers: Record<string, string>) => fetch(`${daemon.url}/`, { headers }).then(({ status }) => status)
    expect(await ask(target)).toBe(401)
    expect(await ask({ ...target, 'E2B-Traffic-Access-Token': `${token}x` })).toBe(401)
    expect(await ask({ ...target, 'E2B-Traffic-Access-Token': token })).toBe(200)
    await closed.kill()
  })

  it("needs the sandbox's token for its files and commands, not for its own ports", async () => {
    const ask = (port: string, path: string, extra = {}) =>
      fetch(`${daemon.url}${path}`, {
        headers: { 'E2b-Sandbox-Id': sandbox.sandboxId, 'E2b-Sandbox-Port': port, ...extra },
      })
    expect((await ask('49983', '/files?path=x')).status).toBe(401)
    expect((await ask('49983', '/files?path=x', { 'X-Access-Token': 'wrong' })).status).toBe(401)
    expect((await ask('49999', '/contexts')).status).toBe(401)
    expect((await ask('8080', '/')).status).toBe(502)
  })

  it('answers 502 for a sandbox it does not know', async () => {
    const unknown = await fetch(`${daemon.url}/health`, {
      headers: { 'E2b-Sandbox-Id': 'inope', 'E2b-Sandbox-Port': '49983' },
    })
    expect(unknown.status).toBe(502)
    expect(await unknown.json()).toMatchObject({ sandboxId: 'inope', code: 502 })
  })

  it('answers names of this machine only, whatever a page resolves to it', async () => {
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const url = new URL(`${daemon.url}/health`)
        request({ host: '127.0.0.1', port: url.port, path: '/health', headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
          .once('error', reject)
          .end()
      })
    expect(await statusFor('localhost:1234')).toBe(204)
    expect(await statusFor('rebound.example.com')).toBe(403)
    expect(await statusFor(`49983-${sandbox.sandboxId}.rebound.example.com`)).toBe(403)
    expect(await statusFor(`49983-${sandbox.sandboxId}.localhost`)).toBe(401)
  })

  it('passes upgrades on to a port inside', async () => {
    const server = `
import socket
s = socket.create_server(("127.0.0.1", 8200)); print("up", flush=True)
c, _ = s.accept(); data = b""
while b"\\r\\n\\r\\n" not in data: data += c.recv(4096)
c.sendall(b"HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: echo\\r\\n\\r\\n")
c.sendall(c.recv(4096)[::-1]); c.close()`
    await sandbox.files.write('/tmp/upgrade.py', server)
    const { promise: listening, resolve: up } = Promise.withResolvers<void>()
    await sandbox.commands.run('python3 /tmp/upgrade.py', { background: true, onStdout: () => up() })
    await listening
    const echoed = await new Promise<string>((resolve, reject) => {
      const url = new URL(daemon.url)
      const headers = {
        connection: 'Upgrade',
        upgrade: 'echo',
        'E2b-Sandbox-Id': sandbox.sandboxId,
        'E2b-Sandbox-Port': '8200',
      }
      request({ host: url.hostname, port: url.port, headers })
        .once('upgrade', (_, socket) => {
          socket.write('abc')
          socket.once('data', (data: Buffer) => resolve(data.toString()))
        })
        .once('error', reject)
        .end()
    })
    expect(echoed).toBe('cba')
  })

  it('logs no command, variable or file content', async () => {
    await sandbox.commands.run('echo top-secret-word', { envs: { A: 'top-secret-word' } })
    await sandbox.files.write('f', 'top-secret-word')
    expect(daemon.log()).not.toContain('top-secret-word')
  })
})

describe('ISOLATION=none', () => {
  it('refuses to keep a sandbox from the network, which it could not, and says so of itself', async () => {
    const daemon = await startDaemon({ env: { ISOLATION: 'none' } })
    await expect(Sandbox.create({ ...daemon.sdk, allowInternetAccess: false })).rejects.toThrow(/ISOLATION=none/)
    const network = { allowOut: ['example.org'], denyOut: ['0.0.0.0/0'] }
    await expect(Sandbox.create({ ...daemon.sdk, network })).rejects.toThrow(/ISOLATION=none/)
    const sandbox = await Sandbox.create(daemon.sdk)
    await expect(sandbox.updateNetwork({ allowInternetAccess: false })).rejects.toThrow(/ISOLATION=none/)
    const answer = await fetch(`${daemon.url}/environment`, { headers: { 'X-API-KEY': daemon.sdk.apiKey } })
    expect(await answer.json()).toMatchObject({ offline: false })
    await daemon.stop()
  })

  it('says loudly that nothing is isolated, works, and leaves no process behind', async () => {
    const daemon = await startDaemon({ env: { ISOLATION: 'none' } })
    expect(daemon.log()).toContain('NOTHING IS ISOLATED')
    const sandbox = await Sandbox.create(daemon.sdk)
    expect((await sandbox.commands.run('pwd')).stdout).toContain(sandbox.sandboxId)
    await sandbox.files.write('a.txt', 'x')
    expect(await sandbox.files.read('a.txt')).toBe('x')
    expect((await sandbox.runCode('1 + 1')).text).toBe('2')
    await sandbox.commands.run('sleep 1000', { background: true, timeoutMs: 0 })
    const pids = descendantsOf(daemon.pid)
    // A session of its own, whose parent has ended: in no group that the agent started.
    const orphan = await sandbox.commands.run(
      "setsid -f sh -c 'echo $$ > pid; exec sleep 1000' > /dev/null 2>&1; until [ -s pid ]; do :; done; cat pid",
    )
    pids.push(Number(orphan.stdout))
    expect(isAlive(Number(orphan.stdout))).toBe(true)
    await sandbox.pause()
    await sandbox.connect()
    expect((await sandbox.commands.run('cat a.txt')).stdout).toBe('x')
    await daemon.stop()
    expect(pids.filter(isAlive)).toEqual([])
  })
})
