import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sessionName } from '../../../../src/core/ids.ts'
import { MAX_MCP_PROGRESS_CHARS } from '../../../../src/core/limits/mcp.ts'
import { makeServer } from '../../../../src/http/dialects/mcp/server/server.ts'
import { type Sandboxd, startSandboxd } from '../../../support/sandboxd.ts'
import { type Answer, messagesIn, openCalls, WITH_TASKS } from './open-calls.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd.stop())

const progressOf = ({ notified }: { notified: Answer[] }) => notified.map(({ params }) => params ?? {})

/** A client of the older revisions, on one connection. */
async function legacyClient(mcp: ReturnType<typeof openCalls>) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const server = makeServer({
    ...{ era: 'legacy', services: mcp.services, endpoint: { session: null, tools: { kind: 'all' } } },
    ...{ usualSession: sessionName('usual'), origin: 'http://localhost:8001' },
    goOn: (work) => void mcp.wentOn.push(work),
  })
  await server.connect(ours)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(theirs)
  onTestFinished(() => client.close())
  return client
}

/** Begins a call that sleeps, and waits until the sandbox runs it. */
const sleeping = (mcp: ReturnType<typeof openCalls>) => {
  const running = () => mcp.benchOf('usual').session.running.length
  return { command: 'sleep 600', running }
}

describe('progress', () => {
  it('is the last line that a call printed, rising, and ends before the result', async () => {
    const mcp = openCalls(sandboxd)
    const command = 'echo first; echo second; sleep 3; printf "x%.0s" $(seq 900); echo'
    const whole = await mcp.call('execute_shell', { command }, { token: 'p1' })
    const progress = progressOf(whole)
    expect(progress).toContainEqual({ progressToken: 'p1', progress: expect.any(Number), message: 'second' })
    expect(progress.map(({ progress }) => progress)).toEqual(progress.map((_, at) => at + 1))
    for (const { message = '' } of progress) expect(String(message).length).toBeLessThanOrEqual(MAX_MCP_PROGRESS_CHARS)
    expect(whole.result.content[0].text).toContain('second')
  }, 60_000)

  it('costs a call nothing that reads a file, nor one whose client wants none', async () => {
    const mcp = openCalls(sandboxd)
    await mcp.call('file_write', { file_path: 'a.md', content: 'x' }, { token: 'p1' })
    const read = await mcp.call('file_read', { file_path: 'a.md' }, { token: 'p2' })
    expect([read.result.content[0].text, read.notified]).toEqual([expect.stringContaining('x'), []])
    await mcp.call('execute_shell', { command: 'true' })
    expect(mcp.begun).toEqual([])
  })

  it('reaches a client of the older revisions', async () => {
    const mcp = openCalls(sandboxd)
    const client = await legacyClient(mcp)
    const lines: unknown[] = []
    const call = { name: 'execute_shell', arguments: { command: 'echo begun; sleep 2' } }
    await client.callTool(call, { onprogress: ({ message }) => void lines.push(message) })
    expect(lines[0]).toBe('begun')
  }, 60_000)
})

describe('cancelling', () => {
  it('ends the command in the sandbox when a client of the older revisions cancels', async () => {
    const mcp = openCalls(sandboxd)
    const client = await legacyClient(mcp)
    const { command, running } = sleeping(mcp)
    const leaving = new AbortController()
    const call = client.callTool({ name: 'execute_shell', arguments: { command } }, { signal: leaving.signal })
    const refused = expect(call).rejects.toThrow()
    await expect.poll(running).toBe(1)
    leaving.abort()
    await refused
    await expect.poll(running).toBe(0)
    await Promise.all(mcp.wentOn)
  }, 60_000)

  it.each([
    ['plain', {}],
    ['followed', { token: 'p1' }],
  ])(
    'ends the command in the sandbox when the stream of a %s call is closed',
    async (_, sent) => {
      const mcp = openCalls(sandboxd)
      const { command, running } = sleeping(mcp)
      const response = await mcp.send('tools/call', { name: 'execute_shell', arguments: { command } }, sent)
      await expect.poll(running).toBe(1)
      await response.body?.cancel()
      await expect.poll(running).toBe(0)
      expect(mcp.wentOn).toHaveLength(1)
    },
    60_000,
  )

  it('reaches a call that its session has not seen yet', async () => {
    const opening = Promise.withResolvers<void>()
    const mcp = openCalls(sandboxd, opening.promise)
    const { command } = sleeping(mcp)
    const response = await mcp.send('tools/call', { name: 'execute_shell', arguments: { command } })
    await response.body?.cancel()
    await expect.poll(() => mcp.wentOn.length).toBe(1)
    opening.resolve()
    await Promise.all(mcp.wentOn)
    const { calls } = mcp.benchOf('usual').session.calls.page({ limit: 1 } as never)
    expect(calls[0]).toMatchObject({ state: 'failed', answer: expect.stringContaining('cancelled') })
  }, 60_000)

  it('of a call that has ended does nothing', async () => {
    const mcp = openCalls(sandboxd)
    const response = await mcp.send('tools/call', { name: 'file_list', arguments: {} })
    messagesIn(await response.text())
    expect(mcp.wentOn).toEqual([])
  })
})

describe('a command that lasts', () => {
  it('is a task for a client that declares them, goes on without it, and is cancelled by it', async () => {
    const mcp = openCalls(sandboxd)
    const { command, running } = sleeping(mcp)
    const tasks = { capabilities: WITH_TASKS }
    const { result } = await mcp.call('execute_shell', { command }, tasks)
    expect(result).toMatchObject({ resultType: 'task', status: 'working' })
    const { taskId } = result
    await expect.poll(running).toBe(1)
    expect((await mcp.ask('tasks/get', { taskId }, tasks)).result).toMatchObject({ taskId, status: 'working' })
    await mcp.ask('tasks/cancel', { taskId }, tasks)
    expect(running()).toBe(0)
    expect((await mcp.ask('tasks/get', { taskId }, tasks)).result).toMatchObject({ status: 'cancelled' })
  }, 60_000)

  it('that fails is a completed task with an error', async () => {
    const mcp = openCalls(sandboxd)
    const tasks = { capabilities: WITH_TASKS }
    const { result } = await mcp.call('execute_shell', { command: 'sleep 600', timeout: 4 }, tasks)
    const { taskId } = result
    const look = async () => (await mcp.ask('tasks/get', { taskId }, tasks)).result
    await expect.poll(async () => (await look()).status).toBe('completed')
    expect(await look()).toMatchObject({ result: { isError: true } })
  }, 60_000)
})
