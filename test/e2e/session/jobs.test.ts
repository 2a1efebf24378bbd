import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fail } from '../../../src/core/failure.ts'
import {
  JOB_LOOK_MS,
  JOB_SYNC_MS,
  MAX_BACKGROUND_COMMANDS,
  MAX_JOB_ANSWER_BYTES,
  MAX_JOB_LOG_BYTES,
  MAX_JOB_LOG_TAIL_BYTES,
  MAX_JOB_OUTPUT_BYTES,
  MAX_RUNNING_JOBS,
} from '../../../src/core/limits/jobs.ts'
import { SANDBOX_QUIET_MS } from '../../../src/core/limits/leases.ts'
import { SESSION_IDLE_MS } from '../../../src/core/limits/sessions.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { ROOT } from '../../../src/core/workspace-path.ts'
import { integer, optional, withDefault } from '../../../src/tools/arguments.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { executeCode } from '../../../src/tools/code/execute-code.ts'
import { executeShell } from '../../../src/tools/code/execute-shell.ts'
import { defineTool } from '../../../src/tools/define.ts'
import { fileRead } from '../../../src/tools/files/file-read.ts'
import { fileWrite } from '../../../src/tools/files/file-write.ts'
import { jobList } from '../../../src/tools/jobs/job-list.ts'
import { jobOutput } from '../../../src/tools/jobs/job-output.ts'
import { jobStop } from '../../../src/tools/jobs/job-stop.ts'
import { Registry } from '../../../src/tools/registry.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type SessionBench, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

/** A tool whose work is a script, with what it printed as its answer. */
const longWork = defineTool({
  name: 'long_work',
  description: 'Runs a script.',
  effect: 'run',
  uses: ['jobs'],
  secretArgs: ['secret'],
  input: z.object({
    script: optional(z.string()),
    stdin: withDefault(z.string(), ''),
    secret: optional(z.string()),
    seconds: withDefault(integer, 600),
    call_id: optional(z.string()),
    wait_ms: withDefault(integer, 20_000),
  }),
  job: {
    line: (state: { lines: number; last: string }, line) => ({
      state: { lines: state.lines + 1, last: line.slice(0, 1000) },
      progress: line,
    }),
    end: (state, end) =>
      end.how === 'timeout'
        ? fail('timeout', 'too late', { data: { ...state } })
        : { text: 'ended', data: { ...state, ...end } },
  },
  async run({ script = '', stdin, secret, seconds, call_id, wait_ms }, { ports: { jobs } }) {
    const id =
      call_id ??
      (await jobs.begin({
        programs: ['/nowhere/bash', '/bin/bash'],
        args: ['-c', script],
        cwd: ROOT,
        stdin,
        env: {},
        secrets: secret === undefined ? {} : { SECRET_FD: secret },
        scratch: 'SCRATCH',
        timeoutMs: seconds * 1000,
        state: { lines: 0, last: '' },
      }))
    const { ended, progress } = await jobs.wait(id, wait_ms)
    if (!ended) {
      const next = { tool: 'long_work', args: { call_id: id } }
      return { soFar: { text: 'at work', data: { id, progress: progress.lines } }, next, retryAfterMs: 0 }
    }
    return 'result' in ended ? ended.result : fail(ended.failure.code, ended.failure.message)
  },
})

const registry = new Registry(
  [],
  [longWork, executeShell, executeCode, fileRead, fileWrite, jobOutput, jobStop, jobList],
)

const aBench = () => sessionBench(sandboxd, { registry })

/** Begins work, and gives the id under which it goes on. */
async function begun(bench: SessionBench, script: string, more: object = {}): Promise<string> {
  const outcome = await bench.call('long_work', { script, wait_ms: 0, ...more })
  if (outcome.kind !== 'pending') throw new Error(`it did not begin: ${JSON.stringify(outcome)}`)
  return String(outcome.soFar.data.id)
}

const ended = (bench: SessionBench, call_id: string): Promise<Outcome> => bench.call('long_work', { call_id })
const stateOf = (bench: SessionBench, id: string) => bench.session.calls.lastKnown(id).call.state

/** Waits for a line of progress. */
async function progressed(bench: SessionBench, id: string, lines = 1): Promise<readonly string[]> {
  const view = await bench.session.calls.follow({ callId: id, after: lines - 1, patienceMs: 20_000 })
  return view.progress.lines
}

const UNTIL_GO = 'until [ -e go ]; do sleep 0.05; done'

describe('work that outlives its call', () => {
  it('goes on, shows how far it is, and gives its answer to whoever asks; history tells the same', async () => {
    const bench = aBench()
    const id = await begun(bench, `echo one; echo partly > made.txt; ${UNTIL_GO}; cat; echo "two words"`, {
      stdin: 'a "b"\n\'c\' $d\n',
    })
    expect(await progressed(bench, id)).toEqual(['one'])
    expect(stateOf(bench, id)).toBe('pending')
    expect(dataOf(await bench.call('file_read', { file_path: 'made.txt' })).content).toBe('partly\n')

    await bench.write('go', '')
    await bench.sh('true')
    const outcome = await ended(bench, id)
    expect(dataOf(outcome)).toMatchObject({
      how: 'exited',
      exitCode: 0,
      lines: 4,
      last: 'two words',
      created: ['go', 'made.txt'],
    })
    expect(bench.session.calls.lastKnown(id)).toMatchObject({
      running: false,
      progress: { lines: ['one', 'a "b"', "'c' $d", 'two words'], count: 4 },
      call: { state: 'done', answer: 'ended' },
    })
    expect(await ended(bench, id)).toMatchObject({ kind: 'done' })
    expect(bench.errors).toEqual([])
  })

  it('keeps its sandbox from being paused, which it is a while after its end', async () => {
    const bench = aBench()
    const pauses = () => bench.host.requests.filter(({ method }) => method === 'pause').length
    const id = await begun(bench, `echo one; ${UNTIL_GO}`)
    await progressed(bench, id)
    bench.clock.ahead += SANDBOX_QUIET_MS
    expect(await bench.session.quiet.keepUp()).toBeGreaterThan(0)
    expect(pauses()).toBe(0)
    await bench.host.inside('touch go')
    await ended(bench, id)
    bench.clock.ahead += SANDBOX_QUIET_MS
    expect(await bench.session.quiet.keepUp()).toBeNull()
    expect(pauses()).toBe(1)
  })

  it('does not keep its call waiting for a sandbox that takes long', async () => {
    const bench = aBench()
    const { promise: made, resolve: arrived } = Promise.withResolvers<void>()
    bench.host.before = ({ method }) => (method === 'create' ? made : undefined)
    const id = await begun(bench, 'echo done')
    expect(bench.session.calls.lastKnown(id)).toMatchObject({ running: true, call: { state: 'pending' } })
    arrived()
    expect(dataOf(await ended(bench, id))).toMatchObject({ last: 'done' })
  })

  it('ends with a session that is deleted before it was started', async () => {
    const bench = aBench()
    const { promise: made, resolve: arrived } = Promise.withResolvers<void>()
    bench.host.before = ({ method }) => (method === 'create' ? made : undefined)
    const id = await begun(bench, 'sleep 600')
    const waiting = ended(bench, id)
    const deleted = bench.session.end()
    expect(await waiting).toMatchObject({ kind: 'failed', failure: { message: 'the task was deleted while this ran' } })
    arrived()
    await deleted
    expect(await bench.host.isAlive(bench.host.created.at(-1) ?? '')).toBe(false)
    expect(bench.errors).toEqual([])
  })

  it('that could not be started says why', async () => {
    const bench = aBench()
    bench.host.before = ({ method }) => {
      if (method === 'create') fail('limit_exceeded', 'no sandbox is free now; try again in a minute')
    }
    const outcome = await bench.call('long_work', { script: 'true' })
    expect(outcome).toMatchObject({
      kind: 'failed',
      failure: { code: 'limit_exceeded', message: expect.stringMatching(/^no sandbox is free/) },
    })
    expect(bench.session.hasJobs).toBe(false)
  })

  it('can be cancelled before it was started', async () => {
    const bench = aBench()
    const { promise: made, resolve: arrived } = Promise.withResolvers<void>()
    bench.host.before = ({ method }) => (method === 'create' ? made : undefined)
    const id = await begun(bench, 'sleep 600')
    expect(await bench.session.calls.cancel(id)).toMatchObject({ running: true })
    arrived()
    expect(dataOf(await ended(bench, id))).toMatchObject({ how: 'cancelled' })
  })

  it('is joined again after a restart of the server', async () => {
    const bench = aBench()
    const id = await begun(bench, `echo before; ${UNTIL_GO}; echo after`)
    await progressed(bench, id)
    bench.evict()
    expect(stateOf(bench, id)).toBe('pending')
    expect(bench.session.hasJobs).toBe(true)
    await bench.write('go', '')
    await bench.sh('true')
    expect(dataOf(await ended(bench, id))).toMatchObject({ how: 'exited', lines: 2, last: 'after' })
    expect(stateOf(bench, id)).toBe('done')
  })

  it('is kept although nobody asks until its end', async () => {
    const bench = aBench()
    const id = await begun(bench, `echo up; ${UNTIL_GO}; echo made > file.txt; echo done`)
    await progressed(bench, id)
    await bench.write('go', '')
    await bench.sh('true')
    bench.evict()
    while (bench.session.hasJobs) await bench.session.keepUpJobs()
    expect(await bench.text('file.txt')).toBe('made\n')
    await bench.host.crash()
    expect(dataOf(await ended(bench, id))).toMatchObject({ last: 'done', created: ['file.txt', 'go'] })
  })

  it('keeps an idle session its sandbox', async () => {
    const bench = aBench()
    const id = await begun(bench, `echo up; ${UNTIL_GO}`)
    await progressed(bench, id)
    bench.clock.ahead += SESSION_IDLE_MS + JOB_LOOK_MS
    await bench.session.rest()
    expect(await bench.host.isAlive(bench.host.created.at(-1) ?? '')).toBe(true)
    await bench.write('go', '')
    await bench.sh('true')
    await ended(bench, id)
    bench.clock.ahead += SESSION_IDLE_MS + JOB_LOOK_MS
    await bench.session.rest()
    expect(await bench.host.isAlive(bench.host.created.at(-1) ?? '')).toBe(false)
  })

  it('is lost with its sandbox, and says so', async () => {
    const bench = aBench()
    const id = await begun(bench, 'echo early > early.txt; echo up; sleep 600')
    await progressed(bench, id)
    await bench.call('file_read', { file_path: 'early.txt' })
    const waiting = ended(bench, id)
    await bench.host.crash()
    const failure = {
      code: 'upstream',
      message: expect.stringMatching(/^this work was lost: its sandbox ended.*files .* are in the task.*call again/),
    }
    expect(await waiting).toMatchObject({ kind: 'failed', failure })
    expect(stateOf(bench, id)).toBe('failed')
    expect(await bench.text('early.txt')).toBe('early\n')
    expect((await bench.sh('cat early.txt')).stdout).toBe('early\n')
  })

  it('is lost when code of the task ends it, and the sandbox is not', async () => {
    const bench = aBench()
    const id = await begun(bench, 'echo up; exec -a victim sleep 600')
    await progressed(bench, id)
    await bench.sh('kill -9 $(pgrep -f "job.py star[t]") $(pgrep victim)')
    expect(await ended(bench, id)).toMatchObject({
      kind: 'failed',
      failure: { message: expect.stringMatching(/^this work was lost: somebody ended it/) },
    })
    expect(bench.host.created).toHaveLength(1)
  })

  it('says when its host of sandboxes is out of reach for a while, and goes on', async () => {
    const bench = aBench()
    const id = await begun(bench, `echo up; ${UNTIL_GO}; echo end`)
    await progressed(bench, id)
    let refused = 0
    bench.host.before = ({ script }) => {
      if (script.includes('job.py look') && ++refused <= 2)
        fail('upstream', 'the sandbox could not be reached; try again')
    }
    await bench.write('go', '')
    await bench.sh('true')
    expect(dataOf(await ended(bench, id))).toMatchObject({ last: 'end' })
    expect(refused).toBeGreaterThan(2)
  })

  it('ends with the session', async () => {
    const bench = aBench()
    const id = await begun(bench, 'echo up; sleep 600')
    await progressed(bench, id)
    const waiting = ended(bench, id)
    await bench.session.end()
    expect(await waiting).toMatchObject({ kind: 'failed', failure: { message: 'the task was deleted while this ran' } })
    expect(await bench.host.isAlive(bench.host.created.at(-1) ?? '')).toBe(false)
  })

  it('is stopped at its deadline, whoever waits', async () => {
    const bench = aBench()
    const id = await begun(bench, 'echo up; trap "" INT TERM; sleep 600 & wait', { seconds: 1 })
    expect(await ended(bench, id)).toMatchObject({ kind: 'failed', failure: { code: 'timeout', message: 'too late' } })
    expect(await bench.host.inside('pgrep -x sleep | wc -l')).toBe('0\n')
  })

  it(`runs ${MAX_RUNNING_JOBS} times at once and no more`, async () => {
    const bench = aBench()
    const ids = await Promise.all(
      Array.from({ length: MAX_RUNNING_JOBS }, (_, n) => begun(bench, `${UNTIL_GO}; echo ${n}`)),
    )
    expect(await bench.call('long_work', { script: 'true' })).toMatchObject({
      kind: 'failed',
      failure: { code: 'limit_exceeded', message: expect.stringContaining('MAX_RUNNING_JOBS') },
    })
    await bench.write('go', '')
    await bench.sh('true')
    const outcomes = await Promise.all(ids.map((id) => ended(bench, id)))
    expect(outcomes.map((outcome) => dataOf(outcome).last)).toEqual(ids.map((_, n) => `${n}`))
    expect(await bench.call('long_work', { script: 'echo again' })).toMatchObject({ kind: 'done' })
  })

  it('may print without end: memory and disk stay bounded, and the last line is kept', async () => {
    const bench = aBench()
    const size = MAX_JOB_OUTPUT_BYTES + 20_000_000
    const id = await begun(
      bench,
      `head -c ${size} /dev/zero | tr '\\0' x | fold -w 60000; head -c 3000000 /dev/zero | tr '\\0' y; echo; echo the last`,
    )
    let outcome = await ended(bench, id)
    while (outcome.kind === 'pending') outcome = await ended(bench, id)
    expect(dataOf(outcome)).toMatchObject({ last: 'the last' })
    expect(Number(dataOf(outcome).lines)).toBeLessThan(MAX_JOB_OUTPUT_BYTES / 60_000 + 2)
  })

  it('that is not there is told, for work and for tools alike', async () => {
    const bench = aBench()
    expect(await ended(bench, 'c0000')).toMatchObject({
      kind: 'failed',
      failure: { code: 'not_found', message: expect.stringContaining('"c0000"') },
    })
    expect(() => bench.session.calls.lastKnown('c0000')).toThrow('has no such call')
  })
})

describe('code of the task that writes where a job keeps its state', () => {
  const FORGED = `print('{"alive": true, "more": true, "end": null}')
print('x' * 2_000_000)`

  it.each([
    ['a pipe in the place of its end', 'rm -f end.json; mkfifo end.json'],
    ['a pipe in the place of its output', 'rm -f out; mkfifo out'],
    ['a device in the place of its end', 'ln -sf /dev/zero end.json'],
    ['a look that always tells of more', 'cp ~/forged.py job.py'],
    ['a lock that somebody else holds', 'mv lock old; touch lock; setsid -f flock lock sleep 603'],
    ['a directory that cannot be read', 'chmod 000 "$OLDPWD"'],
  ])('cannot keep it from its end: %s', async (_, attack) => {
    const bench = aBench()
    const id = await begun(bench, 'echo up; trap "" INT; sleep 602')
    await progressed(bench, id)
    await bench.host.inside(
      `cat > ~/forged.py <<'END'\n${FORGED}\nEND\ncd ~/.toolyard/jobs/${id} && { ${attack}; } >/dev/null 2>&1`,
    )
    bench.clock.ahead += 700_000
    for (let look = 0; look < 60 && bench.session.hasJobs; look++) await bench.session.keepUpJobs()
    expect(bench.session.hasJobs).toBe(false)
    expect(bench.session.calls.lastKnown(id)).toMatchObject({ running: false, call: { state: 'failed' } })
    const isAlive = await bench.host.isAlive(bench.host.created.at(-1) ?? '')
    expect(isAlive ? await bench.host.inside('pgrep -fx "sleep 602" || true') : '').toBe('')
  })
})

it('a look that code of the task has replaced is not made without a pause', async () => {
  const bench = aBench()
  const id = await begun(bench, 'echo up; sleep 602')
  await progressed(bench, id)
  const forged = `print('{"alive": true, "more": false, "end": null}')`
  await bench.host.inside(`cat > ~/.toolyard/jobs/${id}/job.py <<'END'\n${forged}\nEND`)
  const before = bench.host.requests.length
  await bench.session.calls.follow({ callId: id, after: 1, patienceMs: 3_000 })
  expect(bench.host.requests.length - before).toBeLessThan(20)
})

describe('a secret of a job', () => {
  it('is in no environment, argument or file, and masked where the program prints it', async () => {
    const bench = aBench()
    const secret = 'key-0123456789-secret'
    const script = `read -r key <&$SECRET_FD; echo "got \${#key} $key"; exec {SECRET_FD}<&-; env; cat /proc/self/environ | tr '\\0' '\\n'
echo up; ${UNTIL_GO}; echo "$key" >&2; exit 3`
    const id = await begun(bench, script, { secret })
    await progressed(bench, id, 2)
    // All that a process of the same user can see, and all files of its home.
    const seen = await bench.host.inside(
      'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"; grep -rIa "" /home/user /tmp 2>/dev/null',
    )
    expect(seen).toContain('job.py')
    expect(seen).not.toContain(secret)
    await bench.write('go', '')
    await bench.sh('true')
    const outcome = await ended(bench, id)
    expect(dataOf(outcome)).toMatchObject({ exitCode: 3, stderr: '***\n' })
    expect(bench.session.calls.lastKnown(id).progress.lines[0]).toBe(`got ${secret.length} ***`)
    expect(JSON.stringify([outcome, bench.session.calls.lastKnown(id)])).not.toContain(secret)
  })
})

describe('cancelling', () => {
  it('stops work and all that it started, what left its session too, and keeps its files', async () => {
    const bench = aBench()
    const id = await begun(
      bench,
      'trap "echo told" INT; trap "" TERM; setsid -f sleep 601; echo half > half.txt; echo up; while :; do sleep 602; done',
    )
    await progressed(bench, id)
    const view = await bench.session.calls.cancel(id)
    expect(view).toMatchObject({ running: false, ended: { result: { data: { how: 'cancelled', last: 'told' } } } })
    expect(await bench.host.inside('pgrep -x sleep | wc -l')).toBe('0\n')
    expect(await bench.text('half.txt')).toBe('half\n')
    expect(await bench.session.calls.cancel(id)).toMatchObject({ running: false })
  })

  it('works when nobody watches over the work any more', async () => {
    const bench = aBench()
    const id = await begun(bench, 'echo up; while :; do sleep 602; done')
    await progressed(bench, id)
    await bench.sh('kill -STOP $(pgrep -f "job.py star[t]")')
    expect(await bench.session.calls.cancel(id)).toMatchObject({ running: false })
    expect(await bench.host.inside('pgrep -x sleep | wc -l')).toBe('0\n')
  })

  it('stops a command of execute_shell, with what it started, and keeps its files', async () => {
    const bench = aBench()
    const running = bench.sh('setsid -f sleep 601; echo half > half.txt; sleep 602')
    running.catch(() => undefined)
    const id = await runningCall(bench)
    await expect.poll(() => bench.host.inside('cat half.txt 2>/dev/null || true')).toBe('half\n')
    expect(await bench.session.calls.cancel(id)).toMatchObject({
      running: false,
      call: { tool: 'execute_shell', state: 'failed', answer: expect.stringMatching(/cancelled; what it wrote/) },
    })
    await expect(running).rejects.toThrow(/cancelled/)
    // The answer waits less than a second for the rest of the ending. Whoever reads files waits for all of it.
    expect(dataOf(await bench.call('file_read', { file_path: 'half.txt' })).content).toBe('half\n')
    expect(await bench.host.inside('pgrep -x sleep | wc -l')).toBe('0\n')
    expect(await bench.text('half.txt')).toBe('half\n')
    expect((await bench.sh('echo next')).stdout).toBe('next\n')
  })

  it('is answered though its command is not ended yet; who reads its files waits for that, and has them', async () => {
    const bench = aBench()
    await bench.sh('true')
    const gate = Promise.withResolvers<void>()
    bench.host.before = ({ script }) => (/^kill_marked [^(]/m.test(script) ? gate.promise : undefined)
    const running = bench.sh('setsid -f sleep 601; echo half > half.txt; sleep 602')
    running.catch(() => undefined)
    const id = await runningCall(bench)
    await expect.poll(() => bench.host.inside('cat half.txt 2>/dev/null || true')).toBe('half\n')
    expect(await bench.session.calls.cancel(id)).toMatchObject({ running: false, call: { state: 'failed' } })
    await expect(running).rejects.toThrow(/cancelled/)
    expect(await bench.text('half.txt')).toBeNull()
    const reading = bench.call('file_read', { file_path: 'half.txt' })
    gate.resolve()
    expect(dataOf(await reading).content).toBe('half\n')
    expect(await bench.host.inside('pgrep -x sleep | wc -l')).toBe('0\n')
  })
})

async function runningCall(bench: SessionBench): Promise<string> {
  let id: string | undefined
  await expect
    .poll(() => (id = bench.session.calls.page({ limit: 1 }).calls.find(({ state }) => state === 'running')?.callId))
    .toBeDefined()
  return id ?? ''
}

it('every tool whose work may outlive its call has a reader for it', () => {
  expect(catalog.readerOf('code_task_execute')).not.toBeNull()
  expect(catalog.readerOf('execute_shell')).toBeNull()
})

/** Starts a command in the background. */
async function inBackground(bench: SessionBench, command: string, more: object = {}) {
  const outcome = await bench.call('execute_shell', { command, workdir: '.', background: true, ...more })
  return dataOf(outcome) as { job_id: string; pid: number; log_file: string }
}

const printed = async (bench: SessionBench, job_id: string, more: object = {}) =>
  dataOf(await bench.call('job_output', { job_id, wait_seconds: 20, ...more }))

/** Reads on until the job has ended. @returns all that it printed, and the last answer */
async function readToEnd(bench: SessionBench, job_id: string) {
  let [output, from_byte] = ['', 0]
  for (;;) {
    const data = await printed(bench, job_id, { from_byte })
    output += data.output
    from_byte = Number(data.next_from_byte)
    if (!data.running && data.log_bytes === undefined) return { output, last: data }
  }
}

describe('a command in the background', () => {
  it('has the secrets of its env, which its log shows to nobody', async () => {
    const bench = aBench()
    const env = { API_KEY: 'hunter2-hunter2', MODE: 'a plain value' }
    const { job_id } = await inBackground(bench, 'echo "$API_KEY $(printf %s "$API_KEY" | wc -c) $MODE"', { env })
    expect((await readToEnd(bench, job_id)).output).toBe('*** 15 a plain value\n')
  })

  it('is answered at once; its output is read from a byte on while it runs, and its exit code at its end', async () => {
    const bench = aBench()
    const { job_id, pid, log_file } = await inBackground(
      bench,
      `echo begun; echo "to stderr" >&2; printf 'no line end, ü'; ${UNTIL_GO}; echo; echo "last in $PWD"; exit 3`,
    )
    expect(await bench.host.inside(`cat /proc/${pid}/comm; ps -o pgid= -p ${pid}`)).toMatch(
      new RegExp(`^bash\\n *${pid}\\n$`),
    )
    let seen = ''
    let from_byte = 0
    while (!seen.includes('ü')) {
      const data = await printed(bench, job_id, { from_byte })
      expect(data).toMatchObject({ running: true, log_file })
      seen += data.output
      from_byte = Number(data.next_from_byte)
    }
    expect(seen).toBe('begun\nto stderr\nno line end, ü')
    expect(from_byte).toBe(new TextEncoder().encode(seen).length)
    expect(await printed(bench, job_id, { from_byte, wait_seconds: 0 })).toMatchObject({ running: true, output: '' })
    expect(dataOf(await bench.call('file_read', { file_path: log_file })).content).toBe(seen)
    expect(stateOf(bench, job_id)).toBe('pending')
    expect(bench.session.calls.lastKnown(job_id)).toMatchObject({ running: true })

    const waiting = printed(bench, job_id, { from_byte, wait_seconds: 100 })
    await bench.host.inside('touch go')
    const rest = await waiting
    const { output, last } = await readToEnd(bench, job_id)
    expect(output).toBe(`${seen}\nlast in /home/user/workspace\n`)
    expect(output.slice(seen.length)).toContain(String(rest.output))
    expect(last).toMatchObject({ running: false, exit_code: 3 })
    expect(await printed(bench, job_id, { from_byte: -5 })).toMatchObject({ output: 'pace\n' })
    expect(bench.session.calls.lastKnown(job_id)).toMatchObject({
      running: false,
      call: { state: 'done', answer: expect.stringMatching(/exit code 3; its output is in logs/) },
    })
    expect(await bench.text(log_file)).toBe(output)
    expect(bench.errors).toEqual([])
  })

  it('stands in no command line, so that a search for processes finds its programs alone', async () => {
    const bench = aBench()
    const { job_id } = await inBackground(bench, `echo up; ${UNTIL_GO}; : heffalump`)
    await printed(bench, job_id)
    expect(
      await bench.host.inside('cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"'),
    ).not.toContain('heffalump\n')
    expect((await bench.sh('pkill python3; pgrep -f "heffalum[p]" | wc -l')).stdout).toBe('0\n')
    await bench.host.inside('touch go')
    expect((await readToEnd(bench, job_id)).last).toMatchObject({ running: false, exit_code: 0 })
  })

  it('is stopped with all that it started, and keeps its output and its files', async () => {
    const bench = aBench()
    const { job_id } = await inBackground(
      bench,
      'trap "echo told" INT; trap "" TERM; setsid -f sleep 601; sleep 604 & echo half > half.txt; echo up; while :; do sleep 602; done',
    )
    await printed(bench, job_id)
    expect(dataOf(await bench.call('job_stop', { job_id }))).toMatchObject({
      running: false,
      state: 'stopped',
      notes: [expect.stringContaining('stopped on request')],
    })
    expect(await bench.host.inside('pgrep -x sleep | wc -l')).toBe('0\n')
    expect(await bench.text('half.txt')).toBe('half\n')
    expect(await printed(bench, job_id)).toMatchObject({ running: false, output: 'up\ntold\n' })
    expect(dataOf(await bench.call('job_stop', { job_id }))).toMatchObject({ running: false, state: 'stopped' })
  })

  it('has not ended while something that its shell left holds its output, and is stopped with that', async () => {
    const bench = aBench()
    const { job_id, pid } = await inBackground(bench, '(echo up; sleep 603) & exit 4')
    expect(await printed(bench, job_id)).toMatchObject({ output: 'up\n' })
    await expect.poll(() => bench.host.inside(`test -e /proc/${pid}/exe && echo there || echo gone`)).toBe('gone\n')
    expect(await printed(bench, job_id, { from_byte: 3, wait_seconds: 1 })).toMatchObject({ running: true, output: '' })
    expect(dataOf(await bench.call('job_stop', { job_id }))).toMatchObject({ running: false, state: 'stopped' })
    expect(await bench.host.inside('pgrep -x sleep | wc -l')).toBe('0\n')
  })

  it('ends at its timeout, and says so', async () => {
    const bench = aBench()
    const { job_id } = await inBackground(bench, 'echo up; sleep 602', { timeout: 2 })
    expect((await readToEnd(bench, job_id)).last).toMatchObject({
      running: false,
      state: 'timeout',
      notes: [expect.stringContaining('timeout')],
    })
  })

  it('may print more than is kept: the log has the start and the end, and says what it lacks', async () => {
    const bench = aBench()
    const { job_id, log_file } = await inBackground(
      bench,
      `head -c ${MAX_JOB_LOG_BYTES * 2} /dev/zero | tr '\\0' x; echo; echo last`,
    )
    await bench.call('job_output', { job_id, from_byte: 2 * MAX_JOB_LOG_BYTES, wait_seconds: 60 })
    const { output, ...rest } = await printed(bench, job_id)
    expect(output === 'x'.repeat(MAX_JOB_ANSWER_BYTES)).toBe(true)
    expect(rest).toMatchObject({
      running: false,
      exit_code: 0,
      notes: [expect.stringMatching(/more bytes are there/)],
    })
    const log = (await bench.text(log_file)) ?? ''
    expect(log.length).toBeLessThan(MAX_JOB_LOG_BYTES + MAX_JOB_LOG_TAIL_BYTES + 1000)
    expect(log.slice(MAX_JOB_LOG_BYTES, MAX_JOB_LOG_BYTES + 500)).toMatch(/the log is full.*\d+ bytes left out/s)
    expect(log.slice(-10)).toBe('xxxx\nlast\n')
  })

  it('is ended when it floods its output', async () => {
    const bench = aBench()
    const { job_id } = await inBackground(bench, 'yes | head -c 10G')
    const { output: _, ...data } = await printed(bench, job_id, { from_byte: 2 * MAX_JOB_LOG_BYTES, wait_seconds: 100 })
    expect(data).toMatchObject({ running: false, state: 'flooded' })
    expect(JSON.stringify(data.notes)).toContain('printed more than')
    expect(await bench.host.inside('pgrep -x yes | wc -l')).toBe('0\n')
  })

  it('goes on while the object of its session is made anew, and runs once', async () => {
    const bench = aBench()
    const { job_id } = await inBackground(bench, `echo run >> runs.txt; echo up; ${UNTIL_GO}; echo done`)
    await printed(bench, job_id)
    bench.evict()
    expect(dataOf(await bench.call('job_list', {})).jobs).toMatchObject([{ job_id, running: true }])
    await bench.host.inside('touch go')
    const { output, last } = await readToEnd(bench, job_id)
    expect([output, last.exit_code]).toEqual(['up\ndone\n', 0])
    expect((await bench.sh('cat runs.txt')).stdout).toBe('run\n')
  })

  it('is not taken for lost when it is started while another one is looked at', async () => {
    const bench = aBench()
    await inBackground(bench, `echo up; ${UNTIL_GO}`)
    const [started, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    bench.host.before = ({ script }) => {
      if (script.includes('spec.json')) return started.promise
      return script.includes('job.py look') ? looked.promise : undefined
    }
    const starting = inBackground(bench, 'echo second')
    await runningCall(bench)
    const looking = bench.session.keepUpJobs()
    started.resolve()
    const { job_id } = await starting
    looked.resolve()
    await looking
    expect((await readToEnd(bench, job_id)).last).toMatchObject({ running: false, exit_code: 0 })
  })

  it('ends with its sandbox; its output until the last look stays readable, and it is not run again', async () => {
    const bench = aBench()
    const { job_id, log_file } = await inBackground(bench, 'echo run >> runs.txt; echo up; sleep 602')
    await printed(bench, job_id)
    bench.clock.ahead += JOB_SYNC_MS
    await bench.session.keepUpJobs()
    expect(await bench.text(log_file)).toBe('up\n')
    await bench.host.crash()
    const lost = await printed(bench, job_id)
    expect(lost).toMatchObject({ running: false, state: 'lost', output: 'up\n', log_file })
    expect(JSON.stringify(lost.notes)).toMatch(/the job was lost: its sandbox ended.*its output so far is in logs/)
    expect(dataOf(await bench.call('job_list', {})).jobs).toMatchObject([{ job_id, state: 'lost' }])
    expect((await bench.sh('cat runs.txt; pgrep -x sleep | wc -l')).stdout).toBe('run\n0\n')
  })

  it('is refused beyond a number of them, and frees its place at its end', async () => {
    const bench = aBench()
    const jobs = []
    for (let count = 0; count < MAX_BACKGROUND_COMMANDS; count++) jobs.push(await inBackground(bench, 'sleep 602'))
    expect(await bench.call('execute_shell', { command: 'true', background: true })).toMatchObject({
      failure: { code: 'limit_exceeded', message: expect.stringContaining('MAX_BACKGROUND_COMMANDS') },
    })
    dataOf(await bench.call('job_stop', { job_id: jobs[0]?.job_id }))
    const { job_id } = await inBackground(bench, 'true')
    expect((await readToEnd(bench, job_id)).last).toMatchObject({ exit_code: 0 })
    const { jobs: all } = dataOf(await bench.call('job_list', {})) as { jobs: { running: boolean }[] }
    expect(all.filter(({ running }) => running)).toHaveLength(MAX_BACKGROUND_COMMANDS - 1)
  })

  it('which was started with a wait goes on behind its timeout, and its answer has the output so far', async () => {
    const bench = aBench()
    const wait = { timeout: 2, on_timeout: 'background' }
    await bench.write(
      'work.py',
      'import time, os\nprint("begun", flush=True)\nwhile not os.path.exists("../go"): time.sleep(.05)\nprint("done")',
    )
    const answer = dataOf(await bench.call('execute_code', { file_path: 'work.py', ...wait }))
    expect(answer).toMatchObject({
      exit_code: null,
      stdout: 'begun\n',
      job_id: expect.any(String),
      pid: expect.any(Number),
    })
    expect(JSON.stringify(answer.notes)).toContain(`it runs on as job ${answer.job_id}`)
    await bench.host.inside('touch go')
    const { output, last } = await readToEnd(bench, String(answer.job_id))
    expect([output, last.exit_code]).toEqual(['begun\ndone\n', 0])
    const quick = dataOf(await bench.call('execute_shell', { command: 'echo out; echo err >&2; exit 5', ...wait }))
    expect(quick).toMatchObject({ exit_code: 5, stdout: 'out\nerr\n' })
    expect(quick).not.toHaveProperty('job_id')
  })

  it('that cannot be started is told so, and unknown jobs are', async () => {
    const bench = aBench()
    bench.host.before = ({ method }) => {
      if (method === 'create') throw new Error('no room')
    }
    expect(await bench.call('execute_shell', { command: 'true', background: true })).toMatchObject({ kind: 'failed' })
    bench.host.before = () => undefined
    for (const tool of ['job_output', 'job_stop']) {
      const failure = { code: 'not_found', message: expect.stringMatching(/no job "nope".*job_list/) }
      expect(await bench.call(tool, { job_id: 'nope' })).toMatchObject({ failure })
    }
    const claude = await begun(bench, `echo one; ${UNTIL_GO}`)
    expect(await bench.call('job_output', { job_id: claude })).toMatchObject({ failure: { code: 'invalid_input' } })
    expect(dataOf(await bench.call('job_stop', { job_id: claude }))).toMatchObject({ running: false })
  })
})
