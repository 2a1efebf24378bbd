import { type Context, Sandbox } from '@e2b/code-interpreter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Daemon, startDaemon } from './support/daemon.ts'

let daemon: Daemon
let sandbox: Sandbox
beforeAll(async () => {
  daemon = await startDaemon()
  sandbox = await Sandbox.create(daemon.sdk)
})
afterAll(() => daemon.stop())

const resultsOf = async (code: string, context?: Context) => {
  const { results, error } = await sandbox.runCode(code, context && { context })
  expect(error).toBeUndefined()
  return results
}

describe('what an object shows of itself', () => {
  it('comes under the names of the SDK', async () => {
    const shows = { markdown: 'markdown', svg: 'svg', latex: 'latex', javascript: 'javascript', html: 'html' }
    const methods = Object.keys(shows).map((name) => `  def _repr_${name}_(self): return '${name}'`)
    const [result] = await resultsOf(
      `class Rich:\n${methods.join('\n')}
  def __repr__(self): return 'text'
  def _repr_png_(self): return b'\\x89PNG'
  def _repr_jpeg_(self): return b'\\xff\\xd8'
  def _repr_pdf_(self): return b'%PDF'
  def _repr_json_(self): return {'a': [1, None, 'x']}
Rich()`,
    )
    expect(result).toMatchObject({
      ...shows,
      text: 'text',
      png: 'iVBORw==',
      jpeg: '/9g=',
      pdf: 'JVBERg==',
      json: { a: [1, null, 'x'] },
      isMainResult: true,
    })
  })

  it('is not lost for what JSON lacks', async () => {
    const code = 'display({"application/json": {"x": [float("nan"), -float("inf"), 1e300], (1, 2): {3}}}, raw=True)'
    expect(await resultsOf(code)).toMatchObject([{ json: { x: [null, null, 1e300], '(1, 2)': '{3}' } }])
  })

  it('is told of when it is too large, beside what is not', async () => {
    const [result] = await resultsOf(
      'class P:\n  def _repr_png_(self): return b"x" * 20_000_000\n  __repr__ = lambda _: "P"\nP()',
    )
    expect(result?.png).toBeUndefined()
    expect(result?.text).toMatch(/^P\n\[image\/png left out: 26666668 bytes/)
  })
})

/** pandas is what `node scripts/setup.mjs --tests` installs. */
describe('a DataFrame', () => {
  const FRAME = `import pandas as pd
frame = pd.DataFrame({
  'n': [1, 2], 'x': [1.5, None], 'day': pd.to_datetime(['2024-01-01', None]), 'word': ['a', None]})
`
  const data = { n: [1, 2], x: [1.5, null], day: ['2024-01-01T00:00:00', null], word: ['a', null] }

  it('comes as text, as HTML and as columns', async () => {
    const [main] = await resultsOf(`${FRAME}frame`)
    expect(main).toMatchObject({ isMainResult: true, data })
    expect(main?.text).toMatch(/^ {3}n {4}x {8}day {2}word\n0 {2}1 {2}1\.5 2024-01-01 {5}a\n/)
    expect(main?.html).toContain('<th>word</th>')
    expect(await resultsOf(`${FRAME}display(frame.head(1))`)).toMatchObject([{ isMainResult: false, data: { n: [1] } }])
  })

  it('has columns whatever their names are', async () => {
    const [result] = await resultsOf('import pandas as pd\npd.DataFrame([[1, 2, 3]], columns=[("a", 1), 5, "c"])')
    expect(result?.data).toEqual({ "('a', 1)": [1], '5': [2], c: [3] })
  })

  it('that is large has none, and is shown abridged', async () => {
    const [result] = await resultsOf('import pandas as pd\npd.DataFrame({"n": range(2_000_000)})')
    expect(result?.data).toBeUndefined()
    expect(result?.text).toMatch(/\[2000000 rows x 1 columns\]$/)
  })

  it('comes the same without IPython', async () => {
    const hidden = '"$(python3 -m site --user-site)"'
    await sandbox.commands.run(`mkdir -p ${hidden} && echo "raise ImportError" > ${hidden}/IPython.py`)
    const plain = await sandbox.createCodeContext()
    expect((await sandbox.runCode('get_ipython', { context: plain })).error?.name).toBe('NameError')
    const [result] = await resultsOf(`${FRAME}frame`, plain)
    expect(result).toMatchObject({ data, html: expect.stringContaining('<th>word</th>') })
    await sandbox.commands.run(`rm ${hidden}/IPython.py`)
  })
})

/** Code that makes matplotlib's list of fonts, and has its five seconds of waiting over at once. */
const LONG_LIST_OF_FONTS = `
import logging, threading
class Over(threading.Timer):
    def start(self):
        self.function()
with_patience, threading.Timer = threading.Timer, Over
from matplotlib import font_manager
font_manager.FontManager()
threading.Timer = with_patience
logging.getLogger('matplotlib.font_manager').warning('a font is missing')
`

describe('matplotlib', () => {
  it('shows a figure that is drawn, and one that is the last value, as png', async () => {
    const [drawn] = await resultsOf('import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.show()')
    const [last] = await resultsOf('figure, axes = plt.subplots()\nplt.close()\naxes.bar(["a", "b"], [1, 2])\nfigure')
    for (const result of [drawn, last]) {
      expect(result?.text).toBe('<Figure size 640x480 with 1 Axes>')
      const png = Buffer.from(result?.png ?? '', 'base64')
      expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
      expect(png.readUInt32BE(16)).toBeGreaterThan(300) // its width
    }
    expect([drawn?.isMainResult, last?.isMainResult]).toEqual([false, true])
  })

  it('says nothing of a list of fonts that takes long to make, and warns of what the code can change', async () => {
    const { error, logs } = await sandbox.runCode(LONG_LIST_OF_FONTS)
    expect(error).toBeUndefined()
    expect(logs.stderr.join('')).toBe('a font is missing\n')
  })
})

describe('callbacks', () => {
  it('get each piece when it is there, and an error that stays an answer', async () => {
    const seen: unknown[] = []
    const note = (kind: string, what: unknown) => void seen.push([kind, what])
    const untilSeen = (kind: string) => `while not os.path.exists("${kind}"): time.sleep(0.01)`
    const execution = await sandbox.runCode(
      `import os, sys, time\nprint("out")\n${untilSeen('stdout')}\nprint("err", file=sys.stderr)\n${untilSeen('stderr')}\ndisplay(3)\n1/0`,
      {
        onStdout: async ({ line, error }) => {
          note('stdout', [line, error])
          await sandbox.files.write('stdout', '')
        },
        onStderr: async ({ line, error }) => {
          note('stderr', [line, error])
          await sandbox.files.write('stderr', '')
        },
        onResult: ({ text }) => note('result', text),
        onError: ({ name, value }) => note('error', [name, value]),
      },
    )
    expect(seen).toEqual([
      ['stdout', ['out\n', false]],
      ['stderr', ['err\n', true]],
      ['result', '3'],
      ['error', ['ZeroDivisionError', 'division by zero']],
    ])
    expect(execution).toMatchObject({ error: { name: 'ZeroDivisionError' }, logs: { stdout: ['out\n'] } })
  })
})
