import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { providersOf } from '../../src/adapters/choose-provider.ts'
import { e2bSandboxHost } from '../../src/adapters/sandbox-e2b.ts'
import { type Sandbox, SandboxGone, SandboxNotThere } from '../../src/ports/sandbox.ts'
import { sandboxContract } from '../contract/sandbox.ts'
import { failureOf } from '../support/failure-of.ts'
import { SANDBOX_HOST_KEY, type Sandboxd, startSandboxd } from '../support/sandboxd.ts'
import { standIn } from '../support/stand-in.ts'

const { signal } = new AbortController()
const within = { timeoutMs: 20_000, signal }

let sandboxd: Sandboxd
let host: ReturnType<typeof e2bSandboxHost>
beforeAll(async () => {
  sandboxd = await startSandboxd()
  const { url } = sandboxd
  host = e2bSandboxHost({ apiKey: SANDBOX_HOST_KEY, apiUrl: url, sandboxUrl: url, template: 'base' })
})
afterAll(() => sandboxd.stop())

sandboxContract("E2B's protocol, at the local host", () => host)

it('each provider of sandboxes keeps the contract', () => {
  expect(providersOf('sandbox').map(({ name }) => name)).toEqual(['e2b'])
})

const create = () => host.create({ labels: {}, idleMs: 600_000, internet: false })

/** What came of it: the name and words of an error, or the answer. */
const outcome = (work: Promise<unknown>) => work.catch((thrown: Error) => thrown)

describe('a sandbox', () => {
  it('whose output has no end is given up long before memory is', async () => {
    const sandbox = await create()
    const before = process.memoryUsage().rss
    expect(await outcome(sandbox.run('yes', within))).toEqual(new SandboxGone('the sandbox printed without end'))
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024)
    await host.kill(sandbox.id)
  })

  it('that is gone says so before it runs or takes anything, and for good', async () => {
    const sandbox: Sandbox = await create()
    await host.kill(sandbox.id)
    const content = new TextEncoder().encode('x')
    for (const work of [
      () => sandbox.run('true', within),
      () => sandbox.write([{ path: '/home/user/x', content }], signal),
      () => sandbox.read('/home/user/x', signal),
    ]) {
      expect(await outcome(work())).toBeInstanceOf(SandboxNotThere)
    }
    expect(await host.connect(sandbox.id, 1_000, signal)).toBeNull()
    expect(await host.reboot(sandbox.id, signal)).toBeNull()
    await host.kill(sandbox.id) // ending it twice is no error
  })

  it('that a script ended is still known to its host, unlike one that is gone', async () => {
    const sandbox = await create()
    expect(await outcome(sandbox.run('echo x > ~/file; kill -9 -1; sleep 20', within))).toBeInstanceOf(SandboxGone)
    const again = await host.reboot(sandbox.id, signal)
    expect(await again?.run('cat ~/file', within)).toMatchObject({ stdout: 'x\n' })
  })

  it('lets a process hear what is written by requests and by its stream, and says when it has ended', async () => {
    const sandbox = await create()
    const said: string[] = []
    const { promise: ended, resolve } = Promise.withResolvers<unknown>()
    const options = { signal, printed: (text: string) => void said.push(text), ended: resolve }
    const begun = await sandbox.begin('while read -r line; do [ "$line" = end ] && exit 3; echo "$line"; done', options)
    expect(await begun.write('request ✓\n', signal)).toBe(true)
    await expect.poll(() => said.join('')).toBe('request ✓\n')
    const input = begun.input()
    for (const text of ['ü', '日本\n', `${'x'.repeat(20_000)}\n`]) expect(input.write(text)).toBe(true)
    await expect.poll(() => said.join('')).toBe(`request ✓\nü日本\n${'x'.repeat(20_000)}\n`)
    expect(input.write('end\n')).toBe(true)
    expect(await ended).toBeNull()
    expect(await begun.write('x', signal)).toBe(false)
    expect(await sandbox.watch(begun.pid, options)).toBeNull()
    await host.kill(sandbox.id)
  })

  it('that is ended while one of its processes is heard says so, and its stream takes nothing more', async () => {
    const sandbox = await create()
    const { promise: ended, resolve } = Promise.withResolvers<unknown>()
    const begun = await sandbox.begin('cat', { signal, printed: () => undefined, ended: resolve })
    const input = begun.input()
    expect(input.write('x\n')).toBe(true)
    await host.kill(sandbox.id)
    expect(await ended).toBeInstanceOf(SandboxGone)
    await expect.poll(() => input.write('x\n')).toBe(false)
  })

  it('that is started again has its files and none of its processes', async () => {
    const sandbox = await create()
    await sandbox.run('echo kept > ~/file; (setsid sleep 600 >/dev/null 2>&1 &)', within)
    const again = await host.reboot(sandbox.id, signal)
    const answer = await again?.run(`cat ~/file; pgrep -c '^sleep$'`, within)
    expect(answer).toMatchObject({ stdout: 'kept\n0\n' })
  })

  it('runs scripts with the programs and the home that they expect, whatever lies in that home', async () => {
    const sandbox = await create()
    await sandbox.run(
      'mkdir -p ~/.local/bin; printf "#!/bin/sh\\necho mine" > ~/.local/bin/id; chmod +x ~/.local/bin/id; echo "echo profile; exit 9" | tee ~/.profile > ~/.bash_profile',
      within,
    )
    expect(await sandbox.run('echo $HOME; id -un', within)).toEqual({
      exitCode: 0,
      stdout: '/home/user\nuser\n',
      stderr: '',
    })
    expect((await sandbox.run('PATH=$TOOLYARD_COMMAND_PATH; id', within)).stdout).toBe('mine\n')
  })
})

it('a file that stops coming for minutes is read whole when it goes on', async () => {
  const { promise: silent, resolve: begun } = Promise.withResolvers<void>()
  let goOn = () => {}
  const files = await standIn(() => (response) => {
    response.writeHead(200, { 'content-length': 8 })
    response.write('head')
    goOn = () => response.end('tail')
    begun()
  })
  const behind = e2bSandboxHost({
    apiKey: SANDBOX_HOST_KEY,
    apiUrl: sandboxd.url,
    sandboxUrl: files.url,
    template: 'base',
  })
  const sandbox = await behind.create({ labels: {}, idleMs: 600_000, internet: false })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const stream = await sandbox.readStream('/home/user/x', signal)
  const whole = new Response(stream).text()
  await silent
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  goOn()
  expect(await whole).toBe('headtail')
  await host.kill(sandbox.id)
})

it.each([
  { what: 'has no key', apiKey: '', apiUrl: 'http://127.0.0.1:9' },
  { what: 'has no host', apiKey: SANDBOX_HOST_KEY, apiUrl: 'http://127.0.0.1:9' },
])('a server of a laptop that $what tells both ways to get sandboxes', async ({ apiKey, apiUrl }) => {
  const nowhere = e2bSandboxHost({ apiKey, apiUrl, sandboxUrl: apiUrl, template: 'base', isLocal: true })
  await expect(nowhere.create({ labels: {}, idleMs: 1_000, internet: false })).rejects.toMatchObject({
    failure: {
      code: 'upstream',
      message: expect.stringMatching(/needs "npm run sandboxd" beside it, or E2B_API_KEY in \.dev\.vars/),
    },
  })
})

it('a deployed server without a key tells a model to do without code, and its owner which key to set', async () => {
  const closed = e2bSandboxHost({ apiKey: '', apiUrl: 'http://127.0.0.1:9', template: 'base' })
  const create = () => closed.create({ labels: {}, idleMs: 1_000, internet: false })
  const told = /^code cannot be run on this server; use tools that read and write files$/
  await expect(create()).rejects.toMatchObject({ failure: { code: 'upstream', message: expect.stringMatching(told) } })
  expect((await failureOf(create())).message).toMatch(/wrangler secret put E2B_API_KEY/)
})

it('a host that is not there is said to be, in words for a model', async () => {
  const nowhere = e2bSandboxHost({
    apiKey: SANDBOX_HOST_KEY,
    apiUrl: 'http://127.0.0.1:9',
    sandboxUrl: 'http://127.0.0.1:9',
    template: 'base',
  })
  const failure = {
    failure: { code: 'upstream', message: expect.stringMatching(/^no sandbox could be started; try again/) },
  }
  await expect(nowhere.create({ labels: {}, idleMs: 1_000, internet: false })).rejects.toMatchObject(failure)
  await expect(nowhere.connect('x', 1_000, signal)).rejects.toMatchObject(failure)
  await expect(nowhere.reboot('x', signal)).rejects.toMatchObject(failure)
})
