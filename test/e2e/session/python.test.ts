import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Sandbox } from 'e2b'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_PYTHON_MODULES } from '../../../src/core/limits/python.ts'
import { MAX_OUTPUT_BYTES, SANDBOX_IDLE_MS } from '../../../src/core/limits/sandbox.ts'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { Pace } from '../../support/pace.ts'
import { moduleOf, pythonBench } from '../../support/python-bench.ts'
import { SANDBOX_HOST_KEY, type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type SessionBench, sessionBench } from '../../support/session-bench.ts'
import { offlinePip } from '../../support/wheel.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

const COUNTER = `
import os
count = 0
def next():
    global count
    count += 1
    return count
def pid():
    return os.getpid()
`

describe('what a function gives back', () => {
  it('is called with its arguments and the context, and returns JSON', async () => {
    const { call } = pythonBench(sandboxd)
    const source = 'def add(a, b=2, *, context):\n    print("adding")\n    return {"sum": a + b, "who": context["who"]}'
    expect(await call(source, 'add', { args: { a: 1 }, context: { who: 'ä😀' } })).toMatchObject({
      how: 'returned',
      value: { sum: 3, who: 'ä😀' },
      stdout: { text: 'adding\n' },
      warm: false,
    })
  })

  it('may know no context, be async, or be a method of an object that is made once', async () => {
    const { call } = pythonBench(sandboxd)
    const source = `
import asyncio
def plain(a): return a
async def waits(a):
    await asyncio.sleep(0)
    return a
class Kit:
    def __init__(self): self.seen = []
    def note(self, what):
        self.seen.append(what)
        return self.seen
`
    expect(await call(source, 'plain', { args: { a: [1, null] } })).toMatchObject({ value: [1, null] })
    expect(await call(source, 'waits', { args: { a: 5 } })).toMatchObject({ value: 5, warm: true })
    await call(source, 'Kit.note', { args: { what: 'x' } })
    expect(await call(source, 'Kit.note', { args: { what: 'y' } })).toMatchObject({ value: ['x', 'y'] })
  })

  it('is text when it is no JSON', async () => {
    const { call } = pythonBench(sandboxd)
    const source = `
def nan(): return {'a': float('nan')}
def raw(): return b'x'
def circle():
    a = []
    a.append(a)
    return a
def half(): return '\\ud800'
`
    expect(await call(source, 'nan')).toMatchObject({ how: 'returnedText', text: "{'a': nan}", type: 'dict' })
    expect(await call(source, 'raw')).toMatchObject({ how: 'returnedText', text: "b'x'", type: 'bytes' })
    expect(await call(source, 'circle')).toMatchObject({ how: 'returnedText', text: '[[...]]' })
    expect(await call(source, 'half')).toMatchObject({ how: 'raised', type: 'ValueError' })
  })

  it('has limits, which leave the process as it is', async () => {
    const { call, outcome } = pythonBench(sandboxd)
    const source = `${COUNTER}
def large(): return 'x' * 10_000_000
def deep():
    value = []
    for _ in range(500): value = [value]
    return value
`
    await call(source, 'next')
    expect(await call(source, 'large')).toMatchObject({ how: 'tooLarge' })
    expect(await outcome(source, 'deep')).toMatchObject({
      failure: { message: expect.stringContaining('MAX_JSON_DEPTH') },
    })
    expect(await call(source, 'next')).toMatchObject({ value: 2, warm: true })
    const args = { text: 'x'.repeat(9_000_000) }
    expect(await outcome(source, 'next', { args })).toMatchObject({
      failure: { code: 'limit_exceeded', message: expect.stringContaining('MAX_PYTHON_ARGUMENT_CHARS') },
    })
  })
})

describe('what goes wrong in a module', () => {
  it('is an exception, with the lines of the module alone', async () => {
    const { call } = pythonBench(sandboxd)
    const source =
      'import json\ndef outer(text):\n    return inner(text)\ndef inner(text):\n    return json.loads(text)\n'
    expect(await call(source, 'outer', { args: { text: '{' } })).toMatchObject({
      how: 'raised',
      type: 'JSONDecodeError',
      message: expect.stringContaining('line 1 column 2'),
      traceback: `  File "tool.py", line 3, in outer
    return inner(text)
  File "tool.py", line 5, in inner
    return json.loads(text)
JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)`,
    })
  })

  it('is an exception even when it never ends by itself, leaves the interpreter, or cannot be told', async () => {
    const { call } = pythonBench(sandboxd)
    const source = `
import sys
def deep(n=0): return deep(n + 1)
def leave(): sys.exit(3)
class Odd(Exception):
    def __str__(self): raise RuntimeError('no')
def odd(): raise Odd()
def wrong(a): pass
`
    const deep = await call(source, 'deep')
    expect(deep).toMatchObject({
      how: 'raised',
      type: 'RecursionError',
      traceback: expect.stringContaining('frames left out'),
    })
    expect(await call(source, 'leave')).toMatchObject({ how: 'raised', type: 'SystemExit', message: '3' })
    expect(await call(source, 'odd')).toMatchObject({ how: 'raised', type: 'Odd', message: '' })
    expect(await call(source, 'wrong', { args: { b: 1 } })).toMatchObject({
      how: 'raised',
      type: 'TypeError',
      message: "wrong() got an unexpected keyword argument 'b'",
      warm: true,
    })
  })

  it('says why it cannot be loaded', async () => {
    const { call } = pythonBench(sandboxd)
    expect(await call('import json\nimport nothing_of_this_name\n', 'f')).toMatchObject({
      how: 'unloadable',
      type: 'ModuleNotFoundError',
      missing: 'nothing_of_this_name',
      at: 'tool.py:2',
    })
    expect(await call('def f(:\n  pass\n', 'f')).toMatchObject({
      how: 'unloadable',
      type: 'SyntaxError',
      at: 'tool.py:1',
    })
    expect(await call('def f(): pass\n', 'g')).toMatchObject({
      how: 'unloadable',
      message: "module 'tool' has no attribute 'g'",
    })
    expect(await call('x = 5\n', 'x')).toMatchObject({ how: 'unloadable', message: 'x is no function' })
  })

  it('ends its process and no other', async () => {
    const { call } = pythonBench(sandboxd)
    await call(COUNTER, 'next')
    const source =
      'import os, sys\ndef end():\n    sys.stdout.write("last words")\n    os._exit(7)\ndef fine(): return 1\n'
    expect(await call(source, 'end')).toMatchObject({ how: 'died', exitCode: 7, stdout: { text: 'last words' } })
    expect(await call(source, 'fine')).toMatchObject({ value: 1, warm: false })
    expect(await call(COUNTER, 'next')).toMatchObject({ value: 2, warm: true })
  })

  it('is stopped at its deadline with all that it started, and no other', async () => {
    const { call, bench } = pythonBench(sandboxd)
    await call(COUNTER, 'next')
    const source = `
import subprocess, time
def hang():
    subprocess.Popen(['setsid', 'sleep', '987654'])
    print('so far')
    while True: time.sleep(1)
def fine(): return 1
`
    const beside = sessionBench(sandboxd)
    await beside.sh('true')
    const pace = new Pace(() => beside.sh('true'))
    const began = performance.now()
    const stopped = await pace.answeredAtDeadline(3, () => call(source, 'hang', { timeoutMs: 3_000 }))
    expect(stopped).toMatchObject({ how: 'timedOut', stdout: { text: 'so far\n' } })
    expect(stopped.ms).toBeLessThan(performance.now() - began)
    expect(await bench.host.inside('pgrep -x sleep || true')).toBe('')
    expect(await call(source, 'fine')).toMatchObject({ value: 1, warm: false })
    expect(await call(COUNTER, 'next')).toMatchObject({ value: 2, warm: true })
  })
})

describe('what a module prints', () => {
  it('is cut, and whole in a file, whatever writes it', async () => {
    const { call, bench } = pythonBench(sandboxd)
    const source = `
import os, subprocess, sys
def flood():
    for _ in range(200_000): print('0123456789')
    print('the end', file=sys.stderr)
    subprocess.run(['echo', 'from a program'])
    return 1
`
    const { stdout, stderr, ...flood } = await call(source, 'flood')
    expect(flood).toMatchObject({ how: 'returned', value: 1 })
    expect(stdout.bytes).toBe(200_000 * 11 + 15)
    expect(stdout.text.length).toBeLessThan(MAX_OUTPUT_BYTES + 1_000)
    expect(stdout.text.endsWith('from a program\n')).toBe(true)
    expect(stderr.text).toBe('the end\n')
    expect((await bench.text(stdout.file ?? ''))?.length).toBe(stdout.bytes)
  })

  it('hides what is secret, in pieces too', async () => {
    const { call, bench } = pythonBench(sandboxd)
    const source = `
def tell(context):
    print(context['key'] * 20000)
    for letter in context['key']: print(letter, end='', flush=True)
    return {'key': context['key']}
def fail(context): raise ValueError('with ' + context['key'])
`
    const call1 = { context: { key: 'pa"ss\\word' }, secrets: ['pa"ss\\word', ''] }
    const answer = await call(source, 'tell', call1)
    expect(answer).toMatchObject({ value: { key: '***' } })
    expect(JSON.stringify([answer, await call(source, 'fail', call1)])).not.toMatch(/pa.{1,2}ss/)
    const foreign = { context: { key: 'schlüssel' }, secrets: ['schlüssel'] }
    const printed = `import json\n${source.replace("print(context['key'] * 20000)", 'print(json.dumps(context))')}`
    expect(await call(printed, 'fail', foreign)).toMatchObject({ how: 'raised', message: 'with ***' })
    expect((await call(printed, 'tell', foreign)).stdout.text).toBe('{"key": "***"}\n***')
    expect(answer.stdout.file).toMatch(/^logs/)
    expect(await bench.text(answer.stdout.file ?? '')).toBe(`${'*'.repeat(60_000)}\n***`)
  })
})

describe('the process of a module', () => {
  it('stays, for each module its own', async () => {
    const { call } = pythonBench(sandboxd)
    await call(COUNTER, 'next')
    expect(await call(COUNTER, 'next')).toMatchObject({ value: 2, warm: true })
    expect(await call(`${COUNTER}# another`, 'next')).toMatchObject({ value: 1, warm: false })
  })

  it('is found again when the server was restarted', async () => {
    const { call, bench } = pythonBench(sandboxd)
    await call(COUNTER, 'next')
    bench.evict()
    expect(dataOf(await bench.call('python_call', requestFor('next')))).toMatchObject({ value: 2, warm: true })
  })

  it('is another one when the program that looks after it changed', async () => {
    const { call, bench } = pythonBench(sandboxd)
    await call(COUNTER, 'next')
    bench.sql.all("UPDATE python_process SET version = 'older'")
    bench.evict()
    expect(dataOf(await bench.call('python_call', requestFor('next')))).toMatchObject({ value: 1, warm: false })
  })

  it('is there when its sandbox was paused and woken, as far as pausing keeps processes', async () => {
    const { call, bench } = pythonBench(sandboxd)
    await call(COUNTER, 'next')
    const id = bench.host.created.at(-1) ?? ''
    const connection = {
      apiKey: SANDBOX_HOST_KEY,
      validateApiKey: false,
      apiUrl: sandboxd.url,
      sandboxUrl: sandboxd.url,
    }
    await Sandbox.pause(id, connection)
    bench.clock.ahead += SANDBOX_IDLE_MS
    expect(await call(COUNTER, 'next')).toMatchObject({ how: 'returned', notices: { generation: 1 } })
    expect(bench.host.created).toHaveLength(1)
  })

  it('is started again when it, or what looks after it, was killed', async () => {
    const { call, bench } = pythonBench(sandboxd)
    const { value: pid } = (await call(COUNTER, 'pid')) as unknown as { value: number }
    await bench.host.inside(`kill -9 ${pid}`)
    await expect.poll(() => bench.host.inside(`ls /proc/${pid} 2>/dev/null || true`)).toBe('')
    expect(await call(COUNTER, 'next')).toMatchObject({ value: 1, warm: false })
    await bench.host.inside('pkill -9 -x python3')
    // A call that comes before its end is heard of is told to call again.
    const next = () => call(COUNTER, 'next').catch(({ message }: Error) => ({ message }))
    await expect.poll(next).toMatchObject({ value: 1, warm: false })
  })

  it('is said to have ended when it is killed while it works', async () => {
    const { call, outcome, bench } = pythonBench(sandboxd)
    const source = 'import os, time\ndef work():\n    open("pid", "w").write(str(os.getpid()))\n    time.sleep(600)\n'
    const working = call(source, 'work')
    await expect.poll(() => bench.host.inside('cat pid 2>/dev/null || true')).not.toBe('')
    await bench.host.inside('kill -9 $(cat pid)')
    expect(await working).toMatchObject({ how: 'died', exitCode: -9 })
    await bench.host.inside('rm pid')
    const again = outcome(source, 'work')
    await expect.poll(() => bench.host.inside('cat pid 2>/dev/null || true')).not.toBe('')
    await bench.host.inside('pkill -9 -x python3')
    expect(await again).toMatchObject({ failure: { code: 'upstream', message: expect.stringContaining('Call again') } })
  })

  it('comes back in a new sandbox', async () => {
    const { call, bench } = pythonBench(sandboxd)
    await call(COUNTER, 'next')
    await bench.host.crash()
    const next = await call(COUNTER, 'next')
    expect(next).toMatchObject({ value: 1, warm: false, notices: { generation: 2 } })
  })

  it('makes room for others, the one that was used longest ago first', async () => {
    const { call } = pythonBench(sandboxd)
    const source = (n: number) => `${COUNTER}# ${n}`
    for (let n = 0; n < MAX_PYTHON_MODULES; n++) await call(source(n), 'next')
    await call(source(0), 'next')
    await call(source(100), 'next')
    expect(await call(source(0), 'next')).toMatchObject({ value: 3 })
    expect(await call(source(1), 'next')).toMatchObject({ value: 1, warm: false })
  })

  it('does one call after another, beside those of other modules', async () => {
    const { call, outcome } = pythonBench(sandboxd)
    const source = `
import time
busy = False
def work():
    global busy
    assert not busy
    busy = True
    time.sleep(0.3)
    busy = False
    return 1
`
    const many = await Promise.all([1, 2, 3].map(() => call(source, 'work')))
    expect(many.map((reply) => ({ ...reply }))).toMatchObject([{ value: 1 }, { value: 1 }, { value: 1 }])
    const sleep = 'import time\ndef f(): time.sleep(600)\n'
    const first = outcome(sleep, 'f', { timeoutMs: 3_000 })
    expect(await outcome(sleep, 'f', { timeoutMs: 500 })).toMatchObject({ failure: { code: 'timeout' } })
    expect(await first).toMatchObject({ result: { data: { how: 'timedOut' } } })
  })

  it('is not asked more than there is room for', async () => {
    const { call, outcome, bench } = pythonBench(sandboxd)
    const source = (n: number) => `
import os, time
def f():
    open('begun-${n}', 'w')
    while not os.path.exists('go'): time.sleep(0.02)
`
    const all = Array.from({ length: MAX_PYTHON_MODULES }, (_, n) => call(source(n), 'f'))
    await expect.poll(() => bench.host.inside('ls | grep -c begun || true')).toBe(`${MAX_PYTHON_MODULES}\n`)
    expect(await outcome(COUNTER, 'next')).toMatchObject({
      failure: { code: 'limit_exceeded', message: expect.stringContaining('MAX_PYTHON_MODULES') },
    })
    await bench.host.inside('touch go')
    expect(await Promise.all(all)).toHaveLength(MAX_PYTHON_MODULES)
    expect(await call(COUNTER, 'next')).toMatchObject({ how: 'returned' })
  })
})

describe("a module and the task's files", () => {
  it('reads and changes them', async () => {
    const { call, bench } = pythonBench(sandboxd)
    const source = 'def up():\n    text = open("in.txt").read()\n    open("out.txt", "w").write(text.upper())\n'
    await bench.write('in.txt', 'one')
    await call(source, 'up')
    expect(await bench.text('out.txt')).toBe('ONE')
    await bench.write('in.txt', 'two')
    await call(source, 'up')
    expect(await bench.text('out.txt')).toBe('TWO')
  })

  it('has what a thread writes later, too', async () => {
    const { call, bench } = pythonBench(sandboxd)
    const source = `
import threading, time
def begin():
    def later():
        time.sleep(0.5)
        open('late.txt', 'w').write('late')
    threading.Thread(target=later).start()
`
    await call(source, 'begin')
    await expect.poll(() => bench.host.inside('cat late.txt || true')).toBe('late')
    expect(dataOf(await bench.call('file_read', { file_path: 'late.txt' }))).toMatchObject({ content: 'late' })
  })

  it('does not import them', async () => {
    const { call, bench } = pythonBench(sandboxd)
    await bench.write('helper.py', 'x = 1')
    expect(await call('import helper\n', 'f')).toMatchObject({ how: 'unloadable', missing: 'helper' })
  })
})

describe('a module of several files', () => {
  it('imports them from each other', async () => {
    const { call } = pythonBench(sandboxd)
    const files = {
      'pkg/__init__.py': 'from .one import ONE\n',
      'pkg/one.py': 'ONE = 1\ndef broken():\n    raise ValueError("x")\n',
      'deep/er/tool.py': 'from pkg import ONE\nfrom pkg.one import broken\ndef f(): return ONE\n',
    }
    const module = { files, main: 'deep.er.tool', requirements: [] }
    expect(await call(module, 'f')).toMatchObject({ value: 1 })
    expect(await call(module, 'broken')).toMatchObject({
      traceback: expect.stringContaining('File "pkg/one.py", line 3'),
    })
  })
})

function requestFor(entry: string) {
  return {
    module: moduleOf(COUNTER),
    ask: { do: 'function', entry, args: {}, context: {} },
    timeoutMs: 20_000,
    secrets: [],
  }
}

describe('what a module requires', () => {
  const wheelAt = async (bench: SessionBench) => {
    const name = 'greet-1.0-py3-none-any.whl'
    const content = readFileSync(join(offlinePip(['greet']).directory, name))
    await bench.workspace.commit([{ op: 'write', path: workspacePath(`upload/${name}`), content }])
  }
  const source = 'import greet\ndef f(): return greet.__name__\n'

  it('is installed once, and comes back in a new sandbox', async () => {
    const { call, bench } = pythonBench(sandboxd)
    await wheelAt(bench)
    const module = moduleOf(source, ['./upload/greet-1.0-py3-none-any.whl'])
    expect(await call(module, 'f')).toMatchObject({ how: 'returned', value: 'greet', warm: false })
    const installs = bench.host.requests.filter(({ script }) => script.includes('pip install')).length
    expect(await call(module, 'f')).toMatchObject({ value: 'greet', warm: true })
    expect(bench.host.requests.filter(({ script }) => script.includes('pip install'))).toHaveLength(installs)
    await bench.host.crash()
    expect(await call(module, 'f')).toMatchObject({ value: 'greet', notices: { generation: 2 } })
  })

  it('is not there for a module that does not require it', async () => {
    const { call, bench } = pythonBench(sandboxd)
    await wheelAt(bench)
    await call(moduleOf(source, ['./upload/greet-1.0-py3-none-any.whl']), 'f')
    expect(await call(source, 'f')).toMatchObject({ how: 'unloadable', missing: 'greet' })
  })

  it('is refused when pip cannot have it, or would take it for an option', async () => {
    const { outcome } = pythonBench(sandboxd)
    expect(await outcome(moduleOf(source, ['nothing-of-this-name']), 'f')).toMatchObject({
      failure: { code: 'upstream', message: expect.stringContaining('nothing-of-this-name could not be installed') },
    })
    expect(await outcome(moduleOf(source, ['--index-url=http://x']), 'f')).toMatchObject({
      failure: { code: 'invalid_input' },
    })
    expect(await outcome(moduleOf(source, ['https://me:secret@example.com/x.whl']), 'f')).toMatchObject({
      failure: { code: 'invalid_input', message: expect.not.stringContaining('secret@') },
    })
  })
})

describe('a module that takes all it can get', () => {
  it('is stopped when it forks without end, and others go on', async () => {
    const { call } = pythonBench(sandboxd)
    await call(COUNTER, 'next')
    const bomb = 'import os\ndef f():\n    while True:\n        try: os.fork()\n        except OSError: pass\n'
    expect(await call(bomb, 'f', { timeoutMs: 1_500 })).toMatchObject({ how: 'timedOut' })
    expect(await call(COUNTER, 'next')).toMatchObject({ value: 2, warm: true })
    expect(await call(`${COUNTER}# new`, 'next')).toMatchObject({ value: 1 })
  })

  it('ends alone when it fills the memory', async () => {
    const { call } = pythonBench(sandboxd)
    await call(COUNTER, 'next')
    const hog = 'def f():\n    held = []\n    while True: held.append(b"x" * 50_000_000)\n'
    const { how } = await call(hog, 'f', { timeoutMs: 30_000 })
    expect(['died', 'raised']).toContain(how)
    expect(await call(COUNTER, 'next')).toMatchObject({ how: 'returned', warm: true, value: 2 })
  })

  it('is stopped when its call is cancelled', async () => {
    const { outcome, call, bench } = pythonBench(sandboxd)
    const source = 'import time\ndef f():\n    open("begun", "w")\n    time.sleep(600)\ndef g(): return 1\n'
    const running = outcome(source, 'f')
    await expect.poll(() => bench.host.inside('ls')).toContain('begun')
    const [entry] = bench.session.calls.page({ limit: 1 }).calls
    await bench.session.calls.cancel(entry?.callId ?? '')
    expect(await running).toMatchObject({ kind: 'failed', failure: { code: 'conflict' } })
    expect(await call(source, 'g')).toMatchObject({ value: 1, warm: false })
  })
})

describe('a call that is followed', () => {
  const SOURCE = `
import os, sys, time
def work(path, *, context):
    print('one')
    print('a secret, hunt' + 'er2, and more', file=sys.stderr, flush=True)
    sys.stdout.flush()
    while not os.path.exists(path): time.sleep(0.05)
    print('two')
    return 3
`
  it('shows what a function prints while it runs, without the secrets, and all of it before its end', async () => {
    const { bench } = pythonBench(sandboxd)
    const module = moduleOf(SOURCE)
    const ask = { do: 'function', entry: 'work', args: { path: 'go' }, context: {} }
    const call = { module, ask, timeoutMs: 60_000, secrets: ['hunter2'] }
    const { printed, ended } = await bench.begin('python_call', call)
    const both = async () => [await printed('stdout'), await printed('stderr')]
    await expect.poll(both).toEqual(['one\n', 'a secret, ***, and more\n'])
    await bench.host.inside('touch go')
    expect(await ended).toMatchObject({ kind: 'done', result: { data: { value: 3, stdout: { text: 'one\ntwo\n' } } } })
    expect(await both()).toEqual(['one\ntwo\n', 'a secret, ***, and more\n'])
  })
})
