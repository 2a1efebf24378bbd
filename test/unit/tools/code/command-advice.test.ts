import { describe, expect, it } from 'vitest'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

async function bench() {
  const made = toolbench(catalog)
  await made.put('stats_pkg/test_a.py', 'assert True')
  await made.put('analyze.py', 'print(open("upload/sales.csv").read())')
  await made.put('upload/sales.csv', 'a,b')
  await made.put('code_run/here.txt', 'x')
  return made
}

const inRoot = (path: string) =>
  `${path} is in the root of the files, and commands start in code_run/: use ../${path} (or workdir ".", which starts in the root)`

describe('a command that misses a file of the root is told where it stands', () => {
  it.each([
    ['cd stats_pkg && ls', 'stats_pkg'],
    ['cd stats_pkg; true', 'stats_pkg'],
    ['cat upload/sales.csv', 'upload/sales.csv'],
    ['cat ./upload/none.csv', 'upload'],
    ['ls -la stats_pkg/', 'stats_pkg'],
    ['python3 analyze.py', 'analyze.py'],
    ['python3 analyze.py 2>&1', 'analyze.py'],
    ['python3 -c "open(\'upload/sales.csv\')"', 'upload/sales.csv'],
    ["sh -c 'cd stats_pkg'", 'stats_pkg'],
    ['seq 9999 >&2; head analyze.py', 'analyze.py'],
    ['node analyze.py/none.js', 'analyze.py'],
  ])('%s', async (command, path) => {
    const { data } = await bench()
    expect((await data('execute_shell', { command })).notes).toEqual([inRoot(path)])
  })

  it.each([
    ['cat none.txt'],
    ['cat /nowhere/upload'],
    ['cat ../none'],
    ['cat here.txt/x'],
    ['cat ../analyze.py'],
    ['echo "upload: No such file or directory"'],
    ['cat ""'],
  ])('but not by a guess: %s', async (command) => {
    const { data } = await bench()
    expect(await data('execute_shell', { command })).not.toHaveProperty('notes')
  })

  it('nor where it chose its directory', async () => {
    const { data } = await bench()
    expect(await data('execute_shell', { command: 'cat analyze.py', workdir: 'upload' })).not.toHaveProperty('notes')
  })

  it('a Python program, too', async () => {
    const { data } = await bench()
    const notes = [
      'upload/sales.csv is in the root of the files, and commands start in code_run/: use ../upload/sales.csv',
    ]
    expect(await data('execute_code', { file_path: 'analyze.py' })).toMatchObject({ exit_code: 1, notes })
    expect(await data('execute_code', { code: 'open("upload/sales.csv")' })).toMatchObject({ exit_code: 1, notes })
  })
})

describe('a command that needs a network that is not there is told so', () => {
  it.each([
    ['curl: (6) Could not resolve host: example.com'],
    ['socket.gaierror: [Errno -3] Temporary failure in name resolution'],
    ["Temporary failure resolving 'deb.debian.org'"],
    ['curl: (56) CONNECT tunnel failed, response 403'],
    ['OSError: Tunnel connection failed: 403 example.org is not allowed'],
    ['OSError: [Errno 101] Network is unreachable'],
    ['FetchError: connect EACCES 203.0.113.80:443 - Local (0.0.0.0:0)'],
  ])('%s', async (printed) => {
    const { data } = toolbench(catalog)
    const notes = [expect.stringMatching(/^the sandbox cannot reach that address: it may have no network/)]
    expect(await data('execute_shell', { command: `echo "${printed}" >&2` })).toMatchObject({ notes })
    expect(await data('execute_shell', { command: `echo "${printed}"; exit 1` })).toMatchObject({ notes })
    expect(await data('execute_shell', { command: `echo "${printed}"` })).not.toHaveProperty('notes')
    const code = `import sys; sys.exit(${JSON.stringify(printed)})`
    expect(await data('execute_code', { code })).toMatchObject({ notes })
  })

  it('a refused connection is none of these', async () => {
    const { data } = toolbench(catalog)
    const command = 'echo "connect ECONNREFUSED 127.0.0.1:80" >&2; exit 1'
    expect(await data('execute_shell', { command })).not.toHaveProperty('notes')
  })
})

describe('a directory that a command is to start in, and that is not there,', () => {
  it.each([
    ['ap', 'there was no directory ap, so it was made; did you mean app?'],
    ['src/Pages', 'there was no directory src/Pages, so it was made; did you mean src/pages?'],
    ['src/paegs', 'there was no directory src/paegs, so it was made; did you mean src/pages?'],
    ['brand/new', 'there was no directory brand/new, so it was made'],
  ])('is made, and an answer says so: %s', async (workdir, note) => {
    const { data, put } = toolbench(catalog)
    await put('app/a.txt', 'a')
    await put('src/pages/a.txt', 'a')
    expect(await data('execute_shell', { command: 'true', workdir })).toMatchObject({ exit_code: 0, notes: [note] })
    expect(await data('execute_shell', { command: 'true', workdir })).not.toHaveProperty('notes')
  })

  it.each(['app', '.', '/app', 'app/node_modules/lodash'])(
    'is not spoken of where it may be there: %s',
    async (workdir) => {
      const { data, put } = toolbench(catalog)
      await put('app/a.txt', 'a')
      expect(await data('execute_shell', { command: 'true', workdir })).not.toHaveProperty('notes')
    },
  )
})

it.each([
  ['execute_code', { code: 'input()' }, 'nobody types here: stdin gives the program its input'],
  [
    'execute_shell',
    { command: 'apply_patch < /dev/null' },
    'apply_patch is no program here: file_patch takes such a patch',
  ],
])('says what helps a program of %s that failed: %j', async (tool, args, note) => {
  const { data } = await bench()
  expect((await data(tool, args)).notes).toEqual([note])
})

it('says nothing of input to a program that had some', async () => {
  const { data } = await bench()
  expect(await data('execute_code', { code: 'input(), input()', stdin: 'x' })).not.toHaveProperty('notes')
})
