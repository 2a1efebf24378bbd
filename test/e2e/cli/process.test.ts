import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { Toolyard } from '../../../src/client/index.ts'
import { builtCommandLine, scratchOfTests } from '../../support/command-line.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { newOwner } from '../../support/tenants.ts'
import { typedProgram } from '../../support/typed-shell.ts'

const run = promisify(execFile)
const server = runningToolyard(async () => ({}))
const scratch = scratchOfTests()
beforeAll(async () => {
  await builtCommandLine(scratch())
  const { stdout } = await run(program(), ['completion', 'bash'])
  await writeFile(join(scratch(), 'completion.bash'), stdout)
})
const program = () => join(scratch(), 'toolyard')
const env = () => ({
  ...process.env,
  PATH: `${scratch()}:${process.env.PATH}`,
  HOME: scratch(),
  TOOLYARD_BASE_URL: server().url,
  TOOLYARD_COMPLETION_MS: '100000',
})

it('is built as the package has it, and imports nothing but what comes with Node', async () => {
  expect(packageJson.bin).toEqual({ toolyard: 'dist/cli/main.js' })
  expect(packageJson.files).toContain('dist/cli')
  const main = await readFile(join(scratch(), 'dist/cli/main.js'), 'utf8')
  expect(main.startsWith('#!/usr/bin/env node\n')).toBe(true)
  const imported = [...main.matchAll(/\bfrom ?"([^"]+)"/g)].map(([, from = '']) => from)
  expect(imported.filter((from) => !/^(node:|\.\/)/.test(from))).toEqual([])
  const { stdout } = await run(program(), ['--version'], { env: env() })
  expect(stdout).toBe(`${packageJson.version}\n`)
})

it('is what npx runs where the package is installed', async () => {
  const project = join(scratch(), 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"private":true}')
  await writeFile(
    join(scratch(), 'package.json'),
    JSON.stringify({ name: 'toolyard', version: packageJson.version, type: 'module', bin: packageJson.bin }),
  )
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', scratch()], { cwd: project, env: env() })
  const npx = (...args: string[]) => run('npx', ['--offline', 'toolyard', ...args], { cwd: project, env: env() })
  expect((await npx('help')).stdout).toMatch(
    /^Toolyard gives agents[\s\S]*^Usage: toolyard COMMAND[\s\S]*^ {2}sessions /m,
  )
  expect((await npx('cp', '--help')).stdout).toMatch(/^Usage: toolyard cp \[OPTIONS\] FROM TO$/m)
  expect((await npx('sessions', '--json')).stdout).toMatch(/^\[/)
})

it('asks for a key in a terminal without showing it, and stores none that the server does not know', async () => {
  const { key } = await newOwner(server())
  const home = join(scratch(), 'home')
  await mkdir(home)
  const signIn = (profile: string) => {
    const settings = { env: { ...env(), HOME: home, XDG_CONFIG_HOME: '' }, cwd: home }
    return typedProgram(`toolyard login ${server().url} --profile ${profile}`, settings)
  }
  const file = join(home, '.config/toolyard/config.json')
  const good = signIn('typed')
  await good.shows(/Key \(empty for none\): /)
  // A key that is mistyped, taken back, and pasted.
  good.type(`tyx\x7f\x7f\x7f${key}\r`)
  expect(await good.ended(), good.shown()).toBe(0)
  expect(good.shown()).toContain('stored as typed')
  expect(good.shown()).not.toContain(key)
  expect(good.shown()).not.toContain('tyx')
  expect(JSON.parse(await readFile(file, 'utf8')).profiles.typed).toEqual({ url: server().url, key })

  const wrong = signIn('wrong')
  await wrong.shows(/Key \(empty for none\): /)
  wrong.type('ty_wrong\r')
  expect(await wrong.ended(), wrong.shown()).toBe(3)
  const left = signIn('left')
  await left.shows(/Key \(empty for none\): /)
  left.type('ty_\x03')
  expect(await left.ended(), left.shown()).toBe(130)
  expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).profiles)).toEqual(['typed'])
})

/** Candidates that bash has for a line, at its end. */
async function completedByBash(line: string): Promise<string[]> {
  const words = line.split(' ')
  const script = `. "$HOME/completion.bash"
COMP_LINE=$1 COMP_POINT=\${#1} COMP_CWORD=$(( $# - 2 )) COMP_WORDS=("\${@:2}")
_toolyard; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['-c', script, 'bash', line, ...words], { env: env() })
  return stdout.split('\n').filter(Boolean)
}

it('is completed by bash: commands, options, their values, and what the server has', async () => {
  expect(await completedByBash('toolyard se')).toEqual(['sessions'])
  expect(await completedByBash('toolyard sessions ')).toEqual(['list', 'show', 'create', 'delete', 'undo', 'fork'])
  expect(await completedByBash('toolyard sessions list --st')).toEqual(['--state'])
  expect(await completedByBash('toolyard sessions list --state r')).toEqual(['ready', 'running'])
  const name = `rivers-${crypto.randomUUID()}`
  await new Toolyard({ baseUrl: server().url }).sessions.create({
    name,
    keep: true,
    files: [{ path: 'a.txt', text: 'a' }],
  })
  expect(await completedByBash('toolyard exec rivers-')).toEqual([name])
  expect(await completedByBash(`toolyard cp ${name}:a`)).toEqual(['a.txt'])
  expect(await completedByBash(`toolyard exec ${name} -- l`)).toEqual([])
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends the command in the session at %s', async (signal, code) => {
  const name = `signal-${crypto.randomUUID()}`
  const toolyard = new Toolyard({ baseUrl: server().url })
  await toolyard.sessions.create({ name, keep: true })
  const child = spawn(program(), ['exec', name, 'echo begun; sleep 600'], {
    env: env(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([code, null])
  await expect.poll(async () => (await toolyard.sessions.open(name).calls.list().page()).data[0]?.state).toBe('failed')
})

it('has no name of a file that bash would run', async () => {
  const name = `hostile-${crypto.randomUUID()}`
  const sessions = new Toolyard({ baseUrl: server().url }).sessions
  const paths = ['a$(touch ran)', 'a;touch ran', 'a`touch ran`', 'a b']
  await sessions.create({ name, keep: true, files: paths.map((path) => ({ path, text: 'a' })) })
  const candidates = await completedByBash(`toolyard cp ${name}:a`)
  expect(candidates).toHaveLength(paths.length)
  const { stdout } = await run('bash', ['-c', `printf '%s\\n' ${candidates.join(' ')}; ls`], { cwd: scratch() })
  expect(stdout.split('\n').slice(0, paths.length).sort()).toEqual(paths.sort())
  expect(stdout.split('\n').slice(paths.length)).not.toContain('ran')
})

it('ends the command in the session when nobody reads on', async () => {
  const name = `unread-${crypto.randomUUID()}`
  const toolyard = new Toolyard({ baseUrl: server().url })
  await toolyard.sessions.create({ name, keep: true })
  const script = `toolyard exec ${name} -- sh -c 'while :; do echo line; sleep 0.1; done' | head -n 1; echo $PIPESTATUS`
  const { stdout, stderr } = await run('bash', ['-c', script], { env: env() })
  expect([stdout, stderr]).toEqual(['line\n141\n', ''])
  await expect.poll(async () => (await toolyard.sessions.open(name).calls.list().page()).data[0]?.state).toBe('failed')
})

it('ends when nobody reads on', async () => {
  const script = 'toolyard tools -n 500 --json | head -c 10 > /dev/null; echo $PIPESTATUS'
  const { stdout, stderr } = await run('bash', ['-c', script], { env: env() })
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^(141|0)\n$/), ''])
})
