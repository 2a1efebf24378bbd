import { describe, expect, it } from 'vitest'
import { aToolServer, type Task } from '../../dialects/toolserver/support.ts'
import { type SandboxControl, sandboxOf } from '../../support/sandbox-control.ts'
import { newTenant } from '../../support/tenants.ts'

/** As many as the host takes. */
const SANDBOXES = 3

const server = aToolServer(async () => ({
  vars: { SANDBOXES_MAX: String(SANDBOXES), SANDBOX_WAIT_SECONDS: '100' },
  sandboxdEnv: { SANDBOXD_MAX_RUNNING: String(SANDBOXES) },
}))

/** A tenant of its own, whose tasks are deleted in the end. */
async function aTenant() {
  const { id, key } = await newTenant(server.toolyard())
  const client = server.as(key)
  return {
    client,
    tasks: (count: number): Promise<Task[]> => Promise.all(Array.from({ length: count }, () => client.task())),
    sandbox: async ({ id: task }: Task): Promise<SandboxControl> => {
      const found = await sandboxOf(server.toolyard(), task, id)
      if (!found) throw new Error('the task has no sandbox')
      return found
    },
    end: (tasks: readonly Task[]) =>
      Promise.all(tasks.map((task) => client.request(`/api/task/${task.id}`, { method: 'DELETE' }))),
  }
}

/** What the task's lasting shell prints. */
const shell = async (task: Task, content: string) =>
  JSON.stringify(await task.done('shell_write', { content, wait_ms: 10_000 }))

const UNTIL_GO = 'touch begun; until [ -e go ]; do sleep 0.05; done'
const begun = async (task: Task) => {
  while (!(await task.call('file_read', { file_path: 'code_run/begun' })).success);
}

describe('a tenant with more sessions than there are sandboxes', () => {
  it('has them all served, and others are served among them', async () => {
    const [many, other] = [await aTenant(), await aTenant()]
    const tasks = await many.tasks(6)
    let isOver = false
    const flood = tasks.map(async (task) => {
      for (let n = 0; !isOver; n++)
        expect((await task.shell(`echo ${n} >> n.txt; tail -n 1 n.txt`)).stdout).toBe(`${n}\n`)
    })
    const [own] = await other.tasks(1)
    for (let n = 0; n < 3; n++) expect((await own?.shell(`echo ${n}`))?.stdout).toBe(`${n}\n`)
    isOver = true
    await Promise.all(flood)
    await Promise.all([many.end(tasks), other.end(own ? [own] : [])])
  })

  it('has its idle ones paused for another, which lose nothing and wake at their next call', async () => {
    const [many, other] = [await aTenant(), await aTenant()]
    const tasks = await many.tasks(SANDBOXES)
    for (const task of tasks) {
      await task.shell(
        'echo kept > kept.txt; echo "not in the workspace" > ~/home.txt; (setsid sleep 1000 >/dev/null 2>&1 &)',
      )
      await shell(task, 'cd /tmp; kept=variable; echo set')
    }
    const [own] = await other.tasks(1)
    expect((await own?.shell('echo ran'))?.stdout).toBe('ran\n')
    const states = await Promise.all(tasks.map(async (task) => (await many.sandbox(task)).state()))
    expect(states.sort()).toEqual(['paused', 'running', 'running'])
    for (const task of tasks) {
      const answer = await task.shell('cat kept.txt ~/home.txt; pgrep -fc "[s]leep 1000"')
      expect(answer.stdout).toBe('kept\nnot in the workspace\n1\n')
      expect(answer).not.toHaveProperty('restored')
      expect(await shell(task, 'echo $kept $PWD')).toContain('variable /tmp')
    }
    await Promise.all([many.end(tasks), other.end(own ? [own] : [])])
  })

  it('keeps those in which something runs; another waits until it ends', async () => {
    const [many, other] = [await aTenant(), await aTenant()]
    const tasks = await many.tasks(SANDBOXES)
    const commands = tasks.map((task) => task.shell(`${UNTIL_GO}; echo done`))
    await Promise.all(tasks.map(begun))
    const [own] = await other.tasks(1)
    let isServed = false
    const waiting = own?.shell('echo served').finally(() => {
      isServed = true
    })
    // Files of a session whose call waits, and of those that are at work, can be used meanwhile.
    await own?.write('upload/a.txt', 'a')
    expect(await own?.read('upload/a.txt')).toBe('a')
    expect(isServed).toBe(false)
    await tasks[1]?.write('code_run/go', '')
    expect((await waiting)?.stdout).toBe('served\n')
    for (const task of tasks) await task.write('code_run/go', '')
    expect((await Promise.all(commands)).map(({ stdout }) => stdout)).toEqual(tasks.map(() => 'done\n'))
    await Promise.all([many.end(tasks), other.end(own ? [own] : [])])
  })

  it('whose waiting call is cancelled, or its task deleted, leaves the queue', async () => {
    const [many, other] = [await aTenant(), await aTenant()]
    const tasks = await many.tasks(SANDBOXES)
    const commands = tasks.map((task) => task.shell(`${UNTIL_GO}; echo done`))
    await Promise.all(tasks.map(begun))
    const [gone, own] = await other.tasks(2)
    const left = gone?.call('execute_shell', { command: 'echo never' })
    const waiting = own?.shell('echo served')
    if (gone) await other.end([gone])
    expect(await left).toMatchObject({ success: false, error: 'the task was deleted while this ran' })
    await tasks[0]?.write('code_run/go', '')
    expect((await waiting)?.stdout).toBe('served\n')
    for (const task of tasks) await task.write('code_run/go', '')
    await Promise.all(commands)
    await Promise.all([many.end(tasks), other.end(own ? [own] : [])])
  })
})
