import { beforeAll, describe, expect, it } from 'vitest'
import { aToolServer, type Task } from '../dialects/toolserver/support.ts'

const server = aToolServer()

let task: Task
beforeAll(async () => {
  task = await server.task()
  await task.shell('true') // so that no deadline has a sandbox's start in it
})

/** Of a command that is to print something before: a busy machine may take a second to start it. */
const LONGER = 3

/** Runs into its deadline, and is answered soon after it: long before the command would end by itself. */
async function outOfTime(command: string, timeout = 1) {
  const start = performance.now()
  const { success, error, data } = await task.call('execute_shell', { command, timeout })
  expect(performance.now() - start).toBeLessThan(20_000)
  expect({ success, error }).toEqual({
    success: false,
    error: expect.stringMatching(`^Command timeout after ${timeout} seconds; `),
  })
  return data
}

const running = async (name: string) => Number((await task.shell(`pgrep -cf '[${name[0]}]${name.slice(1)}'`)).stdout)

describe('a command that never ends', () => {
  it('is answered soon after its deadline, with what it printed before', async () => {
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

it('the deadline of one call does not touch what another one runs', async () => {
  await task.shell('setsid sleep 700 >/dev/null 2>&1 &')
  const beside = task.shell('until [ -e ../go ]; do sleep 0.05; done; echo unharmed')
  await outOfTime('sleep 701')
  await task.write('go', '')
  await task.shell('true')
  expect((await beside).stdout).toBe('unharmed\n')
  expect(await running('sleep 700')).toBe(1)
})

it('a command that takes its time to end takes no sandbox with it', async () => {
  const other = await server.task()
  await other.shell('setsid sleep 702 >/dev/null 2>&1 &')
  // What tells whether files changed is asked at the end of each command, for a second when it does not answer.
  const command = `pkill -STOP -f '[w]atch.py'; sleep 703`
  expect(await other.failure('execute_shell', { command, timeout: LONGER })).toMatch(/^Command timeout after 3 seconds/)
  const next = await other.shell('pgrep -fx "sleep 70[23]" | wc -l')
  expect(next.stdout).toBe('1\n')
  expect(next).not.toHaveProperty('restored')
})

it('a script past its timeout is ended as well', async () => {
  await task.write(
    'loop.py',
    'import subprocess\nprint("begun", flush=True)\nsubprocess.run(["setsid", "sleep", "800"])\n',
  )
  const answer = await task.call('execute_code', { file_path: 'loop.py', timeout: `${LONGER}` })
  expect(answer).toMatchObject({
    success: false,
    error: 'Execution timeout after 3 seconds; give a larger timeout, or let it do less',
    data: { stdout: 'begun\n', executed_file: 'loop.py' },
  })
  expect(await running('sleep 800')).toBe(0)
})
