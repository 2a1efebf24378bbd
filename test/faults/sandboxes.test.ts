import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LAZY_TABLES } from '../../src/migrations/session/lazy-tables.ts'
import { aToolServer, newTaskId, type Task } from '../dialects/toolserver/support.ts'
import { type LocalInternet, startLocalInternet } from '../support/local-internet.ts'
import { forgetSession, sandboxOf, sessionStorage } from '../support/sandbox-control.ts'

let internet: LocalInternet | undefined
const server = aToolServer(async () => {
  internet = await startLocalInternet(['greeting', 'farewell'])
  return { allow: [internet.host], vars: { PIP_INDEX_URL: internet.packageIndex } }
})
afterAll(() => internet?.stop())

async function sandboxOfTask({ id }: Task) {
  const sandbox = await sandboxOf(server.toolyard(), id)
  if (!sandbox) throw new Error('the task has no sandbox')
  return sandbox
}

/** Waits for what a command that still runs has done. */
async function until(task: Task, file_path: string) {
  while (!(await task.call('file_read', { file_path })).success);
}

describe('a sandbox that vanished', () => {
  it('between two calls is replaced before the next: files and packages are back, and the answer says so', async () => {
    const task = await server.task('greeting')
    await task.done('pip_install', { packages: ['farewell'] })
    await task.write('upload/a.txt', 'a')
    await task.shell('printf b > b.txt')
    await (await sandboxOfTask(task)).end()
    const { stdout, generation, restored } = await task.shell(
      'cat ../upload/a.txt b.txt; python -c "import greeting, farewell; print(farewell.__version__)"',
    )
    expect(stdout).toBe('ab1.0\n')
    expect(generation).toBe(2)
    expect(restored).toMatchObject({ packages: ['farewell==1.0', 'greeting==1.0'], failed: [] })
    expect(restored?.files).toBeGreaterThan(7)
    expect(await task.shell('true')).not.toHaveProperty('restored')
  })

  it('in the middle of a call is told of, with what to do; the workspace is as of the last call', async () => {
    const task = await server.task()
    await task.write('upload/a.txt', 'a')
    await task.shell('printf b > b.txt')
    const call = task.call('execute_shell', { command: 'touch begun; sleep 60' })
    await until(task, 'code_run/begun')
    await (await sandboxOfTask(task)).end()
    expect(await call).toMatchObject({
      success: false,
      data: null,
      error: expect.stringMatching(
        /^the sandbox ended while this ran: .*; files are kept as of the last call\. Call again/,
      ),
    })
    expect([await task.read('upload/a.txt'), await task.read('code_run/b.txt')]).toEqual(['a', 'b'])
    expect(await task.shell('cat b.txt')).toMatchObject({ stdout: 'b', generation: 2 })
  })

  it('under a file tool, while something ran in the background, costs the tool nothing', async () => {
    const task = await server.task()
    await task.shell('printf a > a.txt; (setsid sleep 60 >/dev/null 2>&1 &)')
    await (await sandboxOfTask(task)).end()
    expect(await task.read('code_run/a.txt')).toBe('a')
    await task.write('code_run/a.txt', 'new')
    expect(await task.shell('cat a.txt')).toMatchObject({ stdout: 'new', generation: 2 })
  })

  it('and whose packages cannot be had any more is replaced all the same, and the answer names them', async () => {
    const task = await server.task()
    await task.shell('true')
    const storage = sessionStorage(server.toolyard(), task.id)
    for (const statement of LAZY_TABLES.packages) await storage.exec(statement)
    await storage.exec(`INSERT INTO packages (spec, position) VALUES ('no-such-package', 1)`)
    await (await sandboxOfTask(task)).end()
    expect(await task.shell('echo ran')).toMatchObject({ stdout: 'ran\n', restored: { failed: ['no-such-package'] } })
  })
})

describe('a sandbox that is paused by its timeout', () => {
  it.each([
    ['and the Worker still knows it', async () => {}],
    ['and the Worker was restarted', (task: Task) => forgetSession(server.toolyard(), task.id)],
  ])('%s goes on where it was', async (_, meanwhile) => {
    const task = await server.task()
    await task.shell('printf b > b.txt; echo "not in the workspace" > ~/home.txt')
    const sandbox = await sandboxOfTask(task)
    await sandbox.runOutOfTime()
    await meanwhile(task)
    expect(await task.read('code_run/b.txt')).toBe('b')
    await task.write('code_run/c.txt', 'c')
    const answer = await task.shell('cat b.txt c.txt ~/home.txt')
    expect(answer).toMatchObject({ stdout: 'bcnot in the workspace\n' })
    expect(answer).not.toHaveProperty('restored')
    expect(await sandbox.state()).toBe('running')
  })
})

describe('a restart', () => {
  it('of the Worker between two calls is not noticed: files, history, packages and the sandbox are there', async () => {
    const task = await server.task('greeting')
    await task.write('upload/a.txt', 'a')
    await task.shell('printf b > b.txt')
    await forgetSession(server.toolyard(), task.id)
    expect(await task.read('upload/a.txt')).toBe('a')
    const answer = await task.shell('cat ../upload/a.txt b.txt; python -c "import greeting"')
    expect(answer).toMatchObject({ stdout: 'ab', stderr: '' })
    expect(answer).not.toHaveProperty('restored')
    expect(await task.read(`logs/${task.id}_process.log`)).toMatch(
      /\[SUCCESS\] file_write .*\[SUCCESS\] execute_shell/s,
    )
  })

  it('of the Worker in the middle of a call leaves that call in the log as lost, and the task usable', async () => {
    const task = await server.task()
    await task.write('upload/a.txt', 'a')
    await task.shell('true')
    // An object with a call under way cannot be taken out of memory from outside: this is what its end would leave.
    const storage = sessionStorage(server.toolyard(), task.id)
    await storage.exec(`UPDATE calls SET state = 'running', answer = '', ended_at = NULL WHERE tool = 'execute_shell'`)
    await forgetSession(server.toolyard(), task.id)
    expect(await task.read('upload/a.txt')).toBe('a')
    expect(await task.read(`logs/${task.id}_process.log`)).toMatch(
      /\[ERROR\] execute_shell .*Error: the server was restarted while this ran, so it may have been done, in part or as a whole; /,
    )
    expect((await task.shell('cat ../upload/a.txt')).stdout).toBe('a')
  })
})

describe('while something runs in the background', () => {
  it('file tools and a download see what it has written so far', async () => {
    const task = await server.task()
    // Each in a file of its own: one that is read while it is written would be there in part.
    await task.shell(
      `(setsid bash -c 'for ((n = 0; n < 2000; n++)); do echo $n > $n; sleep 0.02; done' >/dev/null 2>&1 &)`,
    )
    await until(task, 'code_run/3')
    await until(task, 'code_run/6')
    const path = `/api/download/${task.id}/code_run/12`
    while ((await server.request(path)).status === 404);
    await task.write('code_run/stop', '')
    const { tree } = await task.done('dir_list', { dir_path: 'code_run' })
    expect((tree as { children: unknown[] }).children.length).toBeGreaterThan(12)
    await task.shell('pkill -f "[n] < 2000"')
  })

  it('a file that both it and a file tool write has the later content, and the answer names it', async () => {
    const task = await server.task()
    await task.write('code_run/a.txt', 'old')
    const command = 'touch begun; until [ -e ~/go ]; do sleep 0.02; done; printf command > a.txt'
    const call = task.shell(command)
    await until(task, 'code_run/begun')
    await task.write('code_run/a.txt', 'tool')
    await (await sandboxOfTask(task)).write('/home/user/go', '')
    expect(await call).toMatchObject({ exit_code: 0, conflicts: ['code_run/a.txt'] })
    expect(await task.read('code_run/a.txt')).toBe('command')
  })
})

describe('calls at once', () => {
  it('that write one file leave one of the contents, whole', async () => {
    const task = await server.task()
    const contents = Array.from({ length: 10 }, (_, n) => `${n}`.repeat(100_000))
    await Promise.all(contents.map((content) => task.write('a.txt', content)))
    expect(contents).toContain(await task.read('a.txt'))
  })

  it('that append to one file lose none', async () => {
    const task = await server.task()
    const letters = [...'abcdefghij']
    const append = (content: string) => task.done('file_write', { file_path: 'a.txt', content, mode: 'append' })
    await Promise.all(letters.map(append))
    expect([...String(await task.read('a.txt'))].sort()).toEqual(letters)
  })

  it('that run commands and write files lose nothing of either', async () => {
    const task = await server.task()
    const numbers = Array.from({ length: 6 }, (_, n) => n)
    await Promise.all(
      numbers.flatMap((n) => [
        task.shell(`printf ${n} > run${n}.txt`),
        task.write(`code_run/tool${n}.txt`, `${n}`),
        task.done('file_write', { file_path: 'code_run/log.txt', content: '+', mode: 'append' }),
      ]),
    )
    for (const n of numbers) {
      expect(await task.read(`code_run/run${n}.txt`)).toBe(`${n}`)
      expect(await task.read(`code_run/tool${n}.txt`)).toBe(`${n}`)
    }
    expect(await task.read('code_run/log.txt')).toBe('++++++')
    expect((await task.shell('cat run*.txt tool*.txt log.txt')).stdout).toBe('012345012345++++++')
  })

  it('that create one task make it once', async () => {
    const task_id = newTaskId()
    const answers = await Promise.all([1, 2, 3, 4].map(() => server.create({ task_id, task_name: 'x' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  })
})

describe('deleting a task', () => {
  const remove = (id: string) => server.json(`/api/task/${id}`, { method: 'DELETE' })
  const sandboxDirectory = (id: string) => join(server.toolyard().sandboxd.state, 's', id)

  it('ends its sandbox, removes all its data, and leaves its id free for a fresh one', async () => {
    const task = await server.task()
    await task.write('upload/a.txt', 'a')
    await task.shell('printf b > b.txt')
    const sandbox = await sandboxOfTask(task)
    expect(existsSync(sandboxDirectory(sandbox.id))).toBe(true)

    expect(await remove(task.id)).toMatchObject({ status: 200, body: { data: { status: 'deleted' } } })
    expect(await sandbox.state()).toBe(null)
    expect(existsSync(sandboxDirectory(sandbox.id))).toBe(false)
    const storage = sessionStorage(server.toolyard(), task.id)
    expect(await storage.exec(`SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'`)).toEqual([])
    expect(await task.failure('file_read', { file_path: 'upload/a.txt' })).toBe(`Task ${task.id} not found`)
    expect((await server.json(`/api/download/${task.id}/upload/a.txt`)).status).toBe(404)
    expect(await remove(task.id)).toEqual({ status: 400, body: { detail: `Task ${task.id} not found` } })

    expect((await server.create({ task_id: task.id, task_name: 'again' })).status).toBe(200)
    expect(await task.failure('file_read', { file_path: 'upload/a.txt' })).toMatch(/^File not found/)
    expect(String(await task.read(`logs/${task.id}_process.log`))).not.toContain('b.txt')
    expect(await task.shell('ls; ls ../upload')).toMatchObject({ stdout: '' })
  })

  it('while a command of it runs ends that as well, and the call is told', async () => {
    const task = await server.task()
    await task.shell('true')
    const sandbox = await sandboxOfTask(task)
    const call = task.call('execute_shell', { command: 'touch begun; sleep 60' })
    await until(task, 'code_run/begun')
    expect((await remove(task.id)).status).toBe(200)
    expect(await call).toMatchObject({
      success: false,
      error: expect.stringMatching(/^(the task was deleted while this ran|Task .* not found)$/),
    })
    expect(await sandbox.state()).toBe(null)
    expect((await server.json(`/api/task/${task.id}/status`)).status).toBe(404)
  })

  it('many times, at once with creating it, ends in one of the two', async () => {
    const { id } = await server.task()
    await Promise.all([1, 2, 3].flatMap(() => [remove(id), server.create({ task_id: id, task_name: 'x' })]))
    const { status } = await server.json(`/api/task/${id}/status`)
    const { body } = await server.execute({ task_id: id, tool_name: 'dir_list', params: {} })
    expect(body).toMatchObject({ success: status === 200 })
  })
})

// The last one: it takes the sandbox host away from all others.
describe('a sandbox host that', () => {
  it('was stopped keeps no file tool from working, and commands are told; when it is back, they run with the same files', async () => {
    const task = await server.task()
    await task.shell('printf b > b.txt')
    await server.toolyard().sandboxd.restart(async () => {
      await task.write('code_run/c.txt', 'c')
      expect(await task.read('code_run/b.txt')).toBe('b')
      expect(await task.failure('execute_shell', { command: 'true' })).toMatch(
        /^no sandbox could be started; try again/,
      )
    })
    expect((await task.shell('cat b.txt c.txt')).stdout).toBe('bc')
    expect(readdirSync(join(server.toolyard().sandboxd.state, 's')).length).toBeGreaterThan(0)
  })
})
