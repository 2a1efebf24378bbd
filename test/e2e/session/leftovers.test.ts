import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fail } from '../../../src/core/failure.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { isListing, type SessionBench, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

it('what commands left in the sandbox goes with the first one after the session was loaded anew', async () => {
  const bench = sessionBench(sandboxd)
  for (const n of [1, 2, 3]) await bench.sh(`echo ${n}; echo ${n} >&2; # ${'x'.repeat(30_000)}`)
  const left = async () => (await bench.host.inside('ls ~/.toolyard')).split('\n').filter((name) => /^c.*\./.test(name))
  expect(await left()).toHaveLength(9)
  bench.evict()
  const [one, other] = await Promise.all([bench.sh('sleep 0.2; echo one'), bench.sh('echo other >&2')])
  expect([one.stdout, one.stderr, other.stdout, other.stderr]).toEqual(['one\n', '', '', 'other\n'])
  expect(await left()).toHaveLength(4)
})

describe('the process that runs commands', () => {
  const PID = '$(pgrep -x toolyard)'
  const pid = (bench: SessionBench) => bench.host.inside(`echo ${PID}`)
  /** Stops it behind the session's back. */
  const stop = (bench: SessionBench) =>
    bench.host.inside(`kill -STOP ${PID}; until grep -q 'State:.T' /proc/${PID}/status; do sleep 0.01; done`)

  it('is the same for one command after another, for a session that lost its memory, and after a pause', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    const first = await pid(bench)
    await bench.sh('true')
    bench.evict()
    await bench.sh('true')
    await bench.host.pause(bench.host.created[0] ?? '', new AbortController().signal)
    bench.evict()
    expect((await bench.sh(`echo ${PID}`)).stdout).toBe(first)
  })

  it('is spared by a command that ends all Python', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    const before = await pid(bench)
    expect(await bench.sh('pkill python; pkill -f [p]ython3; echo done')).toMatchObject({
      exit_code: 0,
      stdout: 'done\n',
    })
    expect(await pid(bench)).toBe(before)
  })

  it('can be killed by a command, which is ended and told so, and is not run again; the next one runs as ever', async () => {
    const bench = sessionBench(sandboxd)
    const killed = await bench.sh(`echo begun; echo once >> count; setsid sleep 611 & kill -KILL ${PID}; sleep 60`)
    expect(killed).toMatchObject({
      exit_code: 137,
      stdout: 'begun\n',
      notes: [expect.stringMatching(/^the process that ran the command was killed while the command ran/)],
    })
    const next = await bench.sh('cat count; pgrep -fc "[s]leep 611" || true')
    expect(next).toMatchObject({ exit_code: 0, stdout: 'once\n0\n' })
    expect(next).not.toHaveProperty('restored')
  })

  it('can be killed between two commands without anybody noticing', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    await bench.host.inside(`kill -KILL ${PID}; while pgrep -x toolyard; do sleep 0.01; done > /dev/null`)
    const next = await bench.sh('echo next')
    expect(next).toMatchObject({ exit_code: 0, stdout: 'next\n' })
    expect(next).not.toHaveProperty('notes')
  })

  it('can be killed while commands follow each other by a stream: each runs once, and none is lost', async () => {
    const bench = sessionBench(sandboxd)
    bench.host.hasStreams = true
    const numbers = Array.from({ length: 12 }, (_, n) => n)
    for (const n of numbers) {
      if (n % 4 === 3) await bench.host.inside(`kill -KILL ${PID}`)
      expect(await bench.sh(`echo ${n} | tee -a count`)).toMatchObject({ exit_code: 0, stdout: `${n}\n` })
    }
    const runs = bench.host.requests.filter(({ method, script }) => method === 'run' && script.includes('"do":"run"'))
    expect(runs.length).toBeLessThan(numbers.length)
    expect((await bench.sh('cat count')).stdout).toBe(numbers.map((n) => `${n}\n`).join(''))
  })

  it('is let go on when a command that came by the stream stopped it', async () => {
    const bench = sessionBench(sandboxd)
    bench.host.hasStreams = true
    for (const n of [1, 2, 3, 4]) await bench.sh(`echo ${n}`)
    expect(await bench.sh(`kill -STOP ${PID}; echo on`, { timeout: 60 })).toMatchObject({
      exit_code: 0,
      stdout: 'on\n',
    })
  })

  it('goes on when it was stopped, so that the next command is answered', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    await stop(bench)
    expect(await bench.sh('echo on', { timeout: 60 })).toMatchObject({ exit_code: 0, stdout: 'on\n' })
  })

  it('does not run a command any more whose deadline came before it could begin', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    await stop(bench)
    bench.host.before = ({ script }) => {
      if (script.startsWith('kill -CONT')) fail('upstream', 'it stays stopped')
    }
    const call = await bench.call('execute_shell', { command: 'touch ran', workdir: '.', timeout: 1 })
    expect(call).toMatchObject({ kind: 'failed', failure: { code: 'timeout' } })
    await bench.host.inside(`kill -CONT ${PID}`)
    bench.host.before = () => undefined
    expect((await bench.sh('ls')).stdout).toBe('code_env\n')
  })

  it('is not needed: where it cannot be started, commands run without it', async () => {
    const bench = sessionBench(sandboxd)
    bench.host.before = ({ method }) => {
      if (method === 'begin') fail('upstream', 'it does not start')
    }
    const ran = await bench.sh('echo ran; exit 3')
    expect(ran).toMatchObject({ exit_code: 3, stdout: 'ran\n' })
    expect(ran).not.toHaveProperty('notes')
    expect((await bench.sh('echo again')).stdout).toBe('again\n')
    expect(bench.host.requests.filter(({ method }) => method === 'begin')).toHaveLength(1)
  })

  it('lets commands side by side that change nothing go without a look at all files', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > a')
    const before = bench.host.requests.length
    const all = await Promise.all(Array.from({ length: 8 }, () => bench.sh('sleep 0.2; cat a')))
    expect(all.map(({ stdout }) => stdout)).toEqual(Array(8).fill('1\n'))
    expect(bench.host.requests.slice(before).filter(isListing)).toEqual([])
  })
})
