import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { GROUPS } from '../../scripts/packages.mjs'
import type { Command } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands/index.ts'
import { builtCommandLine, scratchOfTests } from '../support/command-line.ts'
import { startToolyard, type Toolyard } from '../support/toolyard.ts'
import { READER, SERVER } from './deployment/budget.ts'
import { commandsOf, DOCUMENTS, snippetsOf, textOf } from './documents.ts'
import { walk } from './walk.ts'

const run = promisify(execFile)
const PRINTED_URL = 'http://localhost:8001'
/** Milliseconds for the commands of one page, of which some begin dozens of processes. */
const PAGE_MS = 600_000
/** Pages, and sections of pages, whose blocks are one session of a shell, and print below each what it prints. */
const WALKS = [
  'docs/native-api.md',
  'docs/history.md',
  'docs/watch.md',
  'docs/cli.md',
  'README.md#What an agent did to the files, and the way back',
]

const programs = scratchOfTests()
let server: Toolyard
beforeAll(async () => {
  server = await startToolyard()
})
afterAll(() => server.stop())

/** What varies from call to call, and how it must look. */
const VARYING = {
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?$/),
  execution_time: expect.any(Number),
}

/** Every command that a page prints is of one of these kinds, or the test fails. */
const KINDS: readonly { readonly is: RegExp; check(command: string, answer: unknown): Promise<void> }[] = [
  { is: /^curl .* -o \S+\.tar$/s, check: savesAnExport },
  { is: /^tar -xOf \S+\.tar \S+\/manifest\.json$/, check: findsTheManifest },
  { is: /^head -c \d+ \S+\.tar \| sha256sum$/, check: addsUp },
  { is: /^curl /, check: asksTheServer },
  { is: /^[A-Z_]+=\$\(curl -s .*\)$/s, check: keepsAnAnswer },
  { is: /^ADMIN_TOKEN=\$\(cat \.toolyard\/admin-token\)$/, check: readsTheToken },
  { is: /^python3 examples\//, check: runsAnExample },
  { is: /^node examples\/mcp\//, check: runsAnAgent },
  { is: /^node examples\/adapters\//, check: namesAnAdapter },
  { is: /^python3 -m venv \.venv && \.venv\/bin\/pip install \.\/clients\/python$/, check: installsTheClient },
  { is: /^npm ci && npm (start|test)$/, check: isWhatOtherTestsRun },
  { is: /^npm run audit:verify -- --url /, check: verifies },
  { is: /^npm (ci|run [\w:-]+)$/, check: isAScript },
  { is: /^node scripts\/setup\.mjs --with /, check: namesGroups },
  { is: /^npx vitest run /, check: namesTests },
  { is: /^npx wrangler deploy /, check: isADeployment },
  { is: /^npx wrangler /, check: isAKnownSubcommand },
  { is: /^npx toolyard (dev|deploy|doctor)( |$)/, check: isACommandOfTheOwner },
  { is: /^E2B_API_KEY=\S+ npm run template$/, check: definesTheTemplate },
]

describe.each(DOCUMENTS.filter((document) => !WALKS.includes(document)))('%s', (document) => {
  it(
    'prints commands that work, and the answers they give, and leaves no task in the way of the next time',
    async () => {
      for (const { language, text, answer } of snippetsOf(document, WALKS)) {
        if (language !== 'bash') continue
        const commands = commandsOf(text)
        if (answer !== undefined) expect(commands, 'an answer is that of one command').toHaveLength(1)
        for (const command of commands) {
          const kind = KINDS.find(({ is }) => is.test(command))
          expect(kind, `no test knows how to check: ${command}`).toBeDefined()
          await kind?.check(command, answer)
        }
      }
      for (const [, id] of textOf(document).matchAll(/^curl .*\/api\/task\/create\?task_id=(\w+)/gm)) {
        expect([id, (await fetch(`${server.url}/api/task/${id}/status`)).status]).toEqual([id, 404])
      }
    },
    PAGE_MS,
  )
})

describe.each(WALKS)('%s', (document) => {
  it(
    'prints commands for one shell, and below each block what it prints',
    async () => {
      const steps = await walk(document, PRINTED_URL, server.url, await environmentOf(document))
      expect(steps.length).toBeGreaterThan(0)
      for (const { commands, printed, expected } of steps) expect(printed, commands).toMatch(expected ?? /^$/)
    },
    PAGE_MS,
  )
})

/** Variables of the shell that walks a page: the command line where it prints one, as a user has it who never signed in. */
async function environmentOf(document: string): Promise<Record<string, string>> {
  if (document !== 'docs/cli.md') return {}
  const path = `${await builtCommandLine(programs())}:${process.env.PATH}`
  return {
    PATH: path,
    XDG_CONFIG_HOME: programs(),
    TOOLYARD_BASE_URL: server.url,
    TOOLYARD_API_KEY: '',
    TOOLYARD_PROFILE: '',
  }
}

const here = (command: string) => command.replaceAll(PRINTED_URL, server.url)
/** Values that earlier commands of the pages kept, by their variables. */
const kept: Record<string, string> = {}
const shell = (command: string) =>
  run('bash', ['-c', command], { env: { ...process.env, ADMIN_TOKEN: server.adminToken, ...kept } })

/** Directory of the archives that commands keep. */
let archives: string
beforeAll(async () => {
  archives = await mkdtemp(join(tmpdir(), 'toolyard-archives-'))
})
afterAll(() => rm(archives, { recursive: true, force: true }))
/** Sum of the last export as its manifest has it. */
let sum: { readonly bytes: number; readonly sha256: string }

const atArchives = (command: string) =>
  run('bash', ['-c', command], { cwd: archives, env: { ...process.env, ADMIN_TOKEN: server.adminToken } })

async function savesAnExport(command: string) {
  await atArchives(here(command))
}

async function findsTheManifest(command: string) {
  sum = JSON.parse((await atArchives(command)).stdout).before_manifest
}

async function addsUp(command: string) {
  const { stdout } = await atArchives(command.replace(/\d+/, String(sum.bytes)))
  expect(stdout.split(' ')[0]).toBe(sum.sha256)
}

async function keepsAnAnswer(command: string) {
  const [variable = ''] = command.split('=', 1)
  const { stdout } = await shell(`${here(command)}; printf %s "$${variable}"`)
  expect(stdout).not.toBe('')
  kept[variable] = stdout
}

async function asksTheServer(command: string, answer: unknown) {
  expect(command).toContain(PRINTED_URL)
  const { stdout } = await shell(
    here(command).replace('curl', 'curl --silent --show-error --write-out "\\n%{http_code}"'),
  )
  const end = stdout.lastIndexOf('\n')
  if (stdout === '\n204') return
  if (command.includes('text/event-stream')) {
    expect(stdout, stdout).toMatch(/^event: call\n[\s\S]*\nevent: result\nid: end\n.*\n\n\n200$/)
    return
  }
  const printed = JSON.parse(stdout.slice(0, end))
  expect(stdout.slice(end + 1), stdout).toMatch(GOES_ON.test(command) ? /^202$/ : /^20[01]$/)
  expect(printed.success ?? true, stdout).toBe(true)
  if (answer !== undefined) expect(printed).toEqual(withVarying(answer))
}

/** Commands whose work goes on behind their answer. */
const GOES_ON = /respond-async|DELETE "\S+\/admin\/tenants\/\w+"/

/** The printed answer with patterns where two calls differ; only for fields that it has. */
function withVarying(answer: unknown) {
  const printed = answer as Record<string, unknown>
  for (const [field, pattern] of Object.entries(VARYING)) if (field in printed) expect(printed[field]).toEqual(pattern)
  return { ...printed, ...Object.fromEntries(Object.entries(VARYING).filter(([field]) => field in printed)) }
}

/** The commands that follow get the tests' own token; start.test.ts finds the file. */
async function readsTheToken() {
  expect(readFileSync('test/e2e/start.test.ts', 'utf8')).toContain("'admin-token'")
}

async function runsAnExample(command: string) {
  expect(JSON.parse((await shell(here(command))).stdout)).toMatchObject({ status: 'success' })
}

async function runsAnAgent(command: string) {
  const { stdout } = await shell(here(command).replace(/^node /, `${process.execPath} `))
  expect(stdout).toBe('The answer is 42.\n')
}

/** Tests in test/e2e/adapters run them, and the stand-in. */
async function namesAnAdapter(command: string) {
  expect(existsSync(command.split(' ')[1] ?? '')).toBe(true)
}

/** npm ci would replace the modules that this test runs from; start.test.ts and .ci/run do what these lines say. */
async function isWhatOtherTestsRun(command: string) {
  const [, script = ''] = /npm (start|test)$/.exec(command) ?? []
  expect(packageJson.scripts).toHaveProperty(script)
  if (script === 'start') {
    expect(readFileSync('test/e2e/start.test.ts', 'utf8')).toContain("start('npm')")
    expect(readFileSync('test/support/npm-start.ts', 'utf8')).toContain("npm: ['npm', 'start']")
  } else expect(readFileSync('.ci/run', 'utf8')).toMatch(/^npm ci .*^npm test/ms)
}

async function isAScript(command: string) {
  const script = command.replace(/^npm (run )?/, '')
  if (script !== 'ci') expect(packageJson.scripts).toHaveProperty(script)
}

async function verifies(command: string) {
  const { stdout } = await shell(here(command).replace('npm run audit:verify --', 'node scripts/audit-verify.mjs'))
  expect(stdout).toContain('as they were written')
}

/** Debian's packages of Python, from which pip takes what it would fetch from PyPI: httpx, and what builds the wheel. */
const DEBIAN_PACKAGES = {
  PYTHONPATH: '/usr/lib/python3/dist-packages',
  PIP_CONFIG_FILE: '/dev/null',
  PIP_NO_INDEX: '1',
  // pip's own word for "no build isolation", where the wheel is built by what is installed.
  PIP_NO_BUILD_ISOLATION: '0',
}

/** Runs it beside the checkout's packages, with Debian's Python, and the README's program by the environment that it made. */
async function installsTheClient(command: string) {
  const directory = await mkdtemp(join(tmpdir(), 'toolyard-venv-'))
  try {
    await symlink(resolve('clients'), join(directory, 'clients'))
    const env = { ...process.env, PATH: '/usr/bin:/bin', ...DEBIAN_PACKAGES }
    await run('bash', ['-c', command], { cwd: directory, env })
    const python = (program: string) =>
      run(join(directory, '.venv/bin/python'), ['-c', program], {
        cwd: directory,
        env: { ...env, TOOLYARD_BASE_URL: server.url },
      })
    const { stdout: place } = await python('import toolyard; print(toolyard.__file__)')
    expect(place).toContain(`${await realpath(directory)}/.venv/lib/`)

    const blocks = snippetsOf('README.md')
    const at = blocks.findIndex(({ language }) => language === 'python')
    const { stdout } = await python(`${blocks[at]?.text}\nToolyard().sessions.delete("squares")`)
    expect(stdout).toBe(blocks[at + 1]?.text)
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function namesTests(command: string) {
  expect(existsSync(command.split(' ').at(-1) ?? '')).toBe(true)
}

/** deployment.test.ts runs these, dry. */
async function isADeployment(command: string) {
  expect([SERVER.command, READER.command]).toContain(command)
}

/** The usage that wrangler prints has the same words, as many arguments, and all flags; the names are ours. */
async function isAKnownSubcommand(command: string) {
  const stdout = await helpOf(command)
  const usage = /^wrangler (.*)$/m.exec(stdout)?.[1] ?? ''
  const words = command.replace(/^npx wrangler /, '').split(' ')
  const flags = words.filter((word) => word.startsWith('--'))
  const positional = words.slice(0, flags[0] ? words.indexOf(flags[0]) : undefined)
  const expected = usage.split(' ').filter((word) => !word.startsWith('[') || word === '[key]')
  expect(expected, command).toHaveLength(positional.length)
  expect(expected.filter((word, at) => !/^[<[]/.test(word) && word !== positional[at])).toEqual([])
  expect(flags.filter((flag) => !stdout.includes(flag))).toEqual([])

  const named = positional.filter((_, at) => /^[<[]/.test(expected[at] ?? ''))
  const settings = readFileSync('wrangler.toml', 'utf8') + readFileSync('src/config.ts', 'utf8')
  expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(settings))).toEqual([])
}

/** Other tests run them; here their options are looked up. */
async function isACommandOfTheOwner(command: string) {
  const [name = '', ...flags] = command.replace(/^npx toolyard /, '').split(' ')
  const { load } = COMMANDS[name] ?? expect.unreachable(`there is no command ${name}`)
  const { options } = (await load()) as Command
  for (const flag of flags) expect(Object.keys(options)).toContain(flag.slice(2))
}

const helps = new Map<string, Promise<string>>()

/** What wrangler says of a command, whatever it is to name: of three secrets the same. */
function helpOf(command: string): Promise<string> {
  const unnamed = command.replace(/ [A-Z][A-Z0-9_]*(?= |$)/g, '')
  const help = helps.get(unnamed) ?? wrangler(`${unnamed} --help`).then(({ stdout }) => stdout)
  helps.set(unnamed, help)
  return help
}

const wrangler = (command: string) =>
  run('bash', ['-c', command.replace(/^npx /, 'node_modules/.bin/')], {
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', NO_COLOR: '1' },
  })

async function namesGroups(command: string) {
  expect(Object.keys(GROUPS)).toEqual(expect.arrayContaining(command.split(' ').at(-1)?.split(',') ?? []))
}

async function definesTheTemplate() {
  expect(packageJson.scripts.template).toBe('node scripts/build-template.mjs')
  const { stdout } = await run(process.execPath, ['scripts/build-template.mjs', '--print'])
  const definition = JSON.parse(stdout) as { name: string; steps: readonly { args: readonly string[] }[] }
  const production = readFileSync('wrangler.toml', 'utf8').split('[env.production.vars]')[1]
  expect(/^SANDBOX_TEMPLATE = "(.*)"$/m.exec(production ?? '')?.[1]).toBe(definition.name)
  for (const program of ['git', 'findutils', 'tar', 'gzip', '-m pip', '-m venv']) {
    expect(definition.steps.map(({ args }) => args.join(' ')).join('\n')).toContain(program)
  }
}
