import { describe, expect, it } from 'vitest'
import { MAX_ENV_BYTES, MAX_ENV_VARIABLES, MAX_STDIN_BYTES } from '../../../../src/core/limits/command-input.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { Pace } from '../../../support/pace.ts'
import { toolbench } from '../../../support/toolbench.ts'

const bench = () => toolbench(catalog)

describe('execute_shell', () => {
  it('runs bash in code_run/ and keeps what it writes', async () => {
    const { call, content } = bench()
    const command = 'pwd; [[ a == a ]] && echo 2 > n.txt; echo warn >&2; exit 7'
    const { data, text } = await call('execute_shell', { command })
    expect(data).toEqual({ exit_code: 7, stdout: '/home/user/workspace/code_run\n', stderr: 'warn\n', command })
    expect(text).toBe('/home/user/workspace/code_run\nstderr:\nwarn\nexit code 7')
    expect(await content('code_run/n.txt')).toBe('2\n')
  })

  it.each([
    ['upload/new', '/home/user/workspace/upload/new\n'],
    ['/upload', '/home/user/workspace/upload\n'],
    ['.', '/home/user/workspace\n'],
    [null, '/home/user/workspace/code_run\n'],
  ])('runs in %j, taken from the task root and made if absent', async (workdir, stdout) => {
    const { data } = bench()
    expect(await data('execute_shell', { command: 'pwd', workdir })).toMatchObject({ stdout })
  })

  it('sees files that tools wrote, and no longer those that they deleted', async () => {
    const { data, put } = bench()
    await put('code_run/a.txt', 'A')
    await put('code_run/b.txt', 'B')
    await data('file_delete', { file_path: 'code_run/b.txt' })
    expect(await data('execute_shell', { command: 'cat *' })).toMatchObject({ stdout: 'A' })
  })

  it('stops at the timeout, with all that it started, and returns what was printed', async () => {
    const { failure, data } = bench()
    const pace = new Pace(() => data('execute_shell', { command: 'echo begun' }))
    const command = 'echo begun; sleep 30 & sleep 30'
    const stopped = pace.answeredAtDeadline(3, () => failure('execute_shell', { command, timeout: 3 }))
    expect(await stopped).toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/^Command timeout after 3 seconds/),
      data: { stdout: 'begun\n', command },
    })
  })

  it('shows 16,000 characters of each output, head and tail, and names the file with all of it', async () => {
    const { data } = bench()
    const run = await data('execute_shell', { command: 'seq 20000; seq 5 >&2' })
    expect(String(run.stdout).length).toBeLessThan(16_200)
    expect(run.stdout).toMatch(
      /^1\n2\n[\s\S]*\n\[… \d+ of 108894 bytes left out here; the whole is in logs\/execute_shell.stdout.txt …\]\n[\s\S]*\n20000\n$/,
    )
    expect(run).toMatchObject({
      stderr: '1\n2\n3\n4\n5\n',
      truncated: true,
      full_output: { stdout: 'logs/execute_shell.stdout.txt' },
    })
    const some = await data('execute_shell', { command: 'seq 6000' })
    expect(some).toMatchObject({ truncated: true })
    expect(await data('execute_shell', { command: 'seq 6000', max_chars: 40_000 })).not.toHaveProperty('truncated')
  })

  it('refuses what cannot be run', async () => {
    const { failure, put } = bench()
    await put('file', 'x')
    expect((await failure('execute_shell', { command: '' })).message).toBe('command is required')
    expect((await failure('execute_shell', {})).message).toBe('missing required parameter: command')
    expect((await failure('execute_shell', { command: 'ls\0' })).code).toBe('invalid_input')
    expect((await failure('execute_shell', { command: 'ls', timeout: -1 })).message).toMatch(/^timeout: /)
    expect((await failure('execute_shell', { command: 'ls', workdir: 'file' })).message).toBe('Not a directory: file')
    expect((await failure('execute_shell', { command: 'ls', workdir: '../other' })).code).toBe('invalid_input')
  })
})

describe('the environment and the input of a command', () => {
  it('are those of the call, and of no other', async () => {
    const { data } = bench()
    const command = 'read line; echo "$line, $MODE, $COUNT"; tr a-z A-Z'
    expect(
      await data('execute_shell', { command, env: { MODE: "it's", COUNT: 3 }, stdin: "Ann's\nsecond\nthird" }),
    ).toMatchObject({ stdout: "Ann's, it's, 3\nSECOND\nTHIRD" })
    expect(await data('execute_shell', { command: 'cat; echo "[$MODE]"' })).toMatchObject({ stdout: '[]\n' })
  })

  it('leave the numbers of lines as they are', async () => {
    const { data } = bench()
    const run = await data('execute_shell', { command: 'cat\nno_such_program', env: { A: '1' }, stdin: 'a\nb\n' })
    expect(run).toMatchObject({ stdout: 'a\nb\n', stderr: expect.stringMatching(/line 2: no_such_program/) })
  })

  it('mask what looks like a secret, and nothing else', async () => {
    const { data } = bench()
    const env = { API_KEY: 'correct horse', MODE: 'correct mode', SHORT_TOKEN: 'x' }
    const run = await data('execute_shell', { command: 'echo $API_KEY, $MODE, $SHORT_TOKEN', env })
    expect(run.stdout).toBe('***, correct mode, x\n')
  })

  it('are kept as names alone', () => {
    const env = { API_KEY: 'correct horse', MODE: 'x' }
    expect(catalog.keptArgs({ tool: 'execute_shell', args: { command: 'ls', env } })).toEqual({
      command: 'ls',
      env: { API_KEY: '***', MODE: '***' },
    })
    expect(catalog.keptArgs({ tool: 'execute_code', args: { env: '{"A":"b"}' } })).toEqual({ env: '***' })
  })

  it.each([
    [{ env: { 'A-B': '1' } }, /^env: "A-B" is no name of a variable/],
    [{ env: { PATH: '/x' } }, /^env: "PATH" cannot be set from outside; set it in the command/],
    [{ env: { BASH_ENV: 'x' } }, /cannot be set from outside/],
    [{ env: { LD_PRELOAD: 'x' } }, /cannot be set from outside/],
    [{ env: { A: { b: 1 } } }, /^env: A must be a text/],
    [{ env: { A: 'x\0' } }, /^env: A must be a text/],
    [{ env: { A: 'x'.repeat(MAX_ENV_BYTES) } }, /MAX_ENV_BYTES/],
    [
      { env: Object.fromEntries(Array.from({ length: MAX_ENV_VARIABLES + 1 }, (_, at) => [`A${at}`, 1])) },
      /MAX_ENV_VAR/,
    ],
    [{ stdin: 'a\0' }, /^stdin has a NUL character/],
    [{ stdin: 'ü'.repeat(MAX_STDIN_BYTES / 2 + 1) }, /MAX_STDIN_BYTES.*exec < FILE/],
  ])('are refused where none can be such: %j', async (more, message) => {
    const { failure } = bench()
    expect((await failure('execute_shell', { command: 'ls', ...more })).message).toMatch(message)
  })

  it('of the longest size reach a command that reads it late, and hold up none that does not', async () => {
    const { data } = bench()
    const stdin = 'x'.repeat(MAX_STDIN_BYTES)
    expect(await data('execute_shell', { command: 'wc -c', stdin })).toMatchObject({ stdout: `${MAX_STDIN_BYTES}\n` })
    expect(await data('execute_shell', { command: 'wait; echo done', stdin })).toMatchObject({ stdout: 'done\n' })
  })
})
