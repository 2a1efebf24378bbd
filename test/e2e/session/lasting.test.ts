import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { JOB_LOOK_MS } from '../../../src/core/limits/jobs.ts'
import { LASTING_COMMAND_MS } from '../../../src/core/limits/lasting.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { SandboxGone } from '../../../src/ports/sandbox.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { isCommand, type Request, type SessionBench, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

const LONG = LASTING_COMMAND_MS / 1_000 + 60
const TOKEN = 'opensesame-0123'
const COMMAND = `echo "first $TOKEN"; echo up > up.txt; until [ -e go ]; do sleep 0.05; done; echo last; echo bad >&2; echo late > late.txt; exit 3`
const ARGS = { command: COMMAND, workdir: '.', timeout: LONG, env: { TOKEN } }
const KEY = { id: 'key', request: 'request', at: '0' }

/** Begins a command, and evicts the session's object in its middle. The object's earlier life hears of its end after the test. */
async function cutOff(bench: SessionBench, args: object = ARGS, how: 'called' | 'begun' = 'called') {
  const gate = Promise.withResolvers<void>()
  bench.host.after = async (request, result) => {
    if (isCommand(request)) await gate.promise
    return result
  }
  const call = { tool: 'execute_shell', args, key: KEY }
  const made = how === 'begun' ? bench.session.begin(call).ended : bench.session.call(call)
  const over = made.catch(() => undefined)
  onTestFinished(async () => {
    gate.resolve()
    // Whoever still waits for the command has its end by that.
    await bench.host.crash()
    await over
  })
  await expect.poll(() => bench.host.inside('cat up.txt || true').catch(() => '')).toBe('up\n')
  bench.host.after = (_request, result) => result
  bench.cutOff()
  return bench.session.calls.page({ limit: 1 }).calls[0]?.callId ?? expect.unreachable()
}

const stateOf = (bench: SessionBench, id: string) => bench.session.calls.lastKnown(id).call.state
const ended = (bench: SessionBench, id: string) =>
  expect.poll(async () => (await bench.session.calls.find(id)).call.state)
const again = (bench: SessionBench): Promise<Outcome> =>
  bench.session.call({ tool: 'execute_shell', args: ARGS, key: KEY })

it('a command that may last long ends with the answer that it would have had, though the object is restarted twice meanwhile', async () => {
  const plain = sessionBench(sandboxd)
  await plain.write('go', '')
  const usual = await plain.call('execute_shell', ARGS)
  expect(plain.sql.all('SELECT * FROM lasting_commands')).toEqual([])

  const bench = sessionBench(sandboxd)
  const callId = await cutOff(bench)
  bench.evict()
  expect(stateOf(bench, callId)).toBe('running')
  expect(await again(bench)).toMatchObject({ failure: { code: 'key_in_use' } })
  await bench.write('go', '')
  await bench.sh('true')
  await ended(bench, callId).toBe('done')
  const repeated = await again(bench)
  if (usual.kind !== 'done' || repeated.kind !== 'done') return expect.unreachable()
  expect(repeated).toMatchObject({ replayed: true, callId })
  const { files_changed: _, ...same } = usual.result.data
  expect(repeated.result.data).toMatchObject({ ...same, stdout: 'first ***\nlast\n', stderr: 'bad\n', exit_code: 3 })
  expect(bench.session.calls.lastKnown(callId)).toMatchObject({
    running: false,
    call: { answer: repeated.result.text },
  })
  expect(await bench.text('late.txt')).toBe('late\n')
  expect(JSON.stringify(bench.sql.all('SELECT * FROM lasting_commands'))).toBe('[]')
  expect(bench.errors).toEqual([])
})

it('nothing in the session has its secrets, and the next call says that it goes on', async () => {
  const bench = sessionBench(sandboxd)
  const callId = await cutOff(bench)
  const rows = JSON.stringify(bench.sql.all('SELECT * FROM lasting_commands'))
  expect([rows.includes(callId), rows.includes(TOKEN)]).toEqual([true, false])
  const { notes = [] } = await bench.sh('true')
  expect(notes.filter((note) => note.includes(callId))).toHaveLength(1)
  expect((await bench.sh('true')).notes).toBe(undefined)
})

it('the whole outcome of a begun call is kept, and whoever follows it has its end', async () => {
  const bench = sessionBench(sandboxd)
  const callId = await cutOff(bench, ARGS, 'begun')
  await bench.write('go', '')
  await bench.sh('true')
  const follow = () => bench.session.calls.follow({ callId, after: 0, patienceMs: 5_000 })
  await expect.poll(async () => (await follow()).outcome?.kind).toBe('done')
})

it('it is cancelled as any call is', async () => {
  const bench = sessionBench(sandboxd)
  const callId = await cutOff(bench)
  const { call, running } = await bench.session.calls.cancel(callId)
  expect([call.state, running, call.answer]).toEqual(['failed', false, expect.stringContaining('cancelled')])
  expect(await bench.host.inside('pgrep -f "until \\[ -e go" || true')).toBe('')
})

it.each([
  ['its sandbox ended', (bench: SessionBench) => bench.host.crash()],
  ['its supervisor was killed', (bench: SessionBench) => bench.host.inside('pkill -9 -f ^toolyard-supervisor')],
  [
    'it is past its deadline, and nobody ended it',
    async (bench: SessionBench) => {
      bench.clock.ahead += (LONG + 60) * 1_000
    },
  ],
])('it is lost when %s: its repetition says that its outcome is unknown', async (_why, happen) => {
  const bench = sessionBench(sandboxd)
  const callId = await cutOff(bench)
  await happen(bench)
  await ended(bench, callId).toBe('lost')
  expect(await again(bench)).toMatchObject({ kind: 'failed', failure: { code: 'outcome_unknown' } })
  expect((await bench.sh('pgrep -f "until \\[ -e go" || true')).stdout).toBe('')
})

/** Looks at commands that were cut off. */
const isLook = ({ script }: Request) => script.includes('print_kept')

it('a sandbox without room for a look is asked again, and its command ends as usual', async () => {
  const bench = sessionBench(sandboxd)
  const callId = await cutOff(bench)
  bench.host.before = (request) => {
    if (isLook(request)) throw new SandboxGone('the sandbox has no room for another process')
  }
  for (let look = 0; look < 3; look++) {
    bench.clock.ahead += JOB_LOOK_MS
    await bench.session.keepUpJobs()
  }
  expect(stateOf(bench, callId)).toBe('running')
  bench.host.before = () => undefined
  await bench.host.inside('touch go')
  await ended(bench, callId).toBe('done')
  expect(bench.host.created).toHaveLength(1)
})

it('it is lost, and what it wrote is there, where no look at it ends before its deadline', async () => {
  const bench = sessionBench(sandboxd)
  const callId = await cutOff(bench)
  bench.host.before = (request) => {
    if (isLook(request)) throw new Error('timeout')
  }
  await bench.session.keepUpJobs()
  expect(stateOf(bench, callId)).toBe('running')
  bench.clock.ahead += (LONG + 60) * 1_000
  await bench.host.inside('echo newer > up.txt')
  await bench.session.keepUpJobs()
  expect(stateOf(bench, callId)).toBe('lost')
  const read = await bench.call('file_read', { file_path: 'up.txt' })
  expect(read).toMatchObject({ kind: 'done', result: { data: { content: 'newer\n' } } })
})

it('it is failed where it is cancelled after its sandbox ended', async () => {
  const bench = sessionBench(sandboxd)
  const callId = await cutOff(bench)
  await bench.host.crash()
  const { call } = await bench.session.calls.cancel(callId)
  expect([call.state, call.answer]).toEqual(['failed', expect.stringContaining('cancelled')])
})

it('a shorter one is lost at once, and costs no row', async () => {
  const bench = sessionBench(sandboxd)
  const callId = await cutOff(bench, { ...ARGS, timeout: LASTING_COMMAND_MS / 1_000 })
  expect(stateOf(bench, callId)).toBe('lost')
  expect(bench.sql.all("SELECT name FROM sqlite_master WHERE name = 'lasting_commands'")).toEqual([])
})
