import { afterAll, expect, it } from 'vitest'
import { type LocalInternet, startLocalInternet } from '../../support/local-internet.ts'
import { Pace } from '../../support/pace.ts'
import { aToolServer, type Task, verifies } from './support.ts'

let internet: LocalInternet | undefined
const server = aToolServer(async () => {
  internet = await startLocalInternet(['greeting', 'farewell'])
  return { allow: [internet.host], vars: { PIP_INDEX_URL: internet.packageIndex } }
})
afterAll(() => internet?.stop())

async function script(task: Task, source: string, params: object = {}) {
  await task.write('code_run/main.py', source)
  return task.call('execute_code', { file_path: 'code_run/main.py', ...params })
}

verifies('toolserver:task:create:requirements', async () => {
  const task = await server.task('greeting')
  expect(await script(task, 'import greeting; print(greeting.__version__)')).toMatchObject({
    data: { stdout: '1.0\n' },
  })
})

verifies('toolserver:execute_code:answer', async () => {
  const task = await server.task()
  const source = 'import sys\nprint("héllo")\nprint("oops", file=sys.stderr)\n'
  expect((await script(task, source)).data).toMatchObject({
    exit_code: 0,
    stdout: 'héllo\n',
    stderr: 'oops\n',
    executed_file: 'code_run/main.py',
  })
})

verifies('toolserver:execute_code:exit-code', async () => {
  const task = await server.task()
  const { success, data } = await script(task, 'print(1)\nraise ValueError("no")\n')
  expect(success).toBe(true)
  expect(data).toMatchObject({ exit_code: 1, stdout: '1\n', stderr: expect.stringContaining('ValueError: no') })
  expect(await script(task, 'raise SystemExit(7)')).toMatchObject({ success: true, data: { exit_code: 7 } })
})

verifies('toolserver:execute_code:cwd', async () => {
  const task = await server.task()
  const { data } = await script(task, 'import os, sys\nprint(os.getcwd())\nprint(sys.argv)\n')
  expect(data?.stdout).toBe("/home/user/workspace/code_run\n['/home/user/workspace/code_run/main.py']\n")
})

verifies('toolserver:execute_code:files', async () => {
  const task = await server.task()
  await script(task, 'open("out.txt", "w").write("made by code")\nopen("../upload/up.txt", "w").write("up")')
  expect([await task.read('code_run/out.txt'), await task.read('upload/up.txt')]).toEqual(['made by code', 'up'])
})

/** A task whose sandbox is there, so that only the timeout is measured, and the machine's pace. */
async function measured() {
  const [task, beside] = [await server.task(), await server.task()]
  await Promise.all([task.shell('true'), beside.shell('true')])
  return { task, pace: new Pace(() => beside.shell('true')) }
}

verifies('toolserver:execute_code:timeout', async () => {
  const { task, pace } = await measured()
  const answer = await pace.answeredAtDeadline(3, () =>
    script(task, 'import time\nprint("begun", flush=True)\ntime.sleep(60)', { timeout: 3 }),
  )
  expect(answer).toMatchObject({
    success: false,
    error: expect.stringMatching(/^Execution timeout after 3 seconds/),
    data: { stdout: 'begun\n' },
  })
})

verifies('toolserver:execute_code:not-found', async () => {
  const task = await server.task()
  expect(await task.failure('execute_code', { file_path: 'code_run/none.py' })).toMatch(
    /^File not found: code_run\/none\.py/,
  )
})

verifies('toolserver:execute_code:bytes', async () => {
  const task = await server.task()
  const { data } = await script(task, 'import sys\nsys.stdout.buffer.write(b"a\\xff\\xfeb")')
  expect(data).toMatchObject({ exit_code: 0, stdout: 'a\ufffd\ufffdb' })
})

verifies('toolserver:execute_shell:answer', async () => {
  const task = await server.task()
  const command = 'echo out; echo err >&2; exit 3'
  const data = await task.done('execute_shell', { command })
  expect(data).toMatchObject({ exit_code: 3, stdout: 'out\n', stderr: 'err\n', command })
})

verifies('toolserver:execute_shell:cwd', async () => {
  const task = await server.task()
  expect(await task.done('execute_shell', { command: 'pwd' })).toMatchObject({
    stdout: '/home/user/workspace/code_run\n',
  })
})

verifies('toolserver:execute_shell:workdir', async () => {
  const task = await server.task()
  expect(await task.done('execute_shell', { command: 'pwd; touch here', workdir: 'new/place' })).toMatchObject({
    stdout: '/home/user/workspace/new/place\n',
  })
  expect(await task.read('new/place/here')).toBe('')
})

verifies('toolserver:execute_shell:required', async () => {
  const task = await server.task()
  expect(await task.failure('execute_shell', { command: '' })).toMatch(/command is required|command: .*required/)
})

verifies('toolserver:execute_shell:timeout', async () => {
  const { task, pace } = await measured()
  const error = await pace.answeredAtDeadline(1, () =>
    task.failure('execute_shell', { command: 'sleep 4321 & sleep 4321', timeout: 1 }),
  )
  expect(error).toMatch(/^Command timeout after 1 seconds/)
  const left = await task.done('execute_shell', { command: 'cat /proc/[0-9]*/comm | grep -cx sleep' })
  expect(String(left.stdout).trim()).toBe('0')
})

verifies('toolserver:execute_shell:background', async () => {
  const task = await server.task()
  const command = 'echo up; sleep 601 & until [ -e go ]; do sleep 0.05; done; echo on; sleep 602'
  const { job_id, pid, log_file } = await task.done('execute_shell', { command, background: true })
  expect([typeof pid, log_file]).toEqual(['number', `logs/execute_shell-${job_id}.txt`])
  const first = await task.done('job_output', { job_id, wait_seconds: 60 })
  expect(first).toMatchObject({ running: true, output: 'up\n', next_from_byte: 3 })
  expect(await task.read(String(log_file))).toBe('up\n')
  await task.shell('touch go')
  expect(await task.done('job_output', { job_id, from_byte: 3, wait_seconds: 60 })).toMatchObject({ output: 'on\n' })
  expect(await task.done('job_list')).toMatchObject({ jobs: [{ job_id, pid, command, running: true }] })
  expect(await task.done('job_stop', { job_id })).toMatchObject({ running: false, state: 'stopped' })
  expect((await task.shell('cat /proc/[0-9]*/comm | grep -cx sleep')).stdout).toBe('0\n')
  expect(await task.failure('job_output', { job_id: 'none' })).toMatch(/"none"/)
})

verifies('toolserver:execute_code:background', async () => {
  const task = await server.task()
  await task.write('code_run/long.py', 'import time\nprint("begun", flush=True)\ntime.sleep(600)')
  const { job_id } = await task.done('execute_code', { file_path: 'code_run/long.py', background: true })
  expect(await task.done('job_output', { job_id, wait_seconds: 60 })).toMatchObject({
    running: true,
    output: 'begun\n',
  })
  expect(await task.done('job_stop', { job_id })).toMatchObject({ running: false, state: 'stopped' })
  const coded = await task.done('execute_code', { code: 'print(6 * 7)', background: true })
  const data = await task.done('job_output', { job_id: coded.job_id, wait_seconds: 60 })
  expect(data).toMatchObject({ output: '42\n' })
})

verifies('toolserver:execute_shell:client-leaves', async () => {
  const task = await server.task()
  const leaving = new AbortController()
  const command = 'touch begun; until [ -e go ]; do sleep 0.05; done; seq -s, 2000; echo "printed after that"'
  const left = server.request('/api/tool/execute', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ task_id: task.id, tool_name: 'execute_shell', params: { command } }),
    signal: leaving.signal,
  })
  await task.shell('until [ -e begun ]; do sleep 0.05; done')
  leaving.abort()
  await expect(left).rejects.toThrow()
  await task.shell('touch go')
  await expect
    .poll(() => task.read(`logs/${task.id}_detail.log`))
    .toMatch(
      /execute_shell executed successfully.*\n.*go \]; do.*\n.*Result: 1,2,3,.*,2000\\nprinted after that\\nexit code 0/,
    )
})

verifies('toolserver:pip_install:answer', async () => {
  const task = await server.task()
  const { results } = await task.done('pip_install', { packages: ['greeting', 'farewell==1.0'] })
  expect(results).toEqual(
    ['greeting', 'farewell==1.0'].map((name) => ({
      package: name,
      success: true,
      stdout: expect.any(String),
      stderr: expect.any(String),
    })),
  )
  const { data } = await script(task, 'import greeting, farewell; print(farewell.__version__)')
  expect(data?.stdout).toBe('1.0\n')
})

verifies('toolserver:pip_install:text', async () => {
  const task = await server.task()
  const { results } = await task.done('pip_install', { packages: 'greeting' })
  expect(results).toMatchObject([{ package: 'greeting', success: true }])
})

verifies('toolserver:pip_install:failure', async () => {
  const task = await server.task()
  const { success, error, data } = await task.call('pip_install', { packages: ['no-such-thing', 'greeting'] })
  expect(success).toBe(false)
  expect(error).toMatch(/no-such-thing/)
  expect(data?.results).toMatchObject([
    { package: 'no-such-thing', success: false, stderr: expect.stringMatching(/no-such-thing/) },
    { package: 'greeting' },
  ])
})

verifies('toolserver:pip_install:required', async () => {
  const task = await server.task()
  expect(await task.failure('pip_install', { packages: [] })).toMatch(/packages is required|packages: .*required/)
})

const repository = () => internet?.repository ?? ''

verifies(['toolserver:git_clone:answer', 'toolserver:git_clone:target'], async () => {
  const task = await server.task()
  expect(await task.done('git_clone', { repo_url: repository() })).toMatchObject({
    clone_path: 'upload/project',
    repo_url: repository(),
    branch: 'main',
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    commit_message: 'Begin',
    commit_author: 'Ann <ann@example.com>',
    commit_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}$/),
  })
  expect(await task.read('upload/project/README.md')).toBe('# Project\n')
  const named = await task.done('git_clone', { repo_url: repository(), target_dir: 'mine' })
  expect(named.clone_path).toBe('upload/mine')
})

verifies('toolserver:git_clone:branch', async () => {
  const task = await server.task()
  const data = await task.done('git_clone', { repo_url: repository(), branch: 'other' })
  expect(data).toMatchObject({ branch: 'other', commit_message: 'Add the other file' })
  expect(await task.read('upload/project/other.txt')).toBe('other\n')
})

verifies('toolserver:git_clone:failure', async () => {
  const task = await server.task()
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  const repo_url = 'https://127.0.0.1:1/none.git' // nothing listens there
  const answer = await task.call('git_clone', { repo_url, token })
  expect(answer).toMatchObject({ success: false, error: expect.stringMatching(/^Git clone failed: /) })
  expect(JSON.stringify(answer)).not.toContain(token)
  const log = await task.read(`logs/${task.id}_process.log`)
  expect(log).not.toContain(token)
})

verifies('toolserver:git_clone:exists', async () => {
  const task = await server.task()
  await task.write('upload/project/mine.txt', 'mine')
  expect(await task.failure('git_clone', { repo_url: repository() })).toMatch(/already exists|not empty/)
  expect(await task.read('upload/project/mine.txt')).toBe('mine')
})

verifies('toolserver:git_clone:required', async () => {
  const task = await server.task()
  expect(await task.failure('git_clone', { repo_url: '' })).toMatch(/repo_url is required|repo_url: .*required/)
})

it('a run names the files that it created, changed and deleted, and no caches or environment', async () => {
  const task = await server.task()
  await task.done('file_write', { file_path: 'code_run/old.txt', content: 'old' })
  await task.done('file_write', { file_path: 'code_run/gone.txt', content: 'gone' })
  const command =
    'echo longer > old.txt; rm gone.txt; mkdir -p new/__pycache__; echo 1 > new/a.txt; echo 2 > new/__pycache__/b'
  const first = await task.done('execute_shell', { command })
  expect(first.files_changed).toEqual(
    expect.arrayContaining([
      { path: 'code_run/old.txt', size: 7, change: 'modified' },
      { path: 'code_run/gone.txt', change: 'deleted' },
      { path: 'code_run/new/a.txt', size: 2, change: 'created' },
    ]),
  )
  expect(first.files_changed).toHaveLength(3)
  expect(first).not.toHaveProperty('notes')
  expect(await task.done('execute_shell', { command: 'cat old.txt' })).not.toHaveProperty('files_changed')
  const code = 'open("plot.txt", "w").write("x" * 9); print("y" * 40000)'
  const run = await task.done('execute_code', { code })
  expect(run.files_changed).toEqual([{ path: 'code_run/plot.txt', size: 9, change: 'created' }])
  expect(run).toHaveProperty('full_output')
})

it('of commands beside each other, one that names changes says that they may be of the other', async () => {
  const task = await server.task()
  await task.shell('true')
  const both = await Promise.all(
    ['a', 'b'].map((own) => {
      const other = own === 'a' ? 'b' : 'a'
      const command = `touch ${own}; until [ -e ${other} ]; do sleep 0.02; done`
      return task.done('execute_shell', { command })
    }),
  )
  const files = both.flatMap(({ files_changed = [] }) => files_changed as { path: string }[]).map(({ path }) => path)
  expect(new Set(files)).toEqual(new Set(['code_run/a', 'code_run/b']))
  const named = both.filter((data) => data.files_changed)
  for (const { notes } of named) expect(notes).toEqual([expect.stringMatching(/^other commands ran beside this one/)])
})
