import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { aToolServer, type Task } from '../dialects/toolserver/support.ts'

const server = aToolServer(async () => ({ sandboxdEnv: { SANDBOXD_PIDS: '96' } }))

const TIMEOUT = 2
/** The most that an answer may come after its deadline, on a machine that has nothing else to do. */
const ANSWER_MS = 1_000

/** A task whose sandbox is there, so that no deadline has its start in it. */
async function aTask(): Promise<Task> {
  const task = await server.task()
  await task.shell('true')
  return task
}

/**
 * Runs into a deadline, and is answered within a second of it. The machine's own pace is measured at the same time: what
 * the slowest of bare calls took, which touch no sandbox, is allowed on top.
 */
async function outOfTime<T>(call: () => Promise<T>, seconds = TIMEOUT): Promise<T> {
  const beside = await server.task()
  let goesOn = true
  let slowestMs = 0
  const bare = async () => {
    while (goesOn) {
      const began = performance.now()
      await beside.call('dir_list', {})
      slowestMs = Math.max(slowestMs, performance.now() - began)
      await pause(20)
    }
  }
  const measured = bare()
  const began = performance.now()
  const answer = await call()
  const tookMs = performance.now() - began
  goesOn = false
  await measured
  console.log('LATE', tookMs - seconds * 1000, slowestMs)
  expect(tookMs).toBeGreaterThanOrEqual(seconds * 1_000)
  expect(tookMs - seconds * 1_000).toBeLessThan(ANSWER_MS + slowestMs)
  return answer
}

describe('a command is answered within a second of its deadline', () => {
  it.each([
    ['stops every process that it can', 'kill -STOP -1; sleep 60'],
    ['forks without end', 'b() { b | b & }; b; sleep 600'],
    ['stops the process that the sandbox is asked by', `pkill -STOP -f '[a]gent.cjs'; sleep 600`],
    ['stops what tells of changes', `pkill -STOP -f '[w]atch.py'; sleep 600`],
    ['keeps the processor busy with many processes', 'for i in {1..24}; do (while :; do :; done) & done; wait'],
    ['prints without end on both outputs', 'while :; do echo y; echo n >&2; done'],
    ['writes files without end', 'i=0; while :; do echo $i > file-$((i++ % 1000)); done'],
  ])('that %s, and what it wrote and printed is kept', async (_, command) => {
    const task = await aTask()
    const answer = await outOfTime(() =>
      task.call('execute_shell', { command: `echo kept > file; echo begun; ${command}`, timeout: TIMEOUT }),
    )
    console.log(JSON.stringify(answer).slice(0, 600))
    expect(answer).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Command timeout after 2 seconds/),
      data: { exit_code: -1 },
    })
    let began = performance.now()
    expect(await task.read('code_run/file')).toBe('kept\n')
    console.log('READ', performance.now() - began)
    began = performance.now()
    const next = await task.shell('cat file; jobs')
    console.log('NEXT', performance.now() - began, JSON.stringify(next))
    expect(next.stdout).toBe('kept\n')
  })
})
