import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BROWSERS, GROUPS, LINTERS, PYTHON_CLIENT, SHELLS } from '../../scripts/packages.mjs'

/** A machine's programs, as far as setup looks: stand-ins that do nothing, but for apt-get, which makes what it installs. */
let system: string

const PROVIDES = { bubblewrap: 'bwrap', slirp4netns: 'slirp4netns', iproute2: 'ip', git: 'git', curl: 'curl' }

beforeEach(async () => {
  system = await mkdtemp(join(tmpdir(), 'toolyard-setup-'))
  await chmod(system, 0o755)
  for (const name of ['bwrap', 'slirp4netns', 'ip', 'git', 'curl']) await program(name, '')
  // What it is asked for are the modules that are there; all of them.
  await program('python3', 'shift 3; printf "%s\\n" "$@"')
  await program('sudo', `echo "sudo $*" >> "${system}/commands-run"; exec "$@"`)
  const cases = Object.entries(PROVIDES).map(([apt, name]) => `${apt}) /bin/cp "${system}/git" "${system}/${name}";;`)
  await program(
    'apt-get',
    `echo "apt-get $*" >> "${system}/commands-run"
[ "$1" = install ] || exit 100
for package in "$@"; do case $package in ${cases.join(' ')} *) echo "$package" >> "${system}/installed";; esac; done`,
  )
  await program('npm', `echo "npm $*" >> "${system}/commands-run"; /bin/cp "${system}/git" "${system}/claude"`)
  await program('env', '[ "$1" = "PATH=$PATH" ] && shift; exec "$@"')
  // Names what apt-get installed.
  await program(
    'dpkg-query',
    `[ -f "${system}/installed" ] && while read -r package; do echo "installed $package"; done < "${system}/installed"`,
  )
})
afterEach(() => rm(system, { recursive: true, force: true }))

it('says nothing when all is there', async () => {
  expect(await setup({ root: false })).toEqual({ code: 0, output: '' })
})

it('installs what is missing when it runs as root and nobody can be asked', async () => {
  await lack('bwrap', 'ip')
  const { code, output } = await setup({ root: true })
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(/bubblewrap +isolates sandboxes.*Installed/s),
  })
  expect(await commandsRun()).toEqual([
    'apt-get update -qq',
    'apt-get install -y -qq --no-install-recommends bubblewrap iproute2',
  ])
})

it('prints the one command to run when it may not install and cannot ask', async () => {
  await lack('slirp4netns', 'git')
  const { code, output } = await setup({ root: false })
  expect(code).toBe(1)
  expect(output).toContain('\n\n  sudo apt-get install -y --no-install-recommends slirp4netns git\n')
  expect(await commandsRun()).toEqual([])
})

it('asks in a terminal, and installs by sudo when told so', async () => {
  await lack('bwrap')
  const { code, output } = await setup({ root: false, typed: '\n' })
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/now\? \[Y\/n\].*Installed/s) })
  expect(await commandsRun()).toEqual([
    'sudo apt-get update -qq',
    'apt-get update -qq',
    'sudo apt-get install -y -qq --no-install-recommends bubblewrap',
    'apt-get install -y -qq --no-install-recommends bubblewrap',
  ])
})

it('installs nothing when the answer is no, also as root', async () => {
  await lack('bwrap')
  const { code, output } = await setup({ root: true, typed: 'n\n' })
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(/ {2}apt-get install -y --no-install-recommends bubblewrap/),
  })
  expect(await commandsRun()).toEqual([])
})

it('says so when apt-get fails', async () => {
  await lack('bwrap')
  await program('apt-get', 'echo "no such package" >&2; exit 100')
  const { code, output } = await setup({ root: true })
  expect(code).toBe(1)
  expect(output).toMatch(/no such package.*apt-get failed, as it says above.* {2}apt-get install -y/s)
})

it('says so when apt-get succeeds and the program is still not there', async () => {
  await lack('bwrap')
  await program('apt-get', '')
  const { code, output } = await setup({ root: true })
  expect(code).toBe(1)
  expect(output).toMatch(/bubblewrap: installed, and yet/)
})

it("leaves machines without apt-get to their owner's package manager", async () => {
  await lack('bwrap', 'apt-get')
  const { code, output } = await setup({ root: true })
  expect(code).toBe(1)
  expect(output).toMatch(/bubblewrap.*this system's package manager/s)
})

it('installs the groups that are asked for, as far as they are not there', async () => {
  await program(
    'dpkg-query',
    `[ -f "${system}/installed" ] || { echo "installed pandoc"; echo "config-files poppler-utils"; exit 1; }
echo "installed pandoc"; while read -r package; do echo "installed $package"; done < "${system}/installed"`,
  )
  const { code, output } = await setup({ root: true, words: ['--with', 'documents,claude'] })
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(/poppler-utils +parse_document.*Installed/s),
  })
  const packages = GROUPS.documents.apt.tests.filter((name) => name !== 'pandoc')
  expect(await commandsRun()).toEqual([
    'apt-get update -qq',
    `apt-get install -y -qq --no-install-recommends ${packages.join(' ')}`,
    `npm install --global --prefix /usr/local ${GROUPS.claude.npm}`,
  ])
})

it('has a word for all groups, and one for what the tests need of them', async () => {
  const all = Object.values(GROUPS).flatMap(({ apt }) => [...apt.tests, ...apt.more])
  const tests = [
    ...Object.values(GROUPS).flatMap(({ apt }) => apt.tests),
    ...[...LINTERS, ...PYTHON_CLIENT, ...SHELLS, ...BROWSERS].map(({ apt }) => apt),
  ]
  for (const [word, packages] of [
    ['--all', all],
    ['--tests', tests],
  ] as const) {
    const { code, output } = await setup({ root: false, words: [word] })
    expect(code).toBe(1)
    expect(output).toContain(
      `\n\n  sudo apt-get install -y --no-install-recommends ${packages.join(' ')}\n  sudo npm install --global --prefix /usr/local ${GROUPS.claude.npm}\n`,
    )
  }
})

it('names the groups when it is asked for one that is none', async () => {
  const { code, output } = await setup({ root: true, words: ['--with=latex,ltex'] })
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(/^There is no group ltex\. .*latex,documents,data,claude/),
  })
})

it('tells a terminal, and nobody else, in one line what it could have besides', async () => {
  for (const name of [...GROUPS.latex.programs, 'claude']) await program(name, '')
  const { code, output } = await setup({ root: false, typed: '' })
  expect(code).toBe(0)
  expect(output.trim().split('\n')).toEqual([
    expect.stringMatching(/documents \(parse_document .*\. To install: node scripts\/setup\.mjs --with documents$/),
  ])
  expect(await setup({ root: false })).toEqual({ code: 0, output: '' })
})

it("looks for Python's modules, and for nothing of isolation when there is to be none", async () => {
  await lack('bwrap', 'slirp4netns', 'ip')
  await program('python3', 'echo venv')
  const { code, output } = await setup({ root: false, env: { ISOLATION: 'none' } })
  expect(code).toBe(1)
  expect(output).toContain('--no-install-recommends python3-pip python3-ipython\n')
})

/** Who one is inside a user namespace: nobody, or root, whoever runs the tests. `typed` comes from a terminal. */
async function setup({
  root,
  words = [],
  typed,
  env = {},
}: {
  readonly root: boolean
  readonly words?: readonly string[]
  readonly typed?: string
  readonly env?: Readonly<Record<string, string>>
}) {
  const command = [
    'unshare',
    '--user',
    ...(root ? ['--map-root-user'] : []),
    '--',
    process.execPath,
    'scripts/setup.mjs',
    ...words,
  ]
  const [program = '', ...args] =
    typed === undefined ? command : ['script', '-qec', command.map((word) => `'${word}'`).join(' '), '/dev/null']
  const child = spawn(program, args, {
    env: { ...process.env, ISOLATION: '', TOOLYARD_SYSTEM_PATH: system, ...env },
    stdio: 'pipe',
  })
  child.stdin.end(typed)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output: output.replaceAll('\r\n', '\n') }
}

async function program(name: string, script: string) {
  await writeFile(join(system, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

const lack = (...names: string[]) => Promise.all(names.map((name) => rm(join(system, name))))

async function commandsRun() {
  const text = await readFile(join(system, 'commands-run'), 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}
