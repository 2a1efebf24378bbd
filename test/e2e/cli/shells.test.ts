import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Toolyard } from '../../../src/client/index.ts'
import { builtCommandLine, scratchOfTests } from '../../support/command-line.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { typedProgram } from '../../support/typed-shell.ts'

const run = promisify(execFile)
const server = runningToolyard(async () => ({}))
const scratch = scratchOfTests()
const sessions = () => new Toolyard({ baseUrl: server().url }).sessions

/** Shells with the command that starts them, the file that they read first, and its text besides the completion. */
const SHELLS = [
  { shell: 'bash', start: 'bash --noprofile --rcfile "$HOME/.bashrc" -i', file: '.bashrc', text: `PS1='READY> '` },
  {
    shell: 'zsh',
    start: 'zsh -d -i',
    file: '.zshrc',
    text: `autoload -Uz compinit && compinit -u -D; PS1='READY> '`,
  },
  {
    shell: 'fish',
    start: 'fish -i',
    file: '.config/fish/config.fish',
    text: `set -g fish_greeting; function fish_prompt; printf 'READY> '; end`,
  },
] as const

beforeAll(async () => {
  await builtCommandLine(scratch())
  for (const { shell, file, text } of SHELLS) {
    const { stdout } = await run(join(scratch(), 'toolyard'), ['completion', shell])
    await writeFile(join(scratch(), `completion.${shell}`), stdout)
    await mkdir(join(scratch(), file, '..'), { recursive: true })
    await writeFile(join(scratch(), file), `${text}\n. "$HOME/completion.${shell}"\n`)
  }
})
const env = () =>
  ({
    PATH: `${scratch()}:${process.env.PATH}`,
    HOME: scratch(),
    LANG: 'C.UTF-8',
    TOOLYARD_BASE_URL: server().url,
    TOOLYARD_COMPLETION_MS: '100000',
  }) as unknown as NodeJS.ProcessEnv

/** A shell in a terminal, in an empty directory. @returns a function that types a line and waits for the end of its command */
async function shellIn(start: string) {
  const cwd = join(scratch(), crypto.randomUUID())
  await mkdir(cwd)
  const shell = typedProgram(start, { env: env(), cwd })
  onTestFinished(() => shell.stop())
  await shell.shows(/READY> /)
  let lines = 0
  return {
    cwd,
    async line(keys: string) {
      lines++
      // What is typed is shown too, but not with the number in its place.
      shell.type(`${keys} ; printf 'DONE%s\\n' ${lines}\r`)
      await shell.shows(new RegExp(`DONE${lines}\r?\n`))
    },
  }
}

/** Names of files that a shell would do something with, if they stood on its line as they are. */
const HOSTILE = [
  'a$(touch ran)',
  'a`touch ran`',
  'a;touch ran',
  'a|touch ran',
  'a&touch ran',
  'a>ran',
  'a b',
  `it's`,
  'say "so"',
  'a\\b',
  '*',
  '?',
  '~',
  '!!',
  '-n',
  'a#b',
  '#a',
  '{a,b}',
  '[a]',
  '(a)',
  '$HOME',
  'a=b:c',
  '湖',
]

describe.each(SHELLS)('in $shell', ({ shell, start }) => {
  it('commands, options, their values, and sessions are completed', async () => {
    const name = `rivers-of-${shell}-${crypto.randomUUID()}`
    await sessions().create({ name, keep: true })
    const { cwd, line } = await shellIn(start)
    await line('toolyard se\tli\t --st\t rea\t --js\t > list')
    await line(`toolyard sessions show rivers-of-${shell}\t--json > shown`)
    await line(`toolyard exec rivers-of-${shell}\t-- echo 3 > ran`)
    expect(JSON.parse(await readFile(join(cwd, 'list'), 'utf8'))).toBeInstanceOf(Array)
    expect(JSON.parse(await readFile(join(cwd, 'shown'), 'utf8'))).toMatchObject({ name })
    expect(await readFile(join(cwd, 'ran'), 'utf8')).toBe('3\n')
  })

  it('names of files are put on the line as what they are, whatever a shell would do with them', async () => {
    const name = `hostile-${crypto.randomUUID()}`
    const files = HOSTILE.map((path, at) => ({ path: `d${at}/${path}`, text: `${at}` }))
    await sessions().create({ name, keep: true, files })
    const { cwd, line } = await shellIn(start)
    for (const at of HOSTILE.keys()) await line(`toolyard cp ${name}:d${at}/\t out${at}`)
    const copied = await Promise.all(
      HOSTILE.map((_, at) => readFile(join(cwd, `out${at}`), 'utf8').catch(() => 'nothing')),
    )
    expect(copied).toEqual(HOSTILE.map((_, at) => `${at}`))
    expect((await readdir(cwd)).filter((file) => !file.startsWith('out'))).toEqual([])
  })

  it('names of sessions are put on the line as what they are', async () => {
    const names = ['$(touch ran)', '`touch ran`', ';touch ran', ' b', `'s`, '"q"', '\\b'].map(
      (end) => `${crypto.randomUUID()}${end}`,
    )
    for (const name of names) await sessions().create({ name, keep: true })
    const { cwd, line } = await shellIn(start)
    for (const [at, name] of names.entries())
      await line(`toolyard sessions show --json ${name.slice(0, 36)}\t > out${at}`)
    const shown = await Promise.all(names.map((_, at) => readFile(join(cwd, `out${at}`), 'utf8')))
    expect(shown.map((text) => (text === '' ? '' : JSON.parse(text).name))).toEqual(names)
    expect(await readdir(cwd)).not.toContain('ran')
  })

  it('a name that is begun with a quoted character is completed', async () => {
    const name = `quoted-${crypto.randomUUID()}`
    await sessions().create({ name, keep: true, files: [{ path: 'a b c', text: 'abc' }] })
    const { cwd, line } = await shellIn(start)
    await line(`toolyard cp ${name}:a\\ b\t out`)
    expect(await readFile(join(cwd, 'out'), 'utf8')).toBe('abc')
  })
})

it('fish has descriptions of commands, and of nothing else than what fits', async () => {
  const script = `. $HOME/completion.fish; complete -C 'toolyard se'; complete -C 'toolyard sessions '`
  const { stdout } = await run('fish', ['--no-config', '-c', script], { env: env() })
  const lines = stdout.trim().split('\n')
  expect(lines[0]).toMatch(/^sessions\t\w+/)
  expect(lines.map((line) => line.split('\t')[0]).sort()).toEqual(
    ['sessions', 'list', 'show', 'create', 'delete', 'undo', 'fork'].sort(),
  )
})

it('no shell is given a name with a line feed or a tab in it, nor one that would be taken for an option', async () => {
  const name = `lines-${crypto.randomUUID()}`
  const names = [`-rf-${name}`]
  for (const one of [name, ...names]) await sessions().create({ name: one, keep: true })
  await sessions()
    .open(name)
    .files.write('d/a\nb', 'x')
    .catch(() => {})
  await sessions()
    .open(name)
    .files.write('d/a\tb', 'x')
    .catch(() => {})
  await sessions().open(name).files.write('d/ab', 'x')
  const completed = async (...words: string[]) =>
    (await run(join(scratch(), 'toolyard'), ['__complete', '--', ...words], { env: env() })).stdout.split('\n')
  expect(await completed('cp', `${name}:d/a`)).toEqual([`${name}:d/ab`, ''])
  expect(await completed('exec', '')).toContain(name)
  expect((await completed('exec', '')).filter((word) => word.startsWith('-'))).toEqual([])
})
