import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_CODE_ANSWER_CHARS, MAX_CODE_CALLS } from '../../../src/core/limits/code-mode.ts'
import { outermost } from '../../../src/registry/chain/budget.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { BENCH_ENV, dataOf, type SessionBench, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

/** Runs code. @returns what it printed, and its other fields */
const run = async (bench: SessionBench, code: string, more: Record<string, unknown> = {}) =>
  dataOf(await bench.call('code_run_tools', { code, ...more }))

describe('Python that calls tools', () => {
  it('gets the fields of each result, and only what it prints is returned', async () => {
    const bench = sessionBench(sandboxd)
    await bench.write('rows.txt', 'one\ntwo\nthree\n')
    const ran = await run(
      bench,
      `text = tools.file_read(file_path='rows.txt')['content']
tools.file_write(file_path='sum.txt', content=str(len(text.split())))
print(text.split()[1])`,
    )
    expect(ran).toMatchObject({ exit_code: 0, stdout: 'two\n', stderr: '' })
    expect(ran.tool_calls).toEqual({
      calls: 2,
      tools: { file_read: { calls: 1, failed: 0 }, file_write: { calls: 1, failed: 0 } },
    })
    expect(await bench.text('sum.txt')).toBe('3')
  })

  it('may import what is there without it, in its own modules too', async () => {
    const bench = sessionBench(sandboxd)
    // No module: it has no Python.
    await bench.write('code_run/tools/notes.txt', 'x')
    await bench.write(
      'code_run/helper.py',
      "from tools import file_read\n\ndef first(name): return file_read(file_path=name)['content'][0]",
    )
    const ran = await run(
      bench,
      `import tools, helper
from tools import ToolError, file_read as read, file_write, tools as again
file_write(file_path='a.txt', content='bees')
print(tools.file_read(file_path='a.txt')['content'], again['file_read'](file_path='a.txt')['content'], helper.first('a.txt'))
try:
    read(file_path='none.txt')
except tools.ToolError as error:
    print(isinstance(error, ToolError), error.code)`,
    )
    expect(ran).toMatchObject({ stdout: 'bees bees b\nTrue not_found\n', stderr: '' })
  })

  it("imports the task's own module of that name where there is one, and has the tools beside it", async () => {
    const bench = sessionBench(sandboxd)
    const named = `print(tools.file_info(file_path='.')['kind'])`
    await bench.write('code_run/tools/double.py', 'def double(n): return 2 * n')
    expect(await run(bench, `from tools.double import double\nprint(double(2))`)).toMatchObject({ stdout: '4\n' })
    await bench.write('code_run/tools.py', 'def triple(n): return 3 * n')
    const ran = await run(bench, `from tools import triple\nprint(triple(2))\n${named}`)
    expect(ran).toMatchObject({ stdout: '6\ndirectory\n', stderr: '' })
  })

  it('calls side by side from threads, commands of the sandbox too, and gets each its own result', async () => {
    const bench = sessionBench(sandboxd)
    const ran = await run(
      bench,
      `from concurrent.futures import ThreadPoolExecutor
def one(n):
    return tools.execute_shell(command='echo %d' % n)['stdout'].strip()
with ThreadPoolExecutor(20) as pool:
    print(list(pool.map(one, range(30))))`,
    )
    expect(ran.stdout).toBe(`[${Array.from({ length: 30 }, (_, n) => `'${n}'`).join(', ')}]\n`)
  })

  it('sees in its calls what it wrote itself just before', async () => {
    const bench = sessionBench(sandboxd)
    const ran = await run(
      bench,
      `seen = []
for n in range(20):
    with open('own.txt', 'w') as file:
        file.write(str(n))
    seen.append(tools.file_read(file_path='code_run/own.txt')['content'] == str(n))
    seen.append(tools.file_read(file_path='code_run/own.txt')['content'] == str(n))
print(all(seen))`,
    )
    expect(ran).toMatchObject({ stdout: 'True\n', stderr: '' })
  })

  it('raises what a tool could not do, and what is wrong with arguments, where the code may catch it', async () => {
    const bench = sessionBench(sandboxd)
    const ran = await run(
      bench,
      `def why(call):
    try:
        call()
    except ToolError as error:
        print(error.code, '|', error)
why(lambda: tools.file_read(file_path='none.txt'))
why(lambda: tools.file_read(path=1))
why(lambda: tools.no_such_tool())
why(lambda: tools.code_run_tools(code='1'))
why(lambda: tools.registered_call(tool_id='x'))
try:
    tools.file_read('a.txt')
except TypeError as error:
    print(error)
tools['file_read'](file_path='none.txt')`,
    )
    const [missing, wrong, unknown, itself, registered, byName] = String(ran.stdout).split('\n')
    expect(missing).toMatch(/^not_found \| file_read: .*none\.txt/)
    expect(wrong).toMatch(/^invalid_input \| file_read: .*file_path/)
    expect(unknown).toMatch(/^not_found \| no_such_tool: /)
    expect(itself).toMatch(/^invalid_input \| code_run_tools: .*call the tools themselves/)
    expect(registered).toMatch(/^invalid_input \| registered_call: call the registered tool itself/)
    expect(byName).toContain('file_read takes its arguments by name')
    expect(ran.exit_code).toBe(1)
    expect(ran.stderr).toMatch(
      /^Traceback.*\n {2}File "[^"]*code\.py", line 15, in <module>\n.*file_path.*\ntoolyard\.ToolError: file_read: /,
    )
  })

  it('takes large results, and is told what to do about one that is too large', async () => {
    const bench = sessionBench(sandboxd)
    await bench.write('large.txt', 'ä'.repeat(900_000))
    const ran = await run(
      bench,
      `print(len(tools.file_read(file_path='large.txt', max_chars=1000000)['content']))
tools.file_write(file_path='back.txt', content='x' * 900000)
try:
    tools.file_write(file_path='back.txt', content='x' * 1100000)
except ToolError as error:
    print(error)
print(len(open('../back.txt').read()) if __import__('os').path.exists('../back.txt') else 'later')`,
    )
    expect(String(ran.stdout).split('\n')[0]).toBe('900000')
    expect(ran.stdout).toContain('MAX_CODE_CALL_BYTES')
    expect((await bench.text('back.txt'))?.length).toBe(900_000)
    expect(MAX_CODE_ANSWER_CHARS).toBeGreaterThan(900_000)
  })

  it('is refused calls beyond the limit, and a loop of 10,000 that goes on is cut off', async () => {
    const bench = sessionBench(sandboxd)
    const ran = await run(
      bench,
      `why = {}
for n in range(10000):
    try:
        tools.file_info(file_path='.')
    except ToolError as error:
        why[error.code] = why.get(error.code, 0) + 1
print(why)`,
    )
    expect(ran.stdout).toMatch(/^\{'limit_exceeded': 20, 'unavailable': 9480\}/)
    expect(ran.tool_calls).toMatchObject({ calls: MAX_CODE_CALLS + 20 })
  })

  it('may call the tools that the call names, and no other', async () => {
    const bench = sessionBench(sandboxd)
    const code = `tools.dir_list(path='')
tools.file_write(file_path='a.txt', content='x')`
    const ran = await run(bench, code, { tools: ['dir_list'] })
    expect(ran.stderr).toMatch(/file_write is not among them \(forbidden\)/)
    expect(await bench.text('a.txt')).toBeNull()
  })
})

describe('who may call', () => {
  it('is the code alone: no process that it starts, none beside it, and none that outlives it', async () => {
    const bench = sessionBench(sandboxd)
    const ran = await run(
      bench,
      `import os, subprocess, sys
look = "import os; print('TOOLYARD_CALLS' in os.environ, [n for n in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + n) and os.readlink('/proc/self/fd/' + n).startswith('socket')])"
print(subprocess.run([sys.executable, '-c', look], capture_output=True, text=True, close_fds=False).stdout.strip())
print(tools.execute_shell(command='python3 -c "%s"; ls -l /proc/*/fd 2>/dev/null | grep -c socket: >/dev/null; echo' % look)['stdout'].strip())
sys.stdout.flush()
if os.fork() == 0:
    try:
        tools.file_info(file_path='.')
    except ToolError as error:
        print(error.code, flush=True)
    os._exit(0)
os.wait()`,
    )
    expect(ran.stdout).toBe('False []\nFalse []\nunavailable\n')
  })

  it("has the rights of its caller's key, and no more", async () => {
    const bench = sessionBench(sandboxd)
    const restrictions = { tools: ['code_run_tools', 'file_info'], isMetered: false }
    const code = `print('path' in str(tools.file_info(file_path='.')))
tools.file_write(file_path='a.txt', content='x')`
    const by = { key: 'k', agent: null, restrictions }
    const ran = dataOf(await bench.session.call({ tool: 'code_run_tools', args: { code } }, by))
    expect(ran.stdout).toBe('True\n')
    expect(ran.stderr).toMatch(
      /ToolError: file_write: this key may call the tools code_run_tools, file_info alone.* \(forbidden\)/,
    )
    expect(await bench.text('a.txt')).toBeNull()
    const narrow = { ...by, restrictions: { tools: ['file_info'], isMetered: false } }
    expect(await bench.session.call({ tool: 'code_run_tools', args: { code } }, narrow)).toMatchObject({
      kind: 'refused',
      failure: { code: 'forbidden' },
    })
  })

  it('is no code within code, also through what lies between', async () => {
    const bench = sessionBench(sandboxd)
    const { around, budget } = outermost()
    const nesting = { around: [...around, 'code_run_tools', 'a.chain'], budget }
    const outer = { callId: 'outer', signal: new AbortController().signal, nesting }
    const call = { tool: 'code_run_tools', args: { code: 'print(1)' } }
    expect(await bench.session.call(call, { key: null, agent: null }, outer)).toMatchObject({
      kind: 'failed',
      failure: { code: 'invalid_input', message: expect.stringContaining('nor by a chain in it') },
    })
  })

  it('shows those who follow it what it prints, and not what its calls print', async () => {
    const bench = sessionBench(sandboxd)
    const call = await bench.begin('code_run_tools', {
      code: `print('mine', len(tools.execute_shell(command='seq 1000 1200; sleep 1')['stdout']))`,
    })
    await call.ended
    expect(await call.printed('stdout')).toBe('mine 1005\n')
  })

  it('is in the history: each call under the one whose code made it', async () => {
    const bench = sessionBench(sandboxd)
    const outcome = await bench.call('code_run_tools', {
      code: `tools.file_write(file_path='a.txt', content='x')
tools.execute_shell(command='true')`,
    })
    const { calls } = bench.session.calls.page({ limit: 10 })
    expect(calls.map(({ tool, parent }) => [tool, parent]).sort()).toEqual([
      ['code_run_tools', undefined],
      ['execute_shell', outcome.callId],
      ['file_write', outcome.callId],
    ])
  })

  it('ends at the deadline: calls under way are stopped, and no later one is made', async () => {
    const bench = sessionBench(sandboxd)
    const outcome = await bench.call('code_run_tools', {
      code: `import threading
threading.Thread(target=lambda: tools.execute_shell(command='sleep 60; touch late.txt')).start()
while True: tools.file_info(file_path='.')`,
      timeout: 3,
    })
    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'timeout' } })
    await expect.poll(() => bench.session.running).toEqual([])
  })

  it('ends when the call is cancelled', async () => {
    const bench = sessionBench(sandboxd)
    const going = bench.call('code_run_tools', {
      code: `tools.file_write(file_path='begun.txt', content='x')
tools.execute_shell(command='sleep 600')`,
    })
    await expect.poll(() => bench.text('begun.txt')).toBe('x')
    await Promise.all(bench.session.running.map((id) => bench.session.calls.cancel(id)))
    expect(await going).toMatchObject({ kind: 'failed' })
    await expect.poll(() => bench.session.running).toEqual([])
  })
})

describe('an end in the middle', () => {
  it('of the sandbox ends the call, and what its calls did stays', async () => {
    const bench = sessionBench(sandboxd)
    const going = bench.call('code_run_tools', {
      code: `tools.file_write(file_path='begun.txt', content='x')
tools.execute_shell(command='sleep 600')`,
    })
    await expect.poll(() => bench.text('begun.txt')).toBe('x')
    await bench.host.crash()
    expect(await going).toMatchObject({ kind: 'failed', failure: { code: 'upstream' } })
    await expect.poll(() => bench.session.running).toEqual([])
    expect(await run(bench, `print(tools.file_read(file_path='begun.txt')['content'])`)).toMatchObject({
      stdout: 'x\n',
    })
  })

  it('of what passes its calls on is an error for the code, and the next run has calls again', async () => {
    const bench = sessionBench(sandboxd)
    const outcome = await bench.call('code_run_tools', {
      code: `import subprocess
tools.file_write(file_path='begun.txt', content='x')
subprocess.run(['pkill', '-9', '-x', 'toolyard'])
try:
    tools.file_info(file_path='begun.txt')
except ToolError as error:
    open('why.txt', 'w').write(error.code)`,
      timeout: 60,
    })
    expect(outcome.kind).toMatch(/done|failed/)
    await expect.poll(() => bench.session.running).toEqual([])
    expect(await run(bench, `print(tools.file_read(file_path='begun.txt')['content'])`)).toMatchObject({
      stdout: 'x\n',
    })
  })
})

describe('TypeScript that calls tools', () => {
  it('awaits them, also side by side, and catches what they could not do', async () => {
    const bench = sessionBench(sandboxd)
    const ran = await run(
      bench,
      `const write = (n: number): Promise<unknown> => tools.file_write({ file_path: \`n\${n}.txt\`, content: String(n) })
await Promise.all(Array.from({ length: 20 }, (_, n) => write(n)))
const { content } = await tools.file_read({ file_path: 'n7.txt' })
console.log(content)
try {
  await tools['file_read']({ file_path: 'none.txt' })
} catch (error) {
  console.log(error instanceof ToolError, (error as { code: string }).code)
}
await tools.call('file_info', { file_path: '.' })`,
      { language: 'typescript' },
    )
    expect(ran).toMatchObject({ exit_code: 0, stdout: '7\ntrue not_found\n', stderr: '' })
    expect(ran.tool_calls).toMatchObject({ calls: 23 })
  })

  it('may import what is there without it, by any name that a tool has', async () => {
    const bench = sessionBench(sandboxd)
    const ran = await run(
      bench,
      `import again, { ToolError, type Any, file_read as read, file_write, 'no.such' as none } from 'tools'
import * as tools from "tools"
import { tools as third } from 'tools'
await file_write({ file_path: 'a.txt', content: 'bees' })
for (const from of [tools, again, third]) console.log((await from.file_read({ file_path: 'a.txt' })).content)
console.log((await read({ file_path: 'a.txt' })).content, (await import('tools')).file_read === tools['file_read'])
for (const call of [none, tools['weather.now']]) {
  try {
    await call({})
  } catch (error) {
    console.log(error instanceof ToolError, error.tool, error.code)
  }
}`,
      { language: 'typescript' },
    )
    expect(ran).toMatchObject({
      stdout: 'bees\nbees\nbees\nbees true\ntrue no.such not_found\ntrue weather.now not_found\n',
      stderr: '',
    })
  })

  it('ends by itself when its code does, and shows where an error came from', async () => {
    const bench = sessionBench(sandboxd)
    const ran = await run(bench, `await tools.file_read({ file_path: 'none.txt' })`, { language: 'typescript' })
    expect(ran.exit_code).toBe(1)
    expect(ran.stderr).toContain('ToolError: file_read: ')
  })
})

describe('a sandbox without what runs the code', () => {
  it('says what is missing, and what to do', async () => {
    // Commands find no program but these two.
    const bench = sessionBench(sandboxd, { env: { ...BENCH_ENV, PATH: '/tmp/programs' } })
    await bench.sh('/bin/mkdir /tmp/programs && /bin/ln -s /bin/mktemp /bin/rm /tmp/programs')
    const python = { code: `print(tools.file_info(file_path='.')['kind'])` }
    const typescript = { code: `console.log((await tools.file_info({ file_path: '.' })).kind)`, language: 'typescript' }
    const lacking = (message: RegExp) => ({
      kind: 'failed',
      failure: { code: 'upstream', message: expect.stringMatching(message) },
    })
    expect(await bench.call('code_run_tools', typescript)).toMatchObject(
      lacking(/no node .*22\.6.*write the code in Python, or .* link it as code_env\/bin\/node/),
    )
    expect(dataOf(await bench.call('code_run_tools', python)).stdout).toBe('directory\n')

    await bench.sh('/bin/ln -s /opt/node/bin/node code_env/bin/node && /bin/rm code_env/bin/python*')
    expect(dataOf(await bench.call('code_run_tools', typescript)).stdout).toBe('directory\n')
    expect(await bench.call('code_run_tools', python)).toMatchObject(lacking(/no python3.*call the tools themselves/))
  })
})
