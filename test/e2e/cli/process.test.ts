import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { Toolyard } from '../../../src/client/index.ts'
import { builtCommandLine, scratchOfTests } from '../../support/command-line.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'

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
