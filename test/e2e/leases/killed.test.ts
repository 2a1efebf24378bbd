import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type KillableWorker, startKillableWorker } from '../../support/killable-worker.ts'
import { SANDBOX_HOST_KEY, type Sandboxd, scratchDirectory, startSandboxd } from '../../support/sandboxd.ts'

let sandboxd: Sandboxd
let state: string
const workers: KillableWorker[] = []

beforeAll(async () => {
  sandboxd = await startSandboxd({ env: { SANDBOXD_MAX_RUNNING: '1' } })
  state = await scratchDirectory()
})
afterAll(async () => {
  for (const worker of workers) await worker.kill()
  await sandboxd?.stop()
  if (state) await rm(state, { recursive: true, force: true })
})

/** @param quietSeconds after which it pauses a sandbox */
async function startWorker(quietSeconds = 90) {
  const worker = await startKillableWorker(state, {
    ...sandboxd.vars,
    ...{ SANDBOXES_MAX: '1', SANDBOX_WAIT_SECONDS: '100' },
    SANDBOX_QUIET_SECONDS: `${quietSeconds}`,
  })
  workers.push(worker)
  const post = async (path: string, body: object) =>
    (await (await fetch(`${worker.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).json()) as {
      success: boolean
      data: { stdout?: string } | null
    }
  const tool = (task_id: string, tool_name: string, params: object) =>
    post('/api/tool/execute', { task_id, tool_name, params })
  return {
    kill: worker.kill,
    create: (id: string) => post(`/api/task/create?task_id=${id}&task_name=t`, {}),
    tool,
    shell: async (task: string, command: string) => (await tool(task, 'execute_shell', { command })).data?.stdout,
  }
}

it('the sandbox of a session that was at work when the Worker was killed goes to who wants it, and comes back to it', async () => {
  const first = await startWorker()
  for (const task of ['one', 'two']) expect(await first.create(task)).toMatchObject({ success: true })
  const cut = first.shell('one', 'echo kept > ~/kept.txt; touch begun; sleep 1000').catch(() => 'cut off')
  while (!(await first.tool('one', 'file_read', { file_path: 'code_run/begun' })).success);
  await first.kill()
  expect(await cut).toBe('cut off')

  const second = await startWorker()
  expect(await second.shell('two', 'echo ran')).toBe('ran\n')
  expect(await second.shell('one', 'cat ~/kept.txt; pgrep -xc sleep')).toBe('kept\n1\n')
  await second.kill()
})

it('a sandbox that nobody uses is paused after a while, and after the Worker was killed too', async () => {
  const running = async () => {
    const answer = await fetch(`${sandboxd.url}/v2/sandboxes?state=running`, {
      headers: { 'X-API-KEY': SANDBOX_HOST_KEY },
    })
    return ((await answer.json()) as unknown[]).length
  }
  const first = await startWorker(1)
  await first.create('three')
  expect(await first.shell('three', 'echo kept > ~/kept.txt; echo ran')).toBe('ran\n')
  await expect.poll(running).toBe(0)
  expect(await first.shell('three', 'cat ~/kept.txt')).toBe('kept\n')
  await first.kill()
  expect(await running()).toBe(1)
  await startWorker(1)
  await expect.poll(running).toBe(0)
})
