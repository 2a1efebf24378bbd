import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_FILE_BYTES } from '../../../src/core/limits/workspace.ts'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import type { RunResult } from '../../../src/ports/sandbox.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import {
  dataOf,
  isCommand,
  isFetch,
  isListing,
  isPush,
  type Request,
  type SessionBench,
  sandboxTree,
  sessionBench,
  workspaceTree,
} from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd.stop())

const DAY_MS = 24 * 60 * 60_000

/** Who wrote later is told by times of files, which the kernel takes from a clock that ticks every few milliseconds. */
const later = () => wait(20)

describe('what a program left behind', () => {
  it('is taken over under both names of a hard link', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo one > a; ln a b')
    expect([await bench.text('a'), await bench.text('b')]).toEqual(['one\n', 'one\n'])
  })

  it('is one file under all its names in the next sandbox, too, until a tool writes under one of them', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('mkdir d; echo one > a; ln a b; ln a d/c; echo one > alike')
    await bench.host.crash()
    await bench.call('execute_shell', { command: 'true' })
    expect((await bench.sh('echo two >> d/c; cat a b alike; stat -c %h a alike')).stdout).toBe(
      'one\ntwo\none\ntwo\none\n3\n1\n',
    )
    expect([await bench.text('a'), await bench.text('b')]).toEqual(['one\ntwo\n', 'one\ntwo\n'])
    await bench.write('b', 'tool')
    await bench.host.crash()
    await bench.call('execute_shell', { command: 'true' })
    expect((await bench.sh('echo three >> a; cat b d/c; stat -c %h a b')).stdout).toBe('toolone\ntwo\nthree\n2\n1\n')
  })

  it.each([
    ['chmod 644 d', '644 755'],
    ['chmod 644 d; touch d-beside', '644 755'],
    ['chmod 000 d/sub', '755 0'],
    ['chmod 500 d/sub; chmod 555 d', '555 500'],
  ])('has directories of the modes that they were given in the next sandbox: %s', async (command, modes) => {
    const bench = sessionBench(sandboxd)
    await bench.sh('mkdir -p d/sub; echo 1 > d/sub/a; echo 1 > d/b')
    await bench.sh(command)
    await bench.host.crash()
    await bench.call('execute_shell', { command: 'true' })
    const { stdout } = await bench.sh('stat -c %a d; chmod 700 d; stat -c %a d/sub; chmod 700 d/sub; cat d/b d/sub/a')
    expect(stdout).toBe(`${modes.replace(' ', '\n')}\n1\n1\n`)
  })

  it('is named when it cannot be read', async () => {
    const bench = sessionBench(sandboxd)
    const { notes } = await bench.sh('echo one > a; echo secret > locked; chmod 000 locked')
    expect(await bench.text('a')).toBe('one\n')
    expect(notes?.join()).toMatch(/locked \(Permission denied\) cannot be read: it stays in the sandbox/)
  })

  it('is taken over beside a name that no workspace can have', async () => {
    const bench = sessionBench(sandboxd)
    const long = 'x'.repeat(250)
    const { notes } = await bench.sh(
      `echo one > a; for i in {1..14}; do mkdir ${long}; cd ${long}; done; echo two > deep`,
    )
    expect(await bench.text('a')).toBe('one\n')
    expect(notes?.join()).toMatch(/too long a name or path/)
  })

  it('keeps a name of 200 bytes that are not UTF-8', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh(`printf odd > "$(printf '\\xd6%.0s' {1..200})"`)
    await bench.host.crash()
    await bench.call('execute_shell', { command: 'true' })
    expect((await bench.sh(`cat "$(printf '\\xd6%.0s' {1..200})"`)).stdout).toBe('odd')
  })

  it('can have any date', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > future; touch -d 3000-01-01 future; echo 2 > past; touch -d 1901-01-01 past')
    await bench.host.crash()
    await bench.call('execute_shell', { command: 'true' })
    expect((await bench.sh('cat future past')).stdout).toBe('1\n2\n')
  })

  it('and was too large to take over is not removed when the history is no longer there to compare with', async () => {
    const bench = sessionBench(sandboxd)
    await bench.write('small', '1')
    const { notes } = await bench.sh(`truncate -s ${MAX_FILE_BYTES + 1} big; echo 1 > was-small`)
    expect(notes?.join()).toMatch(/big has .* bytes, more than/)
    await bench.sh(`truncate -s ${MAX_FILE_BYTES + 1} was-small`)
    bench.clock.ahead = 8 * DAY_MS
    while (bench.workspace.expire());
    await bench.write('small', '2')
    await bench.write('small', '3')
    bench.clock.ahead = 16 * DAY_MS
    while (bench.workspace.expire());
    const size = `${MAX_FILE_BYTES + 1}\n`
    expect((await bench.sh('stat -c %s big was-small; cat small')).stdout).toBe(`${size}${size}3`)
  })
})

describe('a directory that cannot be looked into', () => {
  it('keeps its files in the workspace, and is looked into when it can be', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('mkdir -p d/sub; echo 1 > d/sub/a; echo 1 > d/b')
    const { notes } = await bench.sh('chmod 000 d; rm -f nothing; echo 1 > other')
    expect(notes?.join()).toMatch(/what is in d cannot be read/)
    expect([await bench.text('d/sub/a'), await bench.text('d/b'), await bench.text('other')]).toEqual([
      '1\n',
      '1\n',
      '1\n',
    ])
    await bench.sh('chmod 755 d; echo 2 > d/sub/a')
    await bench.sh('echo 3 > d/sub/a')
    expect(await bench.text('d/sub/a')).toBe('3\n')
  })

  it('loses nothing when it is the task root itself', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > a')
    const outcome = await bench.call('execute_shell', { command: 'chmod 300 .', workdir: '.' })
    expect(outcome).toMatchObject({ kind: 'failed', failure: { message: expect.stringMatching(/chmod u\+rwx/) } })
    expect(await bench.text('a')).toBe('1\n')
    expect((await bench.sh('chmod 755 .; cat a')).stdout).toBe('1\n')
    expect(await bench.text('a')).toBe('1\n')
  })

  it('does not keep a tool from putting a file into it, or the session from going on', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('mkdir -p d/sub; echo 1 > d/sub/a; chmod 555 d/sub; chmod 500 d')
    await bench.write('d/sub/new', 'tool')
    await bench.remove('d/sub/a')
    expect((await bench.sh('ls d/sub; cat d/sub/new')).stdout).toBe('new\ntool')
    expect(await sandboxTree(bench)).toEqual(workspaceTree(bench.workspace))
  })
})

describe('a look that failed', () => {
  const faults: [string, (bench: ReturnType<typeof sessionBench>) => void][] = [
    [
      'the contents did not come',
      (bench) => {
        bench.host.before = (request) => {
          if (isFetch(request)) throw new Error('the connection broke')
        }
      },
    ],
    [
      'the contents came in part',
      (bench) => {
        bench.host.after = (request, result) =>
          isFetch(request) ? { ...(result as RunResult), stdout: (result as RunResult).stdout.slice(0, 80) } : result
      },
    ],
    [
      'the store did not take them',
      (bench) => {
        bench.blobs.before = () => {
          throw new Error('the store is away')
        }
      },
    ],
  ]
  it.each(faults)('is told, changes nothing, and is made up for by the next command: %s', async (_, breakIt) => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > kept; echo 1 > changed; echo 1 > removed')
    const before = workspaceTree(bench.workspace)
    breakIt(bench)
    const command = 'echo 2 > changed; rm removed; head -c 100000 /dev/urandom > large'
    expect((await bench.call('execute_shell', { command, workdir: '.' })).kind).toBe('failed')
    expect(workspaceTree(bench.workspace)).toEqual(before)

    bench.host.before = () => undefined
    bench.host.after = (_request, result) => result
    bench.blobs.before = () => undefined
    bench.evict()
    await bench.sh('true')
    expect(workspaceTree(bench.workspace).map((line) => line.split(' ')[0])).toEqual(['changed', 'kept', 'large'])
    expect(await bench.text('changed')).toBe('2\n')
  })

  it.each([
    ['was cut off', 40],
    ['did not come', 0],
  ])('because the listing %s is made up for before its sandbox is replaced', async (_, length) => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > kept; echo 1 > changed; echo 1 > removed')
    let isFirst = true
    bench.host.after = (request, result) => {
      if (!isListing(request) || !isFirst) return result
      isFirst = false
      const { stdout, ...rest } = result as RunResult
      return { ...rest, stdout: stdout.slice(0, length) }
    }
    const outcome = await bench.call('execute_shell', { command: 'echo 2 > changed; rm removed', workdir: '.' })
    expect(outcome).toMatchObject({ failure: { message: expect.stringMatching(/what it wrote is kept/) } })
    expect((await bench.sh('cat changed; ls')).stdout).toBe('2\nchanged\ncode_env\nkept\n')
  })

  it('is made up for by a file tool, too', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    bench.host.before = (request) => {
      if (isFetch(request)) throw new Error('the connection broke')
    }
    await bench.call('execute_shell', { command: 'echo 1 > new', workdir: '.' })
    bench.host.before = () => undefined
    bench.evict()
    expect(await bench.call('file_read', { file_path: 'new' })).toMatchObject({ kind: 'done' })
  })

  it('removes nothing when find could not look at something', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > a')
    bench.host.after = (request, result) => {
      const { exitCode, stdout, stderr } = result as RunResult
      return isListing(request) ? { exitCode, stdout, stderr: `${stderr}\nfind: './d': Input/output error\n` } : result
    }
    await bench.sh('rm a')
    expect(await bench.text('a')).toBe('1\n')
    bench.host.after = (_request, result) => result
    await bench.sh('true')
    expect(await bench.text('a')).toBeNull()
  })
})

describe('a look', () => {
  it('does not hide the process that was left by a command that ended meanwhile', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > f')
    const isDirty = () =>
      bench.sql.all<{ state: string }>('SELECT state FROM machine').some(({ state }) => JSON.parse(state).unsettled)
    expect(isDirty()).toBe(false)
    const begins = Promise.withResolvers<void>()
    const listed = Promise.withResolvers<void>()
    bench.host.before = async (request) => {
      if (!isCommand(request)) return
      begins.resolve()
      await listed.promise
    }
    bench.host.after = async (request, result) => {
      if (!isListing(request)) return result
      listed.resolve()
      await expect.poll(isDirty).toBe(true)
      return result
    }
    const work = 'until [ -e /tmp/go ]; do sleep 0.02; done; echo late > f; touch /tmp/done'
    const left = bench.sh(`(setsid bash -c '${work}' > /dev/null 2>&1 &)`)
    await begins.promise
    expect(dataOf(await bench.call('file_read', { file_path: 'f' }))).toMatchObject({ content: '1\n' })
    await left
    await bench.host.inside('touch /tmp/go; until [ -e /tmp/done ]; do sleep 0.02; done')
    expect(dataOf(await bench.call('file_read', { file_path: 'f' }))).toMatchObject({ content: 'late\n' })
  })
})

describe('a file on its way into the sandbox', () => {
  it('is not taken for a change of a program when it came in part', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > old')
    await bench.write('old', 'the whole content')
    await bench.write('new', 'the whole content')
    bench.host.before = async (request) => {
      if (!isPush(request)) return
      await bench.host.inside('printf "the wh" > old; printf "the wh" > new')
      throw new Error('the connection broke')
    }
    expect((await bench.call('execute_shell', { command: 'true' })).kind).toBe('failed')
    bench.host.before = () => undefined
    bench.evict()
    const { stdout, conflicts } = await bench.sh('cat old new')
    expect(stdout).toBe('the whole contentthe whole content')
    expect(conflicts).toBeUndefined()
    expect([await bench.text('old'), await bench.text('new')]).toEqual(['the whole content', 'the whole content'])
  })
})

describe('a file that was sent into the sandbox by a call that failed then', () => {
  /** Fails the next push after its script has run, or before. */
  function failPush(bench: SessionBench, when: 'before' | 'after') {
    let isDone = false
    const fault = (request: Request) => {
      if (isDone || !isPush(request)) return
      isDone = true
      throw new Error('the connection broke')
    }
    bench.host.before = when === 'before' ? fault : () => undefined
    bench.host.after = (request, result) => {
      if (when === 'after') fault(request)
      return result
    }
  }

  it.each(['before', 'after'] as const)(
    'is in history, and the path named, where a program changed it later: failed %s it came',
    async (when) => {
      const bench = sessionBench(sandboxd)
      await bench.sh('mkdir d; echo first > d/old')
      await bench.write('d/old', 'tool')
      await bench.write('d/new', 'tool')
      failPush(bench, when)
      expect((await bench.call('execute_shell', { command: 'true' })).kind).toBe('failed')
      bench.evict()
      await later()
      await bench.host.inside('echo program > d/old; echo program > d/new')
      const { stdout, conflicts } = await bench.sh('cat d/old d/new')
      expect({ stdout, conflicts: conflicts?.toSorted() }).toEqual({
        stdout: 'program\nprogram\n',
        conflicts: ['d/new', 'd/old'],
      })
      expect([await bench.versions('d/old'), await bench.versions('d/new')]).toEqual([
        ['first\n', 'tool', 'program\n'],
        ['tool', 'program\n'],
      ])
      expect(await sandboxTree(bench)).toEqual(workspaceTree(bench.workspace))
    },
  )

  it.each(['ln d/old y', 'touch d/old', 'mv d/old t; mv t d/old'])(
    'is not undone by the content before it, which a program touched: %s',
    async (command) => {
      const bench = sessionBench(sandboxd)
      await bench.sh('mkdir d; echo first > d/old')
      await bench.write('d/old', 'tool')
      failPush(bench, 'before')
      expect((await bench.call('execute_shell', { command: 'true' })).kind).toBe('failed')
      bench.evict()
      await later()
      await bench.host.inside(command)
      const { stdout, conflicts } = await bench.sh('cat d/old')
      expect({ stdout, conflicts }).toEqual({ stdout: 'tool', conflicts: undefined })
      expect(await bench.text('d/old')).toBe('tool')
    },
  )

  it('is not undone by the content before it when its other name was removed before it came', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo first > a; ln a b')
    await bench.remove('a')
    await bench.write('b', 'tool')
    bench.host.before = async (request) => {
      if (!isPush(request)) return
      bench.host.before = () => undefined
      await bench.host.inside('rm -- ./a')
      throw new Error('the connection broke')
    }
    expect((await bench.call('execute_shell', { command: 'true' })).kind).toBe('failed')
    bench.evict()
    const { stdout, conflicts } = await bench.sh('cat b; ls a 2> /dev/null || echo gone')
    expect({ stdout, conflicts }).toEqual({ stdout: 'toolgone\n', conflicts: undefined })
    expect([await bench.text('a'), await bench.text('b')]).toEqual([null, 'tool'])
  })

  it('is told by its content from another one of the same length and second that was sent before', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    const write = (text: string) => {
      const [path, content] = [workspacePath('x'), new TextEncoder().encode(text)]
      return bench.workspace.commit([{ op: 'write', path, content, mode: 0o644, mtimeMs: 1_500_000_000_000 }])
    }
    await write('one')
    failPush(bench, 'after')
    expect((await bench.call('execute_shell', { command: 'true' })).kind).toBe('failed')
    await write('two')
    failPush(bench, 'before')
    expect((await bench.call('execute_shell', { command: 'true' })).kind).toBe('failed')
    expect((await bench.sh('cat x')).stdout).toBe('two')
  })

  it('gives way to what a tool wrote after the program, which is in history', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo first > x')
    await bench.write('x', 'tool')
    failPush(bench, 'after')
    await bench.call('execute_shell', { command: 'true' })
    await bench.host.inside('echo program > x')
    await later()
    await bench.write('x', 'again')
    const { stdout, conflicts } = await bench.sh('cat x')
    expect({ stdout, conflicts }).toEqual({ stdout: 'again', conflicts: ['x'] })
    expect(await bench.versions('x')).toEqual(['first\n', 'tool', 'again', 'program\n'])
  })

  it('is no change of a program, whole or in part, though a tool has written since and another call failed', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo first > whole; echo first > part; echo first > nothing')
    const all = (text: string) =>
      Promise.all(['whole', 'part', 'nothing', 'large'].map((path) => bench.write(path, text)))
    await all('one '.repeat(10_000))
    failPush(bench, 'after')
    await bench.call('execute_shell', { command: 'true' })
    await bench.host.inside('truncate -s 9 part; truncate -s 39999 large; rm nothing')
    await all('two')
    failPush(bench, 'before')
    await bench.call('execute_shell', { command: 'true' })
    await all('three')
    const before = bench.workspace.headSeq()
    const { stdout, conflicts } = await bench.sh('cat whole part nothing large')
    expect({ stdout, conflicts }).toEqual({ stdout: 'three'.repeat(4), conflicts: undefined })
    expect(bench.workspace.headSeq()).toBe(before)
  })

  it('and was a directory is not removed with what a program has put there that stays in the sandbox', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    await bench.write('d/a', 'tool')
    failPush(bench, 'after')
    await bench.call('execute_shell', { command: 'true' })
    await bench.host.inside('mkdir d/node_modules; echo kept > d/node_modules/x')
    expect((await bench.sh('cat d/a d/node_modules/x')).stdout).toBe('toolkept\n')
  })
})

describe('a directory that stays in the sandbox', () => {
  it('gets a file of a tool again after a program removed the directory', async () => {
    const bench = sessionBench(sandboxd)
    await bench.write('node_modules/x.js', 'same')
    expect((await bench.sh('cat node_modules/x.js; rm -rf node_modules')).stdout).toBe('same')
    await bench.write('node_modules/x.js', 'same')
    expect((await bench.sh('cat node_modules/x.js')).stdout).toBe('same')
  })

  it('is taken over from the moment that .toolyardignore no longer names it, with every later change', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('mkdir node_modules; echo 1 > node_modules/f')
    expect(await bench.text('node_modules/f')).toBeNull()
    await bench.sh('echo build > .toolyardignore')
    await bench.sh('true')
    expect(await bench.text('node_modules/f')).toBe('1\n')
    await bench.sh('echo 2 > node_modules/f')
    expect(await bench.text('node_modules/f')).toBe('2\n')
  })
})
