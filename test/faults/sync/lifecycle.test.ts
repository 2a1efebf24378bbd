import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fail } from '../../../src/core/failure.ts'
import { SESSION_IDLE_MS } from '../../../src/core/limits/sessions.ts'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import {
  dataOf,
  isBootstrap,
  isCommand,
  isFetch,
  isListing,
  isPush,
  type Request,
  sessionBench,
} from '../../support/session-bench.ts'
import { offlinePip } from '../../support/wheel.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd.stop())

/** Crashes the sandbox at the first request of a kind. */
function crashAt(bench: ReturnType<typeof sessionBench>, isIt: (request: Request) => boolean) {
  let done = false
  bench.host.before = async (request) => {
    if (done || !isIt(request)) return
    done = true
    await bench.host.crash()
  }
}

/** For commands: tells that it runs, and waits for GO. Beside the workspace, whose files are looked at. */
const BEGUN = 'touch /tmp/begun'
const UNTIL_GO = 'until [ -e /tmp/go ]; do sleep 0.02; done'
const GO = 'touch /tmp/go'

/** When the command in the newest sandbox says that it runs. */
const begun = (bench: ReturnType<typeof sessionBench>) =>
  bench.host.inside('until [ -e /tmp/begun ]; do sleep 0.02; done')

const ended = {
  kind: 'failed',
  failure: { code: 'upstream', message: expect.stringMatching(/Call again: a new sandbox is made/) },
}

describe('a sandbox that ends', () => {
  it.each([
    ['before its files are listed', isListing],
    ['before its files are fetched', isFetch],
  ])('%s costs that call and no other', async (_, isIt) => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > a')
    crashAt(bench, isIt)
    expect(await bench.call('execute_shell', { command: 'echo 2 > b', workdir: '.' })).toMatchObject(ended)
    const { stdout, restored, generation } = await bench.sh('cat a; ls')
    expect(stdout).toBe('1\na\ncode_env\n')
    expect({ generation, files: restored?.files }).toEqual({ generation: 2, files: 2 })
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
  })

  it('is not made again for files that it had no room for, and the answer says what to do', async () => {
    const small = await startSandboxd({ env: { SANDBOXD_FILE_MB: '4' } })
    onTestFinished(() => small.stop())
    const bench = sessionBench(small)
    const content = new Uint8Array(randomBytes(8 * 1024 * 1024))
    await bench.workspace.commit([{ op: 'write', path: workspacePath('large.bin'), content }])
    expect(await bench.call('execute_shell', { command: 'true', workdir: '.' })).toMatchObject({
      failure: {
        code: 'limit_exceeded',
        message: expect.stringMatching(/do not fit on the disk.*; delete large files/),
      },
    })
    expect(bench.host.created).toHaveLength(1)
    await bench.workspace.commit([{ op: 'remove', path: workspacePath('large.bin') }])
    expect((await bench.sh('echo works')).stdout).toBe('works\n')
  })

  it('before a command starts costs nothing: it starts in another', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > a')
    crashAt(bench, isCommand)
    const { stdout, restored, generation } = await bench.sh('cat a; echo once >> count; cat count')
    expect(stdout).toBe('1\nonce\n')
    expect({ generation, files: restored?.files }).toEqual({ generation: 2, files: 2 })
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
  })

  it('during a command takes the file tools with it only as long as they ask it', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > a; (sleep 30 &) >/dev/null 2>&1')
    await bench.host.crash()
    expect(await bench.call('file_read', { file_path: 'a' })).toMatchObject({ kind: 'done' })
    const requests = bench.host.requests.length
    await bench.call('file_read', { file_path: 'a' })
    expect(bench.host.requests).toHaveLength(requests)
  })

  it('is not confused with the one that was made in its place', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    const { promise: held, resolve: freed } = Promise.withResolvers<void>()
    bench.host.failed = (request) => (request.script.includes('slow-to-fail') ? held : undefined)
    const late = bench.call('execute_shell', { command: `${BEGUN}; sleep 20 # slow-to-fail` })
    await begun(bench)
    await bench.host.crash()
    await bench.sh('true')
    const running = bench.sh(`${BEGUN}; ${UNTIL_GO}; echo done > kept`)
    await begun(bench)
    freed()
    expect(await late).toMatchObject(ended)
    await bench.host.inside(GO)
    await running
    expect(await bench.text('kept')).toBe('done\n')
    expect(bench.host.created).toHaveLength(2)
  })

  it('with changes that were not taken over yet is told, though the command itself ended well', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    let isFirst = true
    bench.host.after = async (request, result) => {
      if (isCommand(request) && isFirst) {
        isFirst = false
        await bench.host.crash()
        await bench.call('execute_shell', { command: 'true' })
        await bench.call('execute_shell', { command: 'true' })
      }
      return result
    }
    expect(await bench.call('execute_shell', { command: 'echo 1 > gone', workdir: '.' })).toMatchObject(ended)
    expect(await bench.text('gone')).toBeNull()
  })

  it('in the long wait for the look at its files is told, though the command itself ended well', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    bench.host.after = async (request, result) => {
      if (isCommand(request)) {
        bench.host.after = (_, other) => other
        bench.clock.ahead += SESSION_IDLE_MS
        await bench.host.crash()
      }
      return result
    }
    expect(await bench.call('execute_shell', { command: 'echo 1 > gone', workdir: '.' })).toMatchObject(ended)
    expect(await bench.text('gone')).toBeNull()
  })

  it('with the task directory is put back', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > a')
    const outcome = await bench.call('execute_shell', { command: 'rm -rf /home/user/workspace', workdir: '.' })
    expect(outcome).toMatchObject(ended)
    expect((await bench.sh('cat a')).stdout).toBe('1\n')
  })

  it('is told to the first call that gets an answer', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > a')
    await bench.host.crash()
    expect((await bench.call('execute_shell', { command: 'true', workdir: 'a/b' })).kind).toBe('failed')
    expect((await bench.sh('true')).restored?.files).toBe(2)
    expect((await bench.sh('true')).restored).toBeUndefined()
  })
})

describe('a sandbox that cannot be made whole', () => {
  it('because its preparation failed is not used by the next call', async () => {
    const bench = sessionBench(sandboxd)
    bench.session.require(['no-such-package-of-toolyard'])
    bench.host.before = (request) => {
      if (isBootstrap(request)) fail('upstream', 'the connection broke')
    }
    expect((await bench.call('execute_shell', { command: 'true' })).kind).toBe('failed')
    bench.host.before = () => undefined
    const { stdout, notes, restored } = await bench.sh('ls code_env/bin/python')
    expect(stdout).toBe('code_env/bin/python\n')
    expect(notes?.join()).toMatch(/no-such-package-of-toolyard could not be installed/)
    expect(restored).toBeUndefined()
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
  })

  it('because the session was evicted half way is not used by the next call', async () => {
    const bench = sessionBench(sandboxd)
    await bench.write('a', '1')
    const [prepared, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    bench.host.after = async (request, result) => {
      if (isBootstrap(request)) {
        prepared.resolve()
        await held.promise
      }
      return result
    }
    const cutOff = bench.call('execute_shell', { command: 'true' })
    await prepared.promise
    bench.host.after = (_request, result) => result
    bench.evict()
    expect((await bench.sh('cat a; ls code_env/bin/python')).stdout).toBe('1code_env/bin/python\n')
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
    held.resolve()
    await cutOff
  })

  it('because its id never came is ended all the same', async () => {
    const bench = sessionBench(sandboxd)
    bench.host.after = (request) => {
      if (request.method === 'create') fail('upstream', 'the answer was lost')
    }
    expect((await bench.call('execute_shell', { command: 'true' })).kind).toBe('failed')
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(true)
    bench.host.after = (_request, result) => result
    await bench.sh('true')
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
  })

  it('because its disk is full is replaced, with what it had changed taken over', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > a')
    await bench.host.inside('echo 2 > a')
    await bench.write('b', 'tool')
    let isFull = true
    bench.host.after = (request, result) => {
      if (!isPush(request) || !isFull) return result
      isFull = false
      return { exitCode: 92, stdout: '', stderr: 'No space left on device' }
    }
    const { stdout, generation } = await bench.sh('cat a b')
    expect({ stdout, generation }).toEqual({ stdout: '2\ntool', generation: 2 })
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
  })
})

describe('the packages of a sandbox', () => {
  it('come back from a wheel of the task, and are named when they cannot', async () => {
    const bench = sessionBench(sandboxd)
    const name = 'toolyard_probe-1.0-py3-none-any.whl'
    const content = readFileSync(join(offlinePip(['toolyard_probe']).directory, name))
    await bench.workspace.commit([{ op: 'write', path: workspacePath(`upload/${name}`), content }])
    dataOf(await bench.call('pip_install', { packages: [`./upload/${name}`] }))
    await bench.host.crash()
    const back = await bench.sh('python -c "import toolyard_probe"')
    expect(back).toMatchObject({ exit_code: 0, restored: { packages: ['toolyard_probe==1.0'], failed: [] } })

    await bench.remove(`upload/${name}`)
    await bench.host.crash()
    const { restored } = await bench.sh('true')
    expect(restored?.failed).toEqual([`./upload/${name}`, 'toolyard_probe==1.0'])
  })
})

describe('a session that sleeps', () => {
  it('sees after its sleep what a background process wrote meanwhile', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh(`(${UNTIL_GO}; echo late > late) >/dev/null 2>&1 &`)
    bench.evict()
    await bench.host.inside(`${GO}; until [ -s late ]; do sleep 0.02; done`)
    expect(dataOf(await bench.call('file_read', { file_path: 'late' }))).toMatchObject({ content: 'late\n' })
  })

  it('sees what a command wrote that was cut off by its sleep, and calls it lost', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    const cutOff = bench.call('execute_shell', { command: `echo 1 > early; ${BEGUN}; ${UNTIL_GO}`, workdir: '.' })
    await begun(bench)
    bench.evict()
    expect(bench.session.calls.page({ limit: 1 }).calls[0]?.state).toBe('lost')
    expect(dataOf(await bench.call('file_read', { file_path: 'early' }))).toMatchObject({ content: '1\n' })
    await bench.host.inside(GO)
    await cutOff
  })

  it('gives its sandbox back after a last look', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('ln -s x y')
    await bench.host.inside('echo 1 > unnoticed')
    bench.clock.ahead = SESSION_IDLE_MS + 1
    await bench.session.rest()
    expect(await bench.text('unnoticed')).toBe('1\n')
    expect(bench.session.hasSandbox).toBe(false)
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
  })

  it('keeps its sandbox when the last look fails', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    await bench.host.inside('echo 1 > unnoticed')
    bench.clock.ahead = SESSION_IDLE_MS + 1
    bench.host.before = (request) => {
      if (isListing(request)) fail('upstream', 'the connection broke')
    }
    await expect(bench.session.rest()).rejects.toThrow('the connection broke')
    expect(bench.session.hasSandbox).toBe(true)
    bench.host.before = () => undefined
    await bench.session.rest()
    expect(await bench.text('unnoticed')).toBe('1\n')
    expect(bench.session.hasSandbox).toBe(false)
  })

  it('does not end the sandbox of a command that runs', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    const running = bench.sh(`${BEGUN}; ${UNTIL_GO}; echo ok`)
    await begun(bench)
    bench.clock.ahead = SESSION_IDLE_MS + 1
    await bench.session.rest()
    await bench.host.inside(GO)
    expect((await running).stdout).toBe('ok\n')
  })
})

describe('a session that is removed', () => {
  it('ends its sandbox at the second try when the first one failed', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    bench.host.before = ({ method }) => {
      if (method === 'kill') fail('upstream', 'the host is away')
    }
    await expect(bench.session.end()).rejects.toThrow('the host is away')
    bench.host.before = () => undefined
    bench.evict()
    await bench.session.end()
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
  })

  it('while its sandbox is being made leaves none behind', async () => {
    const bench = sessionBench(sandboxd)
    const { promise: requested, resolve } = Promise.withResolvers<void>()
    bench.host.before = () => resolve()
    const call = bench.call('execute_shell', { command: 'true' })
    await requested
    await bench.session.end()
    expect(await call).toMatchObject({ kind: 'failed', failure: { code: 'not_found' } })
    expect(bench.host.created).toHaveLength(1)
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
  })

  it('while a command runs ends the command', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    const call = bench.call('execute_shell', { command: `${BEGUN}; sleep 30` })
    await begun(bench)
    await bench.session.end()
    expect(await call).toMatchObject({ kind: 'failed', failure: { code: 'not_found' } })
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
  })
})
