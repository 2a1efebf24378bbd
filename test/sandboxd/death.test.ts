import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Sandbox } from 'e2b'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/sandboxd/config.ts'
import type { BootSpec, Isolation, ProcessTree } from '../../src/sandboxd/isolation/isolation.ts'
import { SandboxRegistry } from '../../src/sandboxd/sandbox-registry.ts'
import { createDaemonServer } from '../../src/sandboxd/server.ts'
import { makeState, removeState } from './support/daemon.ts'

const API_KEY = 'e2b_0000000000000000000000000000000000000000'
const SLEEPY = { onTimeout: 'pause', autoResume: true } as const

/** Sandboxes whose agents are servers of the test, and die when the test says so. */
class Mortals implements Isolation {
  readonly notes: readonly string[] = []
  readonly internet = false
  readonly limitsMemory = false
  boots = 0
  /** Ends the newest one by itself: its daemon is told so before the connections to its agent end. */
  die = () => {}
  readonly #answer: RequestListener
  readonly #ends: (() => Promise<void>)[] = []

  constructor(answer: RequestListener) {
    this.#answer = answer
  }

  async boot({ dir }: BootSpec): Promise<ProcessTree> {
    this.boots += 1
    const agent = createServer((request, response) =>
      request.url === '/boot' ? response.writeHead(204).end() : this.#answer(request, response),
    )
    mkdirSync(dir, { recursive: true })
    const socketPath = join(dir, `agent-${this.boots}`)
    await once(agent.listen(socketPath), 'listening')
    const { promise: exited, resolve: die } = Promise.withResolvers<string>()
    this.die = () => die('signal SIGKILL')
    const destroy = async () => {
      die('')
      agent.closeAllConnections()
      agent.close()
    }
    this.#ends.push(destroy)
    return {
      socketPath,
      exited,
      destroy,
      home: '/home/user',
      runtime: '/opt/sandboxd',
      egress: null,
      addressSpaceBytes: 0,
      freeze: async () => true,
      thaw: async () => {},
      resumeAgent: () => {},
      cutNetwork: async () => {},
      memoryLimitBytes: 0,
      usage: async () => ({ cpuMicros: 0, memoryBytes: 0, memoryLimitBytes: 0 }),
    }
  }

  async close() {
    for (const end of this.#ends) await end()
  }
}

/** A daemon in this process, on a free port. */
async function aDaemon(isolation: Isolation, stateDir: string) {
  const config = readConfig(['--state', stateDir], {})
  const start = async (port: number) => {
    const registry = new SandboxRegistry(config, isolation, () => {})
    const server = createDaemonServer(
      registry,
      { ...config, apiKey: API_KEY },
      async () => ({}),
      () => {},
    )
    await once(server.listen(port, '127.0.0.1'), 'listening')
    const stop = async () => {
      server.close()
      await registry.close()
      server.closeAllConnections()
    }
    return { stop, port: (server.address() as AddressInfo).port }
  }
  let running = await start(0)
  onTestFinished(() => running.stop())
  const url = `http://127.0.0.1:${running.port}`
  return {
    sdk: { apiKey: API_KEY, apiUrl: url, sandboxUrl: url, lifecycle: SLEEPY },
    async restart() {
      await running.stop()
      running = await start(running.port)
    },
  }
}

function aState() {
  const state = makeState()
  onTestFinished(() => removeState(state))
  return state
}

function mortals(answer: RequestListener = (_request, response) => response.end('from the agent')) {
  const isolation = new Mortals(answer)
  onTestFinished(() => isolation.close())
  return isolation
}

it('a sandbox that dies while it is asked whether it runs says that it does not', async () => {
  const { promise: requested, resolve } = Promise.withResolvers<IncomingMessage>()
  const isolation = mortals((request) => resolve(request))
  const sandbox = await Sandbox.create((await aDaemon(isolation, aState())).sdk)
  const isRunning = sandbox.isRunning()
  await requested
  isolation.die()
  expect(await isRunning).toBe(false)
})

it('an answer under way is cut off when its sandbox dies: nobody takes it for a whole one', async () => {
  const isolation = mortals((_request, response) => response.writeHead(200).write('half of'))
  const sandbox = await Sandbox.create((await aDaemon(isolation, aState())).sdk)
  const stream = await sandbox.files.read('/home/user/x', { format: 'stream' })
  isolation.die()
  await expect(new Response(stream).text()).rejects.toThrow()
})

it('a sandbox that died is not started again by requests, which are told that it does not run, but by its owner who connects', async () => {
  const isolation = mortals()
  const sandbox = await Sandbox.create((await aDaemon(isolation, aState())).sdk)
  expect(await sandbox.files.read('/home/user/x')).toBe('from the agent')
  isolation.die()
  await expect.poll(async () => (await sandbox.getInfo()).state).toBe('paused')
  await expect(sandbox.files.read('/home/user/x')).rejects.toThrow()
  expect([await sandbox.isRunning(), isolation.boots]).toEqual([false, 1])
  await sandbox.connect()
  expect([await sandbox.files.read('/home/user/x'), isolation.boots]).toEqual(['from the agent', 2])
})

it('a sandbox that was started again after its death wakes from a later pause as others do', async () => {
  const isolation = mortals()
  const sandbox = await Sandbox.create((await aDaemon(isolation, aState())).sdk)
  isolation.die()
  await expect.poll(async () => (await sandbox.getInfo()).state).toBe('paused')
  await sandbox.connect()
  await sandbox.pause({ keepMemory: false })
  expect([await sandbox.files.read('/home/user/x'), isolation.boots]).toEqual(['from the agent', 3])
})

it('a daemon that is started anew remembers which sandboxes had died', async () => {
  const isolation = mortals()
  const { sdk, restart } = await aDaemon(isolation, aState())
  const dead = await Sandbox.create(sdk)
  isolation.die()
  await expect.poll(async () => (await dead.getInfo()).state).toBe('paused')
  const other = await Sandbox.create(sdk)
  await restart()
  expect(await other.files.read('/home/user/x')).toBe('from the agent')
  await expect(dead.files.read('/home/user/x')).rejects.toThrow()
  expect(isolation.boots).toBe(3)
})
