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

it('ends the command in the session at Ctrl-C', async () => {
  const name = `signal-${crypto.randomUUID()}`
  const toolyard = new Toolyard({ baseUrl: server().url })
  await toolyard.sessions.create({ name, keep: true })
  const child = spawn(program(), ['exec', name, 'echo begun; sleep 600'], {
    env: env(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([130, null])
  await expect.poll(async () => (await toolyard.sessions.open(name).calls.list().page()).data[0]?.state).toBe('failed')
})

it('ends when nobody reads on', async () => {
  const script = 'toolyard tools -n 500 --json | head -c 10 > /dev/null; echo $PIPESTATUS'
  const { stdout, stderr } = await run('bash', ['-c', script], { env: env() })
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^(141|0)\n$/), ''])
})
