import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { providersOf } from '../../src/adapters/choose-provider.ts'
import { e2bSandboxHost } from '../../src/adapters/e2b/sandbox.ts'
import { sandboxContract } from '../contract/sandbox.ts'
import { failureOf } from '../support/failure-of.ts'
import { SANDBOX_HOST_KEY, type Sandboxd, startSandboxd } from '../support/sandboxd.ts'
import { standIn } from '../support/stand-in.ts'

const { signal } = new AbortController()

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
  const refusal = /^code cannot be run on this server; use tools that read and write files$/
  await expect(create()).rejects.toMatchObject({
    failure: { code: 'upstream', message: expect.stringMatching(refusal) },
  })
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
