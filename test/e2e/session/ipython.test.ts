import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type SessionBench, sessionBench } from '../../support/session-bench.ts'

/** The machine may stand still for as long as the kernel has to answer an interrupt; one that never answers does so each time. */
const WHEN_IT_STOOD_STILL = { count: 3, condition: /the process in the sandbox that runs it does not answer/ }

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

const run = async (bench: SessionBench, command: string, more: object = {}) =>
  dataOf(await bench.call('ipython_run', { command, ...more }))
const resultOf = async (answer: Promise<Readonly<Record<string, unknown>>>) =>
  ((await answer).result as readonly { readonly content: string }[])[0]?.content
const text = (content: string) => ({ result: [{ type: 'text', content }] })

/** A PNG of one pixel, shown as matplotlib shows a figure. */
const PIXEL = `
import base64
class Figure:
    def __repr__(self): return '<Figure>'
    def _repr_png_(self): return base64.b64decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==')
`

describe('ipython_run', () => {
  it('keeps variables between calls, and answers in the words of Lagent', async () => {
    const bench = sessionBench(sandboxd)
    expect(await run(bench, 'import math;math.sqrt(100)')).toEqual(text('10.0'))
    expect(await run(bench, 'print("a");print("b")')).toEqual(text('a\nb\n'))
    expect(await run(bench, 'print("a")\n5')).toEqual(text('a\n5'))
    expect(await run(bench, 'x = 5')).toEqual(text(''))
    expect(await run(bench, '```python\nx * 2\n```')).toEqual(text('10'))
    expect(await run(bench, '{"code": "\'s\'"}')).toEqual(text("'s'"))
    expect(await run(bench, 'import sys\nprint("o")\nprint("e", file=sys.stderr)\nprint("p")')).toEqual(
      text('o\ne\np\n'),
    )
    bench.evict()
    expect(await run(bench, 'x')).toEqual(text('5'))
    dataOf(await bench.call('ipython_reset', {}))
    expect(await run(bench, 'x')).toEqual({ error: expect.stringMatching(/NameError: name 'x' is not defined$/) })
  })

  it('has a kernel of its own, beside the notebook, and leaves none', async () => {
    const bench = sessionBench(sandboxd)
    await run(bench, 'x = "mine"')
    dataOf(await bench.call('notebook_execute', { code: 'x = "of the notebook"' }))
    expect(await run(bench, 'x')).toEqual(text("'mine'"))
    const { cells } = JSON.parse((await bench.text('python_notebook.ipynb')) ?? '')
    expect(cells).toHaveLength(1)
    dataOf(await bench.call('ipython_reset', {}))
    expect(dataOf(await bench.call('notebook_execute', { code: 'x' }))).toMatchObject({
      outputs: [{ data: { 'text/plain': "'of the notebook'" } }],
    })
  })

  it('keeps images as files, and names them behind the text', async () => {
    const bench = sessionBench(sandboxd)
    const { result } = await run(bench, `${PIXEL}\nprint("look")\ndisplay(Figure())\nFigure()`)
    const path = expect.stringMatching(/^ipython_images\/[0-9a-f]{16}\.png$/)
    expect(result).toEqual([
      { type: 'text', content: 'look\n<Figure>' },
      { type: 'image', content: path },
      { type: 'image', content: path },
    ])
    const image = (result as { content: string }[])[1]?.content ?? ''
    expect([...((await bench.workspace.read(workspacePath(image))) ?? [])].slice(0, 4)).toEqual([
      0x89, 0x50, 0x4e, 0x47,
    ])
    const many = await run(bench, 'for at in range(40): display(Figure())')
    expect(many.result).toHaveLength(1 + 32)
    expect(many.notes).toEqual([expect.stringContaining('8 of 40 images were left out')])
    const none = await run(bench, 'class Bad:\n    def _repr_png_(self): return b"no image"\ndisplay(Bad())')
    expect([none.result, none.notes]).toEqual([
      [{ type: 'text', content: '' }],
      [expect.stringContaining('1 of 1 images were left out')],
    ])
  })

  it('answers with a traceback without colours, and goes on', async () => {
    const bench = sessionBench(sandboxd)
    const { error, result } = await run(bench, 'print("before")\n1/0')
    expect(result).toBeUndefined()
    expect(error).toMatch(/^before\n-{20,}\nZeroDivisionError +Traceback/)
    expect(error).toMatch(/ZeroDivisionError: division by zero$/)
    expect(error).not.toContain('\x1b')
    expect(await run(bench, '1')).toEqual(text('1'))
  })

  it('stops what takes too long, and keeps the variables', async () => {
    const bench = sessionBench(sandboxd)
    await run(bench, 'x = 5')
    expect(await run(bench, 'import time\ntime.sleep(100)', { timeout: 1 })).toEqual({
      error: 'Timeout. No response after 1 seconds.',
    })
    expect(await run(bench, 'x')).toEqual(text('5'))
  })

  it('counts the time of the code, not of a kernel that is slow to start', async () => {
    const bench = sessionBench(sandboxd)
    const slow = String.raw`import time\ntime.sleep(3)\nraise ImportError`
    await bench.sh(`for d in code_env/lib/python3*/site-packages; do printf '${slow}' > $d/IPython.py; done`)
    expect(await run(bench, 'import time\nx = 5\ntime.sleep(100)', { timeout: 1 })).toEqual({
      error: 'Timeout. No response after 1 seconds.',
    })
    expect(await run(bench, 'x')).toEqual(text('5'))
  })

  it('fails when its kernel ends, with what was shown until then, and goes on with a new one', async () => {
    const bench = sessionBench(sandboxd)
    const ended = expect.stringMatching(/^the kernel ended with exit code 3 while this cell ran; /)
    expect(await run(bench, 'import os\nx = 5\nos._exit(3)')).toEqual({ error: ended })
    expect((await run(bench, 'x')).error).toMatch(/NameError/)
    const { error } = await run(
      bench,
      'print("so far", flush=True)\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)',
    )
    expect(error).toMatch(/^so far\nthe kernel ended with exit code 137 \(killed, perhaps for lack of memory\)/)
    for (const [tool, more] of [
      ['ipython_session_run', { session_id: 's' }],
      ['ipython_interactive_run', {}],
    ] as const) {
      expect(dataOf(await bench.call(tool, { command: 'import os\nos._exit(3)', ...more }))).toEqual({ error: ended })
    }
  })

  it('takes exit() for an exception, and goes on', async () => {
    const bench = sessionBench(sandboxd)
    await run(bench, 'x = 5')
    for (const end of ['exit()', 'quit(1)', 'import sys\nsys.exit()']) {
      const { error } = await run(bench, `print("a")\n${end}\nprint("b")`)
      expect(error).toMatch(/^a\n[\s\S]*\bSystemExit\b/)
      expect(error).not.toContain('\nb\n')
    }
    expect(await run(bench, 'x')).toEqual(text('5'))
  })

  it('lets nobody be asked', async () => {
    const bench = sessionBench(sandboxd)
    expect(await run(bench, 'input("name?")')).toEqual({
      error: expect.stringMatching(/NotImplementedError: Python input\(\) function is disabled\.$/),
    })
  })

  it('takes no more code than a cell may have, and needs some', async () => {
    const bench = sessionBench(sandboxd)
    const failed = await bench.call('ipython_run', { command: '#'.repeat(600_000) })
    expect(failed).toMatchObject({
      kind: 'failed',
      failure: { message: expect.stringContaining('MAX_CONSOLE_INPUT_CHARS') },
    })
    expect(await bench.call('ipython_run', {})).toMatchObject({
      kind: 'refused',
      failure: { message: 'missing required parameter: command' },
    })
  })
})

describe('ipython_session_run', () => {
  const of = async (bench: SessionBench, session_id: string | undefined, command: string, more: object = {}) =>
    dataOf(
      await bench.call('ipython_session_run', { command, ...(session_id !== undefined && { session_id }), ...more }),
    )

  it('answers with the value, or else with what was printed to stdout, and no images', async () => {
    const bench = sessionBench(sandboxd)
    expect(await of(bench, 's', 'print("a")\n5')).toEqual(text('5'))
    expect(await of(bench, 's', 'import sys\nprint(" a")\nprint("e", file=sys.stderr)\nprint("b\\n")')).toEqual(
      text('a\nb'),
    )
    expect(await of(bench, 's', "'s'")).toEqual(text("'s'"))
    expect(await of(bench, 's', 'x = 5')).toEqual(text(''))
    expect(await of(bench, 's', `${PIXEL}\ndisplay(Figure())`)).toEqual(text(''))
    const { error } = await of(bench, 's', '1/0')
    expect(error).toMatch(/^ZeroDivisionError +Traceback[\s\S]*ZeroDivisionError: division by zero$/)
  })

  it('keeps the variables of each session_id apart, and without one is ipython_run', async () => {
    const bench = sessionBench(sandboxd)
    await run(bench, 'x = "own"')
    await of(bench, 'one', 'x = "one"')
    await of(bench, 'two', 'x = "two"')
    expect(await of(bench, undefined, 'x')).toEqual(text("'own'"))
    expect(await of(bench, 'one', 'x')).toEqual(text("'one'"))
    dataOf(await bench.call('ipython_reset', { session_id: 'one' }))
    expect(await of(bench, 'one', 'x')).toEqual({ error: expect.stringMatching(/NameError/) })
    expect(await of(bench, 'two', 'x')).toEqual(text("'two'"))
    expect(await run(bench, 'x')).toEqual(text("'own'"))
    await bench.call('ipython_session_run', { command: 'x = "seven"', session_id: 7 })
    expect(await of(bench, '7', 'x')).toEqual(text("'seven'"))
    expect(await bench.call('ipython_session_run', { command: '1', session_id: 'x'.repeat(201) })).toMatchObject({
      kind: 'refused',
      failure: { message: expect.stringContaining('MAX_IPYTHON_SESSION_CHARS') },
    })
  })

  it('ends the kernel that was used longest ago when there are too many, and says so', async () => {
    const bench = sessionBench(sandboxd)
    for (const id of ['a', 'b', 'c', 'd']) expect(await of(bench, id, `x = "${id}"`)).toEqual(text(''))
    await of(bench, 'a', 'x')
    const { pid } = JSON.parse(
      String(await resultOf(of(bench, 'b', 'import os, json\nprint(json.dumps({"pid": os.getpid()}))'))),
    )
    for (const id of ['c', 'd', 'a']) await of(bench, id, 'x')
    expect(await of(bench, 'e', '1')).toEqual({
      ...text('1'),
      notes: [expect.stringMatching(/^the kernel session b was ended .*MAX_IPYTHON_KERNELS/)],
    })
    expect(await of(bench, 'e', `import os\nos.path.exists("/proc/${pid}")`)).toEqual(text('False'))
    expect(await of(bench, 'a', 'x')).toEqual(text("'a'"))
    expect((await of(bench, 'b', 'x')).error).toMatch(/NameError/)
  })

  it('refuses one more while all of them run code', async () => {
    const bench = sessionBench(sandboxd)
    const holding = ['a', 'b', 'c', 'd'].map((id) =>
      of(
        bench,
        id,
        `import os, time\nopen("${id}.began", "w").close()\nwhile not os.path.exists("go"): time.sleep(0.05)`,
        {
          timeout: 600,
        },
      ),
    )
    await run(
      bench,
      'import os, time\nwhile not all(os.path.exists(f"{one}.began") for one in "abcd"): time.sleep(0.05)',
    )
    expect(await bench.call('ipython_session_run', { command: '1', session_id: 'e' })).toMatchObject({
      kind: 'failed',
      failure: { code: 'invalid_input', message: expect.stringContaining('MAX_IPYTHON_KERNELS') },
    })
    await run(bench, 'open("go", "w").close()')
    expect(await Promise.all(holding)).toEqual([text(''), text(''), text(''), text('')])
  })

  it('stops what takes too long, in the words of Lagent', { retry: WHEN_IT_STOOD_STILL }, async () => {
    const bench = sessionBench(sandboxd)
    expect(await of(bench, 's', 'import time\ntime.sleep(100)', { timeout: 1 })).toEqual({
      error: 'The code interpreter encountered a timeout error.',
    })
  })
})

describe('ipython_interactive_run', () => {
  const show = async (bench: SessionBench, command: string, more: object = {}) =>
    dataOf(await bench.call('ipython_interactive_run', { command, ...more }))

  it('answers with the value as str() has it, or else with the last line that was printed', async () => {
    const bench = sessionBench(sandboxd)
    expect(await show(bench, "x = 's'\nx")).toEqual(text('s'))
    expect(await show(bench, 'print("a")\nx * 2')).toEqual(text('ss'))
    expect(await show(bench, 'print("a")\nprint(" b ")')).toEqual(text('b'))
    expect(await show(bench, 'x = 5')).toEqual(text(''))
    expect(await show(bench, '```python\n"y" * 10_000\n```')).toEqual(text('y'.repeat(8_192)))
    await run(bench, 'x = "another"')
    expect(await show(bench, 'x')).toEqual(text('5'))
  })

  it('takes a line with Error or Traceback for a failure, unless there is a value', async () => {
    const bench = sessionBench(sandboxd)
    expect(await show(bench, 'print("a")\nprint("an Error: b")\nprint("c")')).toEqual({ error: 'an Error: b\nc' })
    expect(await show(bench, 'print("an Error: b")\n5')).toEqual(text('5'))
    const { error } = await show(bench, 'print("a")\n1/0')
    expect(error).toMatch(/^ZeroDivisionError +Traceback[\s\S]*ZeroDivisionError: division by zero$/)
    expect(await show(bench, 'raise KeyboardInterrupt')).toEqual({
      error: expect.stringContaining('KeyboardInterrupt'),
    })
    const noText = 'class Bad:\n    def __str__(self): raise ValueError("x")\nBad()'
    expect(await show(bench, noText)).toEqual({ error: 'ValueError: the value of the last expression has no text' })
    expect(await show(bench, '1')).toEqual(text('1'))
  })

  it('stops what takes too long, its text included, and keeps the variables', {
    retry: WHEN_IT_STOOD_STILL,
  }, async () => {
    const bench = sessionBench(sandboxd)
    const stopped = { error: 'The code interpreter encountered a timeout error.' }
    expect(await show(bench, 'import time\nx = 5\ntime.sleep(100)', { timeout: 1 })).toEqual(stopped)
    const slow = 'class Slow:\n    def __repr__(self): return ""\n    def __str__(self): time.sleep(100)\nSlow()'
    expect(await show(bench, slow, { timeout: 1 })).toEqual(stopped)
    expect(await show(bench, 'x')).toEqual(text('5'))
  })
})
