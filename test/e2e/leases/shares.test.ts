import { describe, expect, it, onTestFinished } from 'vitest'
import { aToolServer, type Task } from '../../dialects/toolserver/support.ts'
import { type SandboxControl, sandboxOf } from '../../support/sandbox-control.ts'
import { SANDBOX_HOST_KEY } from '../../support/sandboxd.ts'
import { newTenant } from '../../support/tenants.ts'

/** As many as the host takes. */
const SANDBOXES = 3

const server = aToolServer(async () => ({
  // A spare one is kept where there is room, and nothing here may change by that.
  vars: { SANDBOXES_MAX: String(SANDBOXES), SANDBOX_WAIT_SECONDS: '100', SANDBOX_SPARES: '1' },
  sandboxdEnv: { SANDBOXD_MAX_RUNNING: String(SANDBOXES) },
}))

/** A tenant of its own, whose tasks are deleted when the test ends. */
async function aTenant() {
  const { id, key } = await newTenant(server.toolyard())
  const client = server.as(key)
  const made: Task[] = []
  const remove = (task: Task) => client.request(`/api/task/${task.id}`, { method: 'DELETE' })
  onTestFinished(async () => {
    await Promise.all(made.map(remove))
  })
  return {
    task: async (): Promise<Task> => {
      const task = await client.task()
      made.push(task)
      return task
    },
    remove,
    sandbox: async ({ id: task }: Task): Promise<SandboxControl> => {
      const found = await sandboxOf(server.toolyard(), task, id)
      if (!found) throw new Error('the task has no sandbox')
      return found
    },
  }
}

const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make))

/** What the task's lasting shell prints. */
const shell = async (task: Task, content: string) =>
  JSON.stringify(await task.done('shell_write', { content, wait_ms: 10_000 }))

const UNTIL_GO = 'touch begun; until [ -e ~/go ]; do sleep 0.05; done; echo done'

/** A command that runs in the task until it is let go. */
async function atWork(task: Task, tenant: Awaited<ReturnType<typeof aTenant>>) {
  const command = task.shell(UNTIL_GO)
  while (!(await task.call('file_read', { file_path: 'code_run/begun' })).success);
  const sandbox = await tenant.sandbox(task)
  return {
    command,
    letGo: async () => {
      await sandbox.write('/home/user/go', '')
      expect((await command).stdout).toBe('done\n')
    },
  }
}

it('a spare sandbox is there while there is room for it, and goes for a session that needs its place', async () => {
  const { url } = server.toolyard().sandboxd
  const running = async (only = '') => {
    const headers = { 'X-API-Key': SANDBOX_HOST_KEY }
    const answer = await fetch(`${url}/v2/sandboxes?state=running${only}`, { headers })
    return ((await answer.json()) as { sandboxID: string }[]).map(({ sandboxID }) => sandboxID)
  }
  const tenant = await aTenant()
  const tasks = await times(SANDBOXES, tenant.task)
  // Tasks that a spare one does not fit.
  for (const task of tasks) await task.write('.toolyardignore', 'cache\n')
  const spares = () => running('&metadata=spare%3Dtrue')
  await expect.poll(spares).toHaveLength(1)
  const [spare] = await spares()
  const [first, second, third] = tasks
  for (const task of [first, second]) expect((await task?.shell('echo ran'))?.stdout).toBe('ran\n')
  expect(await running()).toContain(spare)
  expect((await third?.shell('echo ran'))?.stdout).toBe('ran\n')
  expect(await running()).not.toContain(spare)
  const own = await Promise.all(tasks.map(async (task) => (await tenant.sandbox(task)).id))
  expect((await running()).sort()).toEqual(own.sort())
})

describe('a tenant with more sessions than there are sandboxes', () => {
  it('has them all served, and others are served among them', async () => {
    const [many, other] = [await aTenant(), await aTenant()]
    const tasks = await times(2 * SANDBOXES, many.task)
    const over = new AbortController()
    onTestFinished(() => over.abort())
    const flood = tasks.map(async (task) => {
      let n = 0
      do {
        n += 1
        expect((await task.shell(`echo ${n} >> n.txt; tail -n 1 n.txt`)).stdout).toBe(`${n}\n`)
      } while (!over.signal.aborted)
    })
    const own = await other.task()
    for (const n of [1, 2, 3]) expect((await own.shell(`echo ${n}`)).stdout).toBe(`${n}\n`)
    over.abort()
    await Promise.all(flood)
  })

  it('has its idle ones paused for another, which lose nothing and wake at their next call', async () => {
    const [many, other] = [await aTenant(), await aTenant()]
    const tasks = await times(SANDBOXES, many.task)
    for (const task of tasks) {
      await task.shell(
        'echo kept > kept.txt; echo "not in the workspace" > ~/home.txt; (setsid sleep 1000 >/dev/null 2>&1 &)',
      )
      await shell(task, 'cd /tmp; kept=variable; echo set')
    }
    expect((await (await other.task()).shell('echo ran')).stdout).toBe('ran\n')
    const states = await Promise.all(tasks.map(async (task) => (await many.sandbox(task)).state()))
    expect(states.sort()).toEqual(['paused', 'running', 'running'])
    for (const task of tasks) {
      const answer = await task.shell('cat kept.txt ~/home.txt; pgrep -fc "[s]leep 1000"')
      expect(answer.stdout).toBe('kept\nnot in the workspace\n1\n')
      expect(answer).not.toHaveProperty('restored')
      expect(await shell(task, 'echo $kept $PWD')).toContain('variable /tmp')
    }
  })

  it('keeps those in which something runs; another waits until it ends, and its files can be used meanwhile', async () => {
    const [many, other] = [await aTenant(), await aTenant()]
    const busy = await Promise.all((await times(SANDBOXES, many.task)).map((task) => atWork(task, many)))
    const own = await other.task()
    let isServed = false
    const waiting = own.shell('cat ../upload/a.txt').finally(() => {
      isServed = true
    })
    await own.write('upload/a.txt', 'a')
    expect(await own.read('upload/a.txt')).toBe('a')
    expect(isServed).toBe(false)
    await busy[1]?.letGo()
    expect((await waiting).stdout).toBe('a')
    await Promise.all([busy[0]?.letGo(), busy[2]?.letGo()])
  })

  it('and a task that is deleted while its call waits: the next one is served in its place', async () => {
    const [many, other] = [await aTenant(), await aTenant()]
    const busy = await Promise.all((await times(SANDBOXES, many.task)).map((task) => atWork(task, many)))
    const [gone, own] = [await other.task(), await other.task()]
    const left = gone.call('execute_shell', { command: 'echo never' })
    await other.remove(gone)
    expect(await left).toMatchObject({ success: false })
    const waiting = own.shell('echo served')
    await busy[0]?.letGo()
    expect((await waiting).stdout).toBe('served\n')
    await Promise.all([busy[1]?.letGo(), busy[2]?.letGo()])
  })
})
