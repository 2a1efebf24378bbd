import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_OUTPUT_FILE_BYTES } from '../../../../src/core/limits/sandbox.ts'
import { MAX_COMMAND_OUTPUT_BYTES } from '../../../../src/core/limits/shells.ts'
import { supervisorBench } from '../../../support/supervisor-bench.ts'

/** Node gives its children sockets, which nobody can open by name; hosts of sandboxes give them pipes. */
const BY_PIPE = `import os, subprocess
end, start = os.pipe()
subprocess.Popen(['cat'], stdin=end)
os.dup2(start, 1), os.close(end), os.close(start)
`

const isAlive = (pid: number) => existsSync(`/proc/${pid}/exe`)

describe('a command that the supervisor runs', () => {
  it('has its directory, its environment, its mark and no input, and its exit code and both outputs come back', async () => {
    const { home, run } = await supervisorBench()
    const reply = await run(
      'pwd; echo $PWD $HOME $VIRTUAL_ENV "$X" "[$BASH_ENV]"; ulimit -x; cat; echo $0 $$ >&2; env | grep -c TOOLYARD; exit 3',
      { cwd: 'a/b', env: { X: 'a b', HOME: '/elsewhere' }, mark: 77 },
    )
    expect(reply).toMatchObject({ code: 3, background: false, late: false })
    expect(reply.out.head).toBe(
      `${home}/workspace/a/b\n${home}/workspace/a/b ${home} ${home}/workspace/code_env a b []\n77\n0\n`,
    )
    expect(reply.err.head).toMatch(/^\/bin\/bash \d+\n$/)
  })

  it('finds the environment of the task first on its PATH, before what the caller names', async () => {
    const { home, run } = await supervisorBench()
    const { out } = await run('echo $PATH', { env: { PATH: '/mine:/usr/bin:/bin' } })
    expect(out.head).toBe(`${home}/workspace/code_env/bin:/mine:/usr/bin:/bin\n`)
  })

  it.each([
    ['a signal', 'kill -TERM $$', 143],
    ['the end of its own shell', 'kill -KILL $$', 137],
    ['a broken pipe, which Python would have hidden', "bash -c 'kill -PIPE $$'; exit $?", 141],
  ])('that ends by %s is told so', async (_, script, code) => {
    const { run } = await supervisorBench()
    expect(await run(script)).toMatchObject({ code })
  })

  it('does not wait for another one', async () => {
    const { home, run } = await supervisorBench()
    const slow = run(`until [ -e ${home}/go ]; do sleep 0.01; done; echo slow`)
    expect((await run('echo quick')).out.head).toBe('quick\n')
    writeFileSync(join(home, 'go'), '')
    expect((await slow).out.head).toBe('slow\n')
  })

  it('and prints 64 KiB and more has head and tail in the reply, and the whole in a file', async () => {
    const { home, run } = await supervisorBench()
    const { out } = await run('seq 100000', { logs: ['logs/o.txt', 'logs/e.txt'] })
    const whole = Array.from({ length: 100_000 }, (_, n) => `${n + 1}\n`).join('')
    expect(out).toEqual({ head: whole.slice(0, 32_768), tail: whole.slice(-32_768), bytes: whole.length })
    expect(readFileSync(join(home, 'workspace/logs/o.txt'), 'utf8')).toBe(whole)
    expect(existsSync(join(home, 'workspace/logs/e.txt'))).toBe(false)
  })

  it('and puts a pipe where its output is to be kept keeps nobody waiting', async () => {
    const { run } = await supervisorBench()
    const reply = await run('mkdir logs; mkfifo logs/o.txt; seq 100000', { logs: ['logs/o.txt', 'logs/e.txt'] })
    expect(reply).toMatchObject({ code: 0, out: { bytes: 588_895 } })
  })

  it('and puts a link where its output is to be kept can say nothing in the name of another one', async () => {
    const { home, run } = await supervisorBench((program) => BY_PIPE + program)
    const other = run(`until [ -e ${home}/go ]; do sleep 0.01; done; echo mine`, { id: 'other' })
    const forged = '{"id": "other", "code": 0, "out": {"head": "forged", "tail": "", "bytes": 6}}'
    const script = `mkdir logs; ln -s /proc/self/fd/1 logs/o.txt; yes '${forged}' | head -n 1000`
    expect(await run(script, { logs: ['logs/o.txt', 'logs/e.txt'] })).toMatchObject({ code: 0 })
    writeFileSync(join(home, 'go'), '')
    expect((await other).out.head).toBe('mine\n')
  })

  it('and leaves no room for a thread ends as any other does, and so do those beside it', async () => {
    const { home, ended, run } = await supervisorBench()
    const other = run(`until [ -e ${home}/go ]; do sleep 0.01; done; echo beside`)
    // A thread's stack is of 8 MiB.
    const full = 'prlimit --pid $PPID --as=$((1024 * ($(grep -oP "VmSize:\\s*\\K\\d+" /proc/$PPID/status) + 4096)))'
    const reply = await Promise.race([ended, run(`${full}; seq 100000`, { logs: ['logs/o.txt', 'logs/e.txt'] })])
    expect(reply).toMatchObject({ code: 0, out: { bytes: 588_895 } })
    writeFileSync(join(home, 'go'), '')
    expect((await other).out.head).toBe('beside\n')
  })

  it('and replaces its output file by another one is read by what it printed', async () => {
    const { run } = await supervisorBench()
    const { out } = await run('echo mine; rm ~/.toolyard/*.out; echo forged > ~/.toolyard/c0.out')
    expect(out.head).toBe('mine\n')
  })

  it('is killed with its group at its deadline, though nobody asks', async () => {
    const { run } = await supervisorBench()
    const reply = await run('echo begun; sleep 600', { seconds: 0.3 })
    expect(reply).toMatchObject({ late: true, out: { head: 'begun\n' } })
  })

  it('is killed when it is told to stop', async () => {
    const { home, run, tell } = await supervisorBench()
    const reply = run(`touch ${home}/began; sleep 600`, { id: 'one' })
    await expect.poll(() => existsSync(join(home, 'began'))).toBe(true)
    tell({ do: 'stop', id: 'one' })
    expect(await reply).toMatchObject({ late: true })
  })

  it('is run by nobody when its place is taken already', async () => {
    const { home, run } = await supervisorBench()
    writeFileSync(join(home, '.toolyard/one.out'), '')
    expect(await run(`touch ${home}/ran`, { id: 'one' })).toMatchObject({ unable: 'taken' })
    expect(existsSync(join(home, 'ran'))).toBe(false)
  })

  it.each([
    ['there is no workspace', (home: string) => rmSync(`${home}/workspace`, { recursive: true }), 'gone'],
    ['its directory is a file', (home: string) => writeFileSync(`${home}/workspace/d`, ''), 'cwd'],
  ])('cannot begin where %s', async (_, breakIt, unable) => {
    const { home, run } = await supervisorBench()
    breakIt(home)
    expect(await run('echo ran', { cwd: 'd' })).toMatchObject({ unable })
  })

  it.each([
    ['is gone', 'rm -rf ~/.toolyard'],
    ['is a file', 'rm -rf ~/.toolyard; echo > ~/.toolyard'],
    ['is closed', 'chmod 000 ~/.toolyard'],
  ])('runs though the directory of our own files %s', async (_, script) => {
    const { run } = await supervisorBench()
    await run(script)
    expect((await run('echo ran')).out.head).toBe('ran\n')
  })

  it('that has a NUL in its script is left to others', async () => {
    const { run } = await supervisorBench()
    expect(await run('echo \0')).toMatchObject({ unable: 'unable' })
    expect((await run('echo next')).out.head).toBe('next\n')
  })
})

describe('what commands leave behind', () => {
  it('is told of by the one that left it and by those that follow, until it ends', async () => {
    const { run } = await supervisorBench()
    const reply = await run('setsid sleep 600 > /dev/null 2>&1 & echo $!')
    expect(reply.background).toBe(true)
    expect((await run('true')).background).toBe(true)
    process.kill(Number(reply.out.head), 'SIGKILL')
    await expect.poll(async () => (await run('true')).background).toBe(false)
  })

  it('is not told of by another one while its own command runs', async () => {
    const { home, run } = await supervisorBench()
    const running = run(
      `setsid sleep 600 > /dev/null 2>&1 & echo $!; touch ${home}/began; until [ -e ${home}/go ]; do sleep 0.01; done`,
    )
    await expect.poll(() => existsSync(join(home, 'began'))).toBe(true)
    expect((await run('true')).background).toBe(false)
    writeFileSync(join(home, 'go'), '')
    const { background, out } = await running
    expect(background).toBe(true)
    process.kill(Number(out.head), 'SIGKILL')
  })

  it('lives on when the supervisor ends', async () => {
    const bench = await supervisorBench()
    const { out } = await bench.run('setsid sleep 600 > /dev/null 2>&1 & echo $!')
    process.kill(bench.pid, 'SIGKILL')
    await bench.ended
    expect(isAlive(Number(out.head))).toBe(true)
    process.kill(Number(out.head), 'SIGKILL')
  })

  it('of files goes with the next command that is told so', async () => {
    const { home, run } = await supervisorBench()
    await run('true', { id: 'c1' })
    await run('true', { id: 'c2' })
    writeFileSync(join(home, '.toolyard/other'), '')
    await run('true', { id: 'c3', before: 'c2', sweep: [`${home}/.toolyard/c2.err`] })
    expect(readdirSync(join(home, '.toolyard')).sort()).toEqual(['c2.out', 'c3.err', 'c3.out', 'other'])
  })
})

/** Leaves a process that writes without end into the output of the command with that id, as soon as there is one. @returns its id */
async function stranger({ run }: Pick<Awaited<ReturnType<typeof supervisorBench>>, 'run'>, id: string) {
  const file = `~/.toolyard/${id}.out`
  const { out } = await run(
    `(until [ -e ${file} ]; do sleep 0.01; done; exec yes >> ${file}) </dev/null >/dev/null & echo $!`,
  )
  return Number.parseInt(out.head, 10)
}

describe('an output that is written', () => {
  it('by a process of another command is kept in no file, and that process is ended', async () => {
    const bench = await supervisorBench()
    const pid = await stranger(bench, 'c1')
    const { out } = await bench.run('until [ $(stat -c %s ~/.toolyard/c1.out) -gt 70000 ]; do :; done', {
      logs: ['logs/out.txt', 'logs/err.txt'],
    })
    expect(out.bytes).toBeGreaterThan(70_000)
    expect(existsSync(join(bench.home, 'workspace/logs/out.txt'))).toBe(false)
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('without end by a process of another command costs that process, and not the command that runs', async () => {
    const bench = await supervisorBench((program) => program.replaceAll(`${MAX_OUTPUT_FILE_BYTES}`, `${1 << 20}`))
    const pid = await stranger(bench, 'c1')
    const logs = ['logs/out.txt', 'logs/err.txt']
    const running = bench.run(`until [ -e ${bench.home}/go ]; do sleep 0.01; done; exit 3`, { logs })
    await expect.poll(() => isAlive(pid)).toBe(false)
    writeFileSync(join(bench.home, 'go'), '')
    expect(await running).toMatchObject({ code: 3, flooded: false })
    expect(existsSync(join(bench.home, 'workspace/logs/out.txt'))).toBe(false)
  })

  it('by its own command is kept whole, though a process of that lives on', async () => {
    const { run, home } = await supervisorBench()
    const logs = ['logs/out.txt', 'logs/err.txt']
    await run('head -c 100000 /dev/zero; sleep 600 & echo $! > ~/left', { logs })
    expect(readFileSync(join(home, 'workspace/logs/out.txt')).length).toBe(100_000)
    expect(await run('kill $(cat ~/left)')).toMatchObject({ code: 0 })
  })
})

describe('an output that grows without end', () => {
  const small = (program: string) => program.replace(`${MAX_COMMAND_OUTPUT_BYTES}`, `${1 << 20}`)

  it('costs its command, which is told so', async () => {
    const { run } = await supervisorBench(small)
    const reply = await run('echo begun; yes')
    expect(reply).toMatchObject({
      code: 137,
      flooded: true,
      late: false,
      out: { head: expect.stringMatching(/^begun\ny\n/) },
    })
    expect(await run('echo next')).toMatchObject({ code: 0, flooded: false })
  })

  it.each([
    ['ends by that', 'echo begun; yes'],
    ['goes on all the same', `echo begun; trap '' XFSZ; while :; do head -c 65536 /dev/zero; done 2>/dev/null`],
  ])('to the size that the sandbox allows a file costs its command, which %s, and it is told so', async (_, script) => {
    const { run } = await supervisorBench(undefined, 1 << 20)
    expect(await run(script)).toMatchObject({ flooded: true, late: false, out: { bytes: 1 << 20 } })
    expect(await run('echo next')).toMatchObject({ code: 0, flooded: false })
  })

  it('by what a command left behind costs what that command left, and nobody else', async () => {
    const { run, home } = await supervisorBench(small)
    const beside = run(`until [ -e ${home}/go ]; do sleep 0.01; done; echo unharmed`)
    const { out } = await run(
      'sleep 600 & echo $!; (yes &); until [ $(stat -c %s ~/.toolyard/c1.out) -gt 100 ]; do :; done',
    )
    const left = Number.parseInt(out.head, 10)
    await expect.poll(() => isAlive(left)).toBe(false)
    writeFileSync(join(home, 'go'), '')
    expect(await beside).toMatchObject({ code: 0, out: { head: 'unharmed\n' } })
  })
})

describe('the supervisor', () => {
  it('asks the watcher when a command has ended, and tells what it said', async () => {
    const { run } = await supervisorBench()
    const watcher = createServer((link) => link.end('17\n')).listen(0, '127.0.0.1')
    await new Promise((resolve) => watcher.once('listening', resolve))
    const watch = (watcher.address() as { port: number }).port
    expect(await run('true', { watch })).toMatchObject({ watched: '17' })
    await new Promise((resolve) => watcher.close(resolve))
    expect(await run('true', { watch })).toMatchObject({ watched: null })
  })

  it('answers others while a watcher does not answer', async () => {
    const { run, ask } = await supervisorBench()
    const watcher = createServer(() => undefined).listen(0, '127.0.0.1')
    await new Promise((resolve) => watcher.once('listening', resolve))
    const order: string[] = []
    const slow = run('true', { watch: (watcher.address() as { port: number }).port }).then((reply) => {
      order.push('slow')
      return reply
    })
    await ask({ do: 'ping' }).then(() => order.push('ping'))
    expect(await slow).toMatchObject({ code: 0, watched: null })
    expect(order).toEqual(['ping', 'slow'])
    watcher.close()
  })

  it('cannot be looked into by what it runs, and is not found as a Python', async () => {
    const { pid, run } = await supervisorBench()
    const { out } = await run(`cat /proc/${pid}/comm; stat -c %U /proc/${pid}/fd; cat /proc/${pid}/oom_score_adj`)
    expect(out.head).toMatch(/^toolyard\nroot\n/)
  })

  it('goes on after a request that it does not understand', async () => {
    const { ask, run } = await supervisorBench()
    expect(await ask({ do: 'what' })).toMatchObject({ failed: 'KeyError' })
    expect((await run('echo on')).out.head).toBe('on\n')
  })
})
