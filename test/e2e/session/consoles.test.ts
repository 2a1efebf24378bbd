import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_CONSOLE_COMMAND_MS } from '../../../src/core/limits/consoles.ts'
import { SESSION_IDLE_MS } from '../../../src/core/limits/sessions.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type Request, type SessionBench, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

describe('a shell that nobody asks', () => {
  const idle = SESSION_IDLE_MS + 1_000

  it('keeps the sandbox while it runs a command, for an hour at most', async () => {
    const bench = sessionBench(sandboxd)
    const isAlive = () => bench.host.isAlive(bench.host.created.at(-1) ?? '')
    const started = await bench.call('shell_command', { command: 'sleep 600', run_async: true, wait_ms: 0 })
    expect(dataOf(started)).toMatchObject({ shell_id: 0 })
    await expect.poll(() => bench.host.inside('ls ~/.toolyard/consoles-*')).toContain('busy')
    bench.clock.ahead += idle
    await bench.session.rest()
    expect(await isAlive()).toBe(true)
    bench.clock.ahead += MAX_CONSOLE_COMMAND_MS
    await bench.session.rest()
    expect(await isAlive()).toBe(false)
  })

  it('does not keep it when it waits for a command', async () => {
    const bench = sessionBench(sandboxd)
    await bench.call('shell_command', { command: 'echo x', run_async: true })
    bench.clock.ahead += idle
    await bench.session.rest()
    expect(await bench.host.isAlive(bench.host.created.at(-1) ?? '')).toBe(false)
    const next = await bench.call('shell_command', { shell_id: 0, run_async: true })
    expect(next).toMatchObject({ failure: { code: 'not_found' } })
  })
})

describe('a notebook and shells that wait for their next call', () => {
  const cell = (bench: SessionBench, code: string, more = {}) => bench.call('notebook_execute', { code, ...more })
  const NOTEBOOK = 'python_notebook.ipynb'
  /** What keeps the sandbox and its supervisor reached: on a slow machine it comes between two calls. */
  const KEEPS_REACHED = new Set<Request['method']>(['extend', 'connect', 'watch'])
  /** What a file tool shows of a file. */
  const shown = async (bench: SessionBench, file_path: string) =>
    JSON.stringify(await bench.call('file_read', { file_path }))
  /** A session with a kernel, whose sandbox has all that the next call needs. */
  const warmed = async () => {
    const bench = sessionBench(sandboxd)
    dataOf(await cell(bench, '1'))
    dataOf(await cell(bench, '2', { cell_index: 0 }))
    dataOf(await bench.call('shell_command', { command: 'true' }))
    return bench
  }

  it('cost the next ones no program and no look at the files, and the notebook has its cells at once', async () => {
    const bench = await warmed()
    const begun = bench.host.requests.length
    dataOf(await cell(bench, 'print("told")', { cell_index: 0 }))
    dataOf(await bench.call('shell_command', { command: 'echo x' }))
    dataOf(await bench.call('ipython_run', { command: '3' }))
    expect(await shown(bench, NOTEBOOK)).toContain('told')
    expect(bench.host.requests.slice(begun).filter(({ method }) => !KEEPS_REACHED.has(method))).toEqual([])
    // The file is known as it is: the next look has nothing to fetch but what is new.
    dataOf(await bench.call('execute_shell', { command: 'echo y > y.txt', workdir: '.' }))
    const versions = await bench.versions(NOTEBOOK)
    await bench.sh('echo z > z.txt')
    expect(await bench.versions(NOTEBOOK)).toEqual(versions)
    expect(versions.at(-1)).toContain('told')
  })

  it('hide nothing that changed beside the notebook', async () => {
    const bench = await warmed()
    dataOf(await cell(bench, 'open("beside.txt", "w").write("b")', { cell_index: 0 }))
    expect(await bench.text('beside.txt')).toBe('b')
    await bench.write(NOTEBOOK, '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n')
    dataOf(await cell(bench, '"after"'))
    expect(JSON.parse((await bench.text(NOTEBOOK)) ?? '').cells).toHaveLength(1)
  })

  const LATER = 'until [ -e /tmp/go ]; do sleep 0.05; done; echo written > late.txt'
  const THREAD = `import os, threading, time
def later():
    while not os.path.exists("/tmp/go"): time.sleep(0.05)
    open("late.txt", "w").write("written")
threading.Thread(target=later).start()`

  it.each([
    ['a thread', 'notebook_execute', { code: THREAD }],
    [
      'a program of a cell',
      'notebook_execute',
      { code: `import subprocess\nsubprocess.Popen(["bash", "-c", "${LATER}"])` },
    ],
    ['a program that left its shell', 'shell_command', { command: `setsid bash -c "${LATER}" > /dev/null 2>&1 &` }],
    ['a shell', 'shell_write', { content: LATER, wait_ms: 100 }],
  ])('are looked at while %s goes on: file tools have what it writes', async (_, tool, args) => {
    const bench = await warmed()
    expect((await bench.call(tool, args)).kind).toMatch(/done|pending/)
    await bench.host.inside('touch /tmp/go')
    await expect.poll(() => shown(bench, 'late.txt')).toContain('written')
  })

  it('have what a cell stores into a file that it has mapped', async () => {
    const bench = await warmed()
    const open =
      'import mmap\nwith open("m.bin", "w+b") as f:\n    f.truncate(4096)\n    m = mmap.mmap(f.fileno(), 4096)'
    dataOf(await cell(bench, open, { cell_index: 0 }))
    for (const letter of ['A', 'B']) {
      dataOf(await cell(bench, `m[:1] = b"${letter}"`, { cell_index: 0 }))
      expect((await bench.text('m.bin'))?.[0]).toBe(letter)
    }
  })

  const supervisorOf = (bench: SessionBench) =>
    bench.sql.all<{ pid: number }>('SELECT pid FROM supervisor_process')[0]?.pid

  it('are there still when code of the task ends the process that questions go by', async () => {
    const bench = await warmed()
    dataOf(await cell(bench, 'x = 5'))
    await bench.host.inside(`kill -9 ${supervisorOf(bench)}`)
    const { outputs } = dataOf(await cell(bench, 'x + 1'))
    expect(JSON.stringify(outputs)).toContain('6')
  })

  it('run a cell once when that process ends before it has passed the cell on', async () => {
    const bench = await warmed()
    dataOf(await cell(bench, 'x = 5'))
    await bench.host.inside(`kill -STOP ${supervisorOf(bench)}`)
    const written = Promise.withResolvers<void>()
    bench.host.written = (line) => line.includes('"console"') && written.resolve()
    const answer = cell(bench, 'x += 1; x')
    await written.promise
    await bench.host.inside(`kill -9 ${supervisorOf(bench)}`)
    expect(JSON.stringify(dataOf(await answer).outputs)).toContain('6')
  })

  it('run a cell once when that process ends while the cell runs', async () => {
    const bench = await warmed()
    const code =
      'import os, time\nopen("runs", "a").write("x")\nwhile not os.path.exists("/tmp/go"): time.sleep(0.05)\n"done"'
    const answer = cell(bench, code)
    await bench.host.inside('until [ -e runs ]; do sleep 0.05; done')
    await bench.host.inside(`kill -9 ${supervisorOf(bench)}; touch /tmp/go`)
    expect(JSON.stringify(dataOf(await answer).outputs)).toContain('done')
    expect((await bench.sh('cat runs')).stdout).toBe('x')
  })

  it('do not run it again when the cell ends them all', async () => {
    const bench = await warmed()
    const code = 'import os\nopen("runs", "a").write("x")\nos.system("kill -9 -1")'
    expect((await cell(bench, code)).kind).toBe('failed')
    expect((await bench.sh('cat runs')).stdout).toBe('x')
  })
})

describe('a call that is followed', () => {
  const WAIT = 'import os, time\nuntil = lambda: not os.path.exists("go") and (time.sleep(0.05) or until())'
  const CELL = `${WAIT}\nprint("one")\nuntil()\nos.system("echo two")\nprint("three")`
  const SHELL = 'echo one; until [ -e go ]; do sleep 0.05; done; echo two; echo three'

  it.each([
    ['a cell of the notebook', 'notebook_execute', { code: CELL }],
    ['code for ipython', 'ipython_run', { command: CELL }],
    ['a command in a shell of its own', 'shell_command', { command: SHELL }],
  ])('shows what %s prints while it runs, each byte once, and all of it before its end', async (_, tool, args) => {
    const bench = sessionBench(sandboxd)
    const { printed, ended } = await bench.begin(tool, args)
    await expect.poll(() => printed('stdout')).toBe('one\n')
    await bench.host.inside('touch go')
    await ended
    expect((await printed('stdout'))?.split('\n').sort()).toEqual(['', 'one', 'three', 'two'])
  })

  it('shows what a line for the interactive shell prints until its answer', async () => {
    const bench = sessionBench(sandboxd)
    const { printed, ended } = await bench.begin('shell_write', { content: 'echo one; echo two >&2', wait_ms: 10_000 })
    await ended
    expect(await printed('stdout')).toBe('one\ntwo\n')
  })

  it('shows what a shell writes to stderr as that, and what another one prints not at all', async () => {
    const bench = sessionBench(sandboxd)
    await bench.call('shell_command', { command: SHELL, run_async: true, wait_ms: 0 })
    const { printed, ended } = await bench.begin('shell_command', { command: 'echo mine >&2; touch go' })
    await ended
    expect([await printed('stdout'), await printed('stderr')]).toEqual(['', 'mine\n'])
  })

  it('is not held up, nor is the next one, where much is printed that nobody could read', async () => {
    const bench = sessionBench(sandboxd)
    const code = 'for at in range(60): print("\\U0001f600" * 50000)\nprint("the end")'
    const { printed, ended } = await bench.begin('notebook_execute', { code })
    expect(await ended).toMatchObject({ kind: 'done' })
    const shown = (await printed('stdout')) ?? ''
    expect(shown).toMatch(/😀\nthe end\n$/u)
    expect(shown).not.toContain('\ufffd')
    expect(await bench.call('notebook_execute', { code: '1 + 1' })).toMatchObject({ kind: 'done' })
  })
})
