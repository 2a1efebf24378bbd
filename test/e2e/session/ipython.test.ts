import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type SessionBench, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

const run = async (bench: SessionBench, command: string, more: object = {}) =>
  dataOf(await bench.call('ipython_run', { command, ...more }))
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
    expect(error).toMatch(/^-{20,}\nZeroDivisionError +Traceback/)
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
