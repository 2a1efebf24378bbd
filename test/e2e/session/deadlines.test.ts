import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SandboxGone } from '../../../src/ports/sandbox.ts'
import { Pace } from '../../support/pace.ts'
import { pythonBench } from '../../support/python-bench.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type Request, type SessionBench, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd.stop())

const aCommand = (bench: SessionBench) => bench.call('execute_shell', { command: 'true' })
const aCell = (bench: SessionBench) => bench.call('ipython_run', { command: '1' })

/** A session whose sandbox is there, and another one, whose bare commands or cells tell the machine's pace. */
async function aBench(bench: SessionBench = sessionBench(sandboxd), bare = aCommand) {
  const beside = sessionBench(sandboxd)
  await Promise.all([bench.sh('true'), bare(beside)])
  const pace = new Pace(() => bare(beside))
  const outOfTime = <T>(seconds: number, call: () => Promise<T>) => pace.answeredAtDeadline(seconds, call)
  return { bench, beside, outOfTime }
}

const TIMED_OUT = { kind: 'failed', failure: { code: 'timeout' } }

/** The scripts that end what is past its deadline: others define the same functions, and do not call this one. */
const isKill = ({ script }: Request) => /^kill_marked [^(]/m.test(script)

describe('a command that is past its deadline', () => {
  it('is answered though its sandbox answers nothing any more; who needs the sandbox waits for its end', async () => {
    const { bench, beside, outOfTime } = await aBench()
    const gate = Promise.withResolvers<void>()
    bench.host.before = ({ method, script, index }) =>
      method === 'readStream' || isKill({ method, script, index }) ? gate.promise : undefined
    const answer = await outOfTime(1, () =>
      bench.call('execute_shell', { command: 'echo kept > file; setsid sleep 600', timeout: 1 }),
    )
    expect(answer).toMatchObject({
      ...TIMED_OUT,
      failure: {
        data: { exit_code: -1, stdout: '', notes: [expect.stringMatching(/is ended now, and the next call/)] },
      },
      receipt: { exec_ms: expect.toSatisfy((ms: number) => ms >= 1_000) },
    })
    let hasRead = false
    const reading = bench.call('file_read', { file_path: 'code_run/file' }).finally(() => {
      hasRead = true
    })
    const next = bench.sh('pgrep -fc "[s]leep 600" || true; cat code_run/file')
    expect(bench.session.quiet.use()).toEqual({ state: 'busy' })
    await beside.sh('true')
    expect(hasRead).toBe(false)
    gate.resolve()
    expect(await reading).toMatchObject({ kind: 'done', result: { data: { content: 'kept\n' } } })
    const { stdout, generation } = await next
    expect({ stdout, generation }).toEqual({ stdout: '0\nkept\n', generation: undefined })
  })

  it('is ended by a session that lost its memory in the middle of that, and the sandbox stays', async () => {
    const { bench, outOfTime } = await aBench()
    const evicted = Promise.withResolvers<void>()
    bench.host.before = (request) => (isKill(request) ? evicted.promise : undefined)
    const command = 'echo kept > file; setsid sleep 600'
    expect(await outOfTime(1, () => bench.call('execute_shell', { command, timeout: 1 }))).toMatchObject(TIMED_OUT)
    bench.host.before = () => undefined
    bench.evict()
    const { stdout, restored } = await bench.sh('pgrep -fc "[s]leep 600" || true; cat code_run/file')
    expect({ stdout, restored }).toEqual({ stdout: '0\nkept\n', restored: undefined })
    evicted.reject(new Error('this object is gone'))
  })

  it('is ended by the alarm of a session that lost its memory, when nobody comes', async () => {
    const { bench, outOfTime } = await aBench()
    const evicted = Promise.withResolvers<void>()
    bench.host.before = (request) => (isKill(request) ? evicted.promise : undefined)
    const command = 'setsid sleep 600'
    expect(await outOfTime(1, () => bench.call('execute_shell', { command, timeout: 1 }))).toMatchObject(TIMED_OUT)
    bench.host.before = () => undefined
    bench.evict()
    await bench.session.settle()
    expect(await bench.host.inside('pgrep -fc "[s]leep 600" || true')).toBe('0\n')
    evicted.reject(new Error('this object is gone'))
  })

  it('and cannot be ended takes its sandbox with it: what runs beside it is told why, and files are kept', async () => {
    const { bench, outOfTime } = await aBench()
    const other = bench.call('execute_shell', { command: 'echo mine > mine; touch began; sleep 601' })
    await expect.poll(() => bench.call('file_read', { file_path: 'code_run/began' })).toMatchObject({ kind: 'done' })
    bench.host.before = (request) => {
      if (isKill(request)) throw new SandboxGone('the sandbox has no room for another process')
    }
    const command = 'echo kept > file; echo begun; sleep 600'
    expect(await outOfTime(1, () => bench.call('execute_shell', { command, timeout: 1 }))).toMatchObject({
      ...TIMED_OUT,
      failure: { data: { stdout: 'begun\n' } },
    })
    expect(await other).toMatchObject({
      kind: 'failed',
      failure: {
        message: expect.stringMatching(
          /^the sandbox was ended while this ran, because another command in it could not be stopped at its deadline; what it wrote is kept\. Call again/,
        ),
      },
    })
    bench.host.before = () => undefined
    expect(await bench.sh('cat code_run/file code_run/mine')).toMatchObject({
      stdout: 'kept\nmine\n',
      generation: 2,
      restored: { failed: [] },
      notes: [expect.stringMatching(/^the command could not be stopped, so its sandbox was ended/)],
    })
  })

  it('and whose sandbox ends by that is answered in time too, and the next call hears of the new sandbox', async () => {
    const { bench, outOfTime } = await aBench()
    await bench.sh('echo old > file')
    bench.host.before = async (request) => {
      if (isKill(request)) await bench.host.crash()
    }
    const command = 'echo new > file; sleep 600'
    expect(await outOfTime(1, () => bench.call('execute_shell', { command, timeout: 1 }))).toMatchObject({
      kind: 'failed',
    })
    expect(await bench.sh('cat file')).toMatchObject({ stdout: 'old\n', generation: 2, restored: { failed: [] } })
  })

  it('has its time counted until its answer, and what ends it is nobody’s', async () => {
    const { bench, outOfTime } = await aBench()
    const gate = Promise.withResolvers<void>()
    bench.host.before = (request) => (isKill(request) ? gate.promise : undefined)
    const began = performance.now()
    const call = bench.call('execute_shell', { command: 'sleep 600', timeout: 1 })
    const answer = await outOfTime(1, () => call)
    const tookMs = performance.now() - began
    gate.resolve()
    const execMs = 'receipt' in answer ? (answer.receipt?.exec_ms ?? 0) : 0
    expect(execMs).toBeGreaterThanOrEqual(1_000)
    expect(execMs).toBeLessThanOrEqual(tookMs)
    await bench.sh('true')
    expect(bench.session.calls.page({ limit: 10 }).calls.find(({ state }) => state === 'failed')).toMatchObject({
      receipt: { exec_ms: execMs },
    })
  })
})

describe('Python in the sandbox that stops every process it can is answered at its deadline:', () => {
  const STOP_ALL = 'import os, signal, time\n'

  it('a module, whose sandbox goes on', async () => {
    const python = pythonBench(sandboxd)
    const { outOfTime } = await aBench(python.bench)
    const source = `${STOP_ALL}count = 0
def stop(): os.kill(-1, signal.SIGSTOP); os.kill(os.getpid(), signal.SIGSTOP)
def next():
    global count
    count += 1
    return count
`
    expect(await python.call(source, 'next')).toMatchObject({ value: 1 })
    const stopped = await outOfTime(2, () => python.call(source, 'stop', { timeoutMs: 2_000 }))
    expect(stopped).toMatchObject({ how: 'timedOut' })
    expect(await python.call(source, 'next')).toMatchObject({ value: 1, warm: false })
    expect(await python.bench.sh('true')).not.toHaveProperty('restored')
  })

  it('a cell, whose variables are kept', async () => {
    const { bench, outOfTime } = await aBench(sessionBench(sandboxd), aCell)
    const run = (command: string, timeout = 20) => bench.call('ipython_run', { command, timeout })
    expect(dataOf(await run('x = 5')).result).toBeDefined()
    const stopped = await outOfTime(2, () => run(`${STOP_ALL}os.kill(-1, signal.SIGSTOP); time.sleep(100)`, 2))
    expect(JSON.stringify(stopped)).toMatch(/deadline|Timeout/)
    expect(await run('x')).toMatchObject({ result: { data: { result: [{ content: expect.stringContaining('5') }] } } })
  })

  it('a cell that does not stop when it is interrupted, and the next one hears that the variables are gone', async () => {
    const { bench, outOfTime } = await aBench(sessionBench(sandboxd), aCell)
    const run = (command: string, timeout = 20) => bench.call('ipython_run', { command, timeout })
    expect(dataOf(await run('x = 5')).result).toBeDefined()
    const code = 'import time\nwhile True:\n    try: time.sleep(100)\n    except KeyboardInterrupt: pass'
    const { error } = dataOf(await outOfTime(1, () => run(code, 1)))
    expect(error).toMatch(/^Timeout\. No response after 1 seconds\. It has not stopped yet/)
    const next = dataOf(await run('"x" in globals()'))
    expect(next).toMatchObject({
      result: [{ content: expect.stringContaining('False') }],
      notes: [expect.stringMatching(/variables of earlier cells are gone$/)],
    })
  })

  it('a command in a shell of its own', async () => {
    const { bench, outOfTime } = await aBench(sessionBench(sandboxd), aCell)
    const run = (command: string, timeout = 20) => bench.call('shell_command', { command, timeout })
    expect(dataOf(await run('echo hello')).stdout).toBe('hello\n')
    expect(await outOfTime(2, () => run('kill -STOP -1; sleep 60', 2))).toMatchObject(TIMED_OUT)
    expect(dataOf(await run('echo again')).stdout).toBe('again\n')
  })
})
