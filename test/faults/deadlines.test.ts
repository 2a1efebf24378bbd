import { beforeAll, describe, expect, it } from 'vitest'
import { aToolServer, type Task } from '../dialects/toolserver/support.ts'
import { Pace } from '../support/pace.ts'
import { sandboxOf } from '../support/sandbox-control.ts'

const server = aToolServer()

/** A task whose sandbox is there, so that no deadline has its start in it. */
async function aTask(): Promise<Task> {
  const made = await server.task()
  await made.shell('true')
  return made
}

let task: Task
let pace: Pace
beforeAll(async () => {
  task = await aTask()
  const beside = await aTask()
  pace = new Pace(() => beside.shell('true'))
})

/** Of a command that is to print something before: a busy machine may take a second to start it. */
const LONGER = 3

/** Runs into its deadline, and is answered within a second of it. */
async function outOfTime(command: string, timeout = 1, of = task) {
  const { success, error, data } = await pace.answeredAtDeadline(timeout, () =>
    of.call('execute_shell', { command, timeout, max_chars: 65_536 }),
  )
  expect({ success, error }).toEqual({
    success: false,
    error: expect.stringMatching(`^Command timeout after ${timeout} seconds; `),
  })
  return data
}

/** Runs a command out of its time, and again with twice the time where the machine was so busy that its first words were not even run. */
async function begunBeforeItsDeadline(command: string) {
  for (let seconds = 2; ; seconds *= 2) {
    const own = await aTask()
    const data = await outOfTime(`echo kept > file; echo begun; ${command}`, seconds, own)
    const { success } = await own.call('file_read', { file_path: 'code_run/file' })
    if (success || data?.stdout !== '') return { own, data }
  }
}

const running = async (name: string) => Number((await task.shell(`pgrep -cf '[${name[0]}]${name.slice(1)}'`)).stdout)

describe('a command that never ends', () => {
  it('is answered within a second of its deadline, with what it printed before', async () => {
    const data = await outOfTime('echo begun; echo oops >&2; touch made; sleep 600', LONGER)
    expect(data).toMatchObject({ exit_code: -1, stdout: 'begun\n', stderr: 'oops\n' })
    expect(await task.read('code_run/made')).toBe('')
  })

  it.concurrent.each([
    ['in the background', 'sleep 601 & wait', 'sleep 601'],
    ['in a session of its own', 'setsid sleep 602 & wait', 'sleep 602'],
    ['as an orphan', '(setsid nohup sleep 603 >/dev/null 2>&1 &); sleep 603', 'sleep 603'],
    ['with an empty environment', 'env -i setsid sleep 604 & sleep 604', 'sleep 604'],
    [
      'that ignores every signal it can',
      `(trap '' TERM HUP INT QUIT USR1; while :; do sleep 605; done) & wait`,
      'sleep 605',
    ],
    [
      'as a daemon that closed all it was given',
      `python3 -c 'import os, time
if os.fork(): time.sleep(606)
os.setsid()
if os.fork(): os._exit(0)
os.closerange(0, 1000); os.environ.clear()
os.execve("/bin/sleep", ["sleep", "606.5"], {})'`,
      'sleep 606',
    ],
    ['that is stopped', 'sleep 607 & kill -STOP $!; kill -STOP $BASHPID', 'sleep 607'],
  ])('leaves no process behind: one %s', async (_, command, left) => {
    await outOfTime(command)
    expect(await running(left)).toBe(0)
  })

  it('that prints without end is cut off, with the head of what it printed', async () => {
    const data = await outOfTime('while :; do echo y; done', LONGER)
    expect(data).toMatchObject({
      truncated: true,
      stdout: expect.stringMatching(/^(y\n){16384}\n\[… \d+ of \d+ bytes/),
    })
  })
})

describe('a command is answered within a second of its deadline, with its files kept and the sandbox usable,', () => {
  it.each([
    ['that stops every process that it can', 'kill -STOP -1; sleep 60'],
    ['that stops the process which the sandbox is asked by', `pkill -STOP -f '[a]gent.cjs'; sleep 600`],
    ['that keeps the processor busy with many processes', 'for i in {1..24}; do (while :; do :; done) & done; wait'],
    ['that prints without end on both outputs', 'while :; do echo y; echo n >&2; done'],
    ['that changes files without end', 'i=0; while :; do echo $i > file-$((i++ % 300)); done'],
  ])('%s', async (_, command) => {
    const { own, data } = await begunBeforeItsDeadline(command)
    expect(data).toMatchObject({ exit_code: -1, stdout: expect.stringMatching(/^begun\n/) })
    expect(await own.read('code_run/file')).toBe('kept\n')
    expect((await own.shell(`cat file; pgrep -fc '[s]leep 6|[f]ile-' || true`)).stdout).toBe('kept\n0\n')
  })
})

it('a command whose sandbox is paused under it is told so at once, and what it wrote is kept', async () => {
  const own = await aTask()
  const call = own.call('execute_shell', { command: 'echo kept > file; sleep 600', timeout: 600 })
  await expect.poll(() => own.call('file_read', { file_path: 'code_run/file' })).toMatchObject({ success: true })
  await (await sandboxOf(server.toolyard(), own.id))?.runOutOfTime()
  expect(await call).toMatchObject({
    success: false,
    error: expect.stringMatching(/^the sandbox ended while this ran: .*; what it wrote is kept\. Call again/),
  })
  expect((await own.shell('cat file')).stdout).toBe('kept\n')
})

it('the deadline of one call does not touch what another one runs', async () => {
  const own = await aTask()
  await own.shell('setsid sleep 700 >/dev/null 2>&1 &')
  const beside = own.shell('until [ -e ../go ]; do sleep 0.05; done; echo unharmed')
  try {
    await outOfTime('sleep 701', 1, own)
  } finally {
    await own.write('go', '')
  }
  await own.shell('true')
  expect((await beside).stdout).toBe('unharmed\n')
  expect((await own.shell(`pgrep -cf '[s]leep 700'`)).stdout).toBe('1\n')
})

it('a command that takes its time to end takes no sandbox with it', async () => {
  const other = await aTask()
  await other.shell('setsid sleep 702 >/dev/null 2>&1 &')
  // What tells whether files changed is asked at the end of each command, for a second when it does not answer.
  const command = `pkill -STOP -f '[w]atch.py'; sleep 703`
  await outOfTime(command, LONGER, other)
  const next = await other.shell('pgrep -fx "sleep 70[23]" | wc -l')
  expect(next.stdout).toBe('1\n')
  expect(next).not.toHaveProperty('restored')
})

it('a script past its timeout is ended as well', async () => {
  await task.write(
    'loop.py',
    'import subprocess\nprint("begun", flush=True)\nsubprocess.run(["setsid", "sleep", "800"])\n',
  )
  const answer = await pace.answeredAtDeadline(LONGER, () =>
    task.call('execute_code', { file_path: 'loop.py', timeout: `${LONGER}` }),
  )
  expect(answer).toMatchObject({
    success: false,
    error: 'Execution timeout after 3 seconds; give a larger timeout, or run it in the background',
    data: { stdout: 'begun\n', executed_file: 'loop.py' },
  })
  expect(await running('sleep 800')).toBe(0)
})
