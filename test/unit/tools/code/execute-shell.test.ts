import { describe, expect, it } from 'vitest'
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
