import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MAX_PROGRAM_ARGUMENTS } from '../../../../src/core/limits/command-input.ts'
import { MAX_COMMAND_SECONDS } from '../../../../src/core/limits/sandbox.ts'
import { ROOT, workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

const bench = () => toolbench(catalog)

describe('execute_code', () => {
  it('runs a script in code_run/ and keeps what it writes', async () => {
    const { call, put, content } = bench()
    await put(
      'code_run/hello.py',
      'import os, sys\nprint(sys.argv, os.getcwd())\nprint("oops", file=sys.stderr)\nopen("out.txt", "w").write("kept")\n',
    )
    const { data, text } = await call('execute_code', { file_path: 'code_run/hello.py' })
    expect(data).toEqual({
      exit_code: 0,
      stdout: "['/home/user/workspace/code_run/hello.py'] /home/user/workspace/code_run\n",
      stderr: 'oops\n',
      executed_file: 'code_run/hello.py',
    })
    expect(text).toMatch(/code_run\nstderr:\noops\nexit code 0$/)
    expect(await content('code_run/out.txt')).toBe('kept')
  })

  it('takes an exit code other than 0 for a result', async () => {
    const { data, put } = bench()
    await put('a.py', 'raise SystemExit(3)')
    expect(await data('execute_code', { file_path: '/a.py' })).toMatchObject({ exit_code: 3, executed_file: '/a.py' })
    await put('notes.txt', 'this is no Python')
    const run = await data('execute_code', { file_path: 'notes.txt' })
    expect(run.exit_code).toBe(1)
    expect(run.stderr).toMatch(/SyntaxError/)
  })

  it('runs code without a file, with short tracebacks that show its lines, and leaves no file behind', async () => {
    const { data, put, workspace } = bench()
    const listed = () => workspace.list(ROOT, { recursive: true }).entries.map(({ path }) => path)
    await put('code_run/helper.py', 'def half(n):\n    return n / 2\n')
    const code = `import helper, os, sys\nprint(helper.half(9), os.getcwd(), 'it\\'s "quoted" $HOME é')\n\ndef f():\n    return 1 / 0\nf()`
    const before = listed()
    const run = await data('execute_code', { code })
    expect(run).toMatchObject({ exit_code: 1, stdout: '4.5 /home/user/workspace/code_run it\'s "quoted" $HOME é\n' })
    expect(run.stderr).toMatch(/File "\/tmp\/\w{6}\/code\.py", line 6, in <module>\n {4}f\(\)/)
    expect(run.stderr).toMatch(/File "\/tmp\/\w{6}\/code\.py", line 5, in f\n {4}return 1 \/ 0/)
    expect(run).not.toHaveProperty('executed_file')
    expect(listed().filter((path) => !path.includes('__pycache__'))).toEqual(before)
    const place = /\/tmp\/\w{6}/.exec(String(run.stderr))?.[0] ?? ''
    expect(existsSync(place)).toBe(false)
  })

  it('takes exactly one of a file and code', async () => {
    const { data, failure, put } = bench()
    await put('a.py', 'print("a")')
    expect(await failure('execute_code', { file_path: 'a.py', code: 'print(1)' })).toEqual({
      code: 'invalid_input',
      message: 'code and file_path are both given; give one of them',
    })
    expect((await failure('execute_code', {})).message).toBe(
      'missing required parameter: file_path, or code to run a text',
    )
    expect((await failure('execute_code', { code: ' \n' })).message).toBe('code is empty; give the Python to run')
    expect((await failure('execute_code', { code: 'a\0' })).message).toMatch(/NUL/)
    expect(await data('execute_code', { file_path: 'a.py', code: '' })).toMatchObject({ stdout: 'a\n' })
    expect(await data('execute_code', { file_path: '', code: 'print(2)' })).toMatchObject({ stdout: '2\n' })
  })

  it('gives the script an empty standard input', async () => {
    const { data, put } = bench()
    await put('a.py', 'import sys; print(repr(sys.stdin.read()))')
    expect(await data('execute_code', { file_path: 'a.py' })).toMatchObject({ stdout: "''\n" })
  })

  it("runs the virtual environment's own Python when there is one", async () => {
    const { data, put } = bench()
    await put('code_run/which.py', 'import sys; print(sys.prefix)')
    await data('execute_shell', { command: 'python3 -m venv --without-pip code_env', workdir: '.' })
    expect(await data('execute_code', { file_path: 'code_run/which.py' })).toMatchObject({
      stdout: '/home/user/workspace/code_env\n',
    })
  })

  it('stops at the timeout and returns what was printed', async () => {
    const { failure, put } = bench()
    await put('loop.py', 'import time\nprint("so far", flush=True)\ntime.sleep(60)')
    expect(await failure('execute_code', { file_path: 'loop.py', timeout: '3' })).toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/^Execution timeout after 3 seconds/),
      data: { stdout: 'so far\n', exit_code: -1, executed_file: 'loop.py' },
    })
  })

  it('gives 300 seconds, and cuts what is beyond the limit', async () => {
    const { data, put, runner, failure } = bench()
    await put('a.py', '')
    expect(await data('execute_code', { file_path: 'a.py' })).not.toHaveProperty('notes')
    const cut = await data('execute_code', { file_path: 'a.py', timeout: 100_000 })
    expect(cut.notes).toEqual([`timeout was cut to ${MAX_COMMAND_SECONDS} seconds, the longest that is granted`])
    expect(runner.commands.map(({ timeoutMs }) => timeoutMs)).toEqual([300_000, MAX_COMMAND_SECONDS * 1000])
    expect((await failure('execute_code', { file_path: 'a.py', timeout: 0 })).message).toBe(
      'timeout: must be at least 1 second',
    )
  })

  it('names the unit of a timeout that is rather one in milliseconds', async () => {
    const { data, put } = bench()
    await put('a.py', '')
    const notes = async (timeout: number) => (await data('execute_code', { file_path: 'a.py', timeout })).notes
    expect(await notes(30_000)).toEqual(['timeout is in seconds: 30000 are 8.3 hours'])
    expect(await notes(3_600)).toBeUndefined()
    expect((await data('execute_shell', { command: 'true', timeout: 5_000 })).notes).toEqual([
      'timeout is in seconds: 5000 are 1.4 hours',
    ])
  })

  it('says what was cut, what collided and that the sandbox is a new one', async () => {
    const { data, put, runner } = bench()
    await put('big.py', 'print("x" * 200000)')
    runner.next = {
      conflicts: [workspacePath('a.txt')],
      notes: ['big.bin stays in the sandbox'],
      generation: 2,
      restored: { files: 3, packages: ['requests'], failed: [] },
    }
    const run = await data('execute_code', { file_path: 'big.py', max_chars: 1_000_000 })
    expect(run).toMatchObject({
      truncated: true,
      full_output: { stdout: 'logs/execute_code.stdout.txt' },
      conflicts: ['a.txt'],
      notes: ['big.bin stays in the sandbox'],
      generation: 2,
      restored: { files: 3, packages: ['requests'], failed: [] },
    })
    expect(String(run.stdout).length).toBeLessThan(70_000)
  })

  it('takes the name of a script for a name, whatever is in it', async () => {
    const { data, put } = bench()
    const name = `it's; touch "owned" $(touch owned) \`touch owned\` -c.py`
    await put(`code_run/${name}`, 'print("ran")')
    expect(await data('execute_code', { file_path: `code_run/${name}` })).toMatchObject({ stdout: 'ran\n' })
    expect(await data('dir_list', { dir_path: 'code_run' })).toMatchObject({ tree: { children: [{ name }] } })
  })

  it('starts nothing for a script that is not there, or not in the task', async () => {
    const { failure, put, runner } = bench()
    expect((await failure('execute_code', { file_path: 'none.py' })).message).toMatch(/^File not found: none\.py/)
    await put('code_run/run.py', '')
    expect((await failure('execute_code', { file_path: 'run.py' })).message).toBe(
      'File not found: run.py; did you mean code_run/run.py?',
    )
    expect((await failure('execute_code', { file_path: 'copy(1).py' })).message).toMatch(/^File not found: copy\(1\)/)
    for (const file_path of ['print(sum([1, 2]))', 'x = 1\nprint(x)'])
      expect((await failure('execute_code', { file_path })).message).toBe(
        'file_path is Python and no path; give Python as code',
      )
    expect((await failure('execute_code', { file_path: '../x.py' })).code).toBe('invalid_input')
    expect((await failure('execute_code', { file_path: '' })).message).toBe('file_path is required')
    expect(runner.commands).toEqual([])
  })

  it('gives a program its arguments, input, environment and directory', async () => {
    const { data, put } = bench()
    await put('upload/who.py', SHOW)
    const more = { args: ["it's", '-n', '$HOME'], env: { MODE: 'm' }, stdin: 'line\n', workdir: 'upload' }
    const stdout = `["it's", '-n', '$HOME'] m line upload\n`
    expect(await data('execute_code', { file_path: 'upload/who.py', ...more })).toMatchObject({ stdout })
    const run = await data('execute_code', { code: SHOW, ...more })
    expect(run).toMatchObject({ stdout })
    expect(run).not.toHaveProperty('command')
  })

  it('refuses more arguments than a program is given', async () => {
    const { failure } = bench()
    const args = Array.from({ length: MAX_PROGRAM_ARGUMENTS + 1 }, String)
    expect((await failure('execute_code', { code: '1', args })).message).toMatch(/MAX_PROGRAM_ARGUMENTS/)
  })
})

const SHOW = 'import os, sys\nprint(sys.argv[1:], os.environ["MODE"], input(), os.path.basename(os.getcwd()))\n'
