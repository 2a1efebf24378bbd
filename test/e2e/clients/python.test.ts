import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { runningToolyard } from '../../support/running-toolyard.ts'

const CLIENT = resolve('clients/python')
/** Debian's interpreter, which has the packages that the tests need. */
const PYTHON = '/usr/bin/python3'
/** Milliseconds for one file of Python's tests, some of which begin dozens of processes. */
const PYTEST_MS = 600_000
const run = promisify(execFile)
const toolyard = runningToolyard(async () => ({}))

async function scratch() {
  const directory = await mkdtemp(join(tmpdir(), 'python-client-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Runs Python in the client's directory, and leaves nothing there. @returns what it printed, also when it failed */
function python(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: CLIENT, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } }
  return run(PYTHON, [...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), output: `${stdout}${stderr}` }),
  )
}

it.each(readdirSync(join(CLIENT, 'tests')).filter((name) => name.startsWith('test_')))(
  'does over a real server what its own tests say: %s',
  async (file) => {
    const args = ['-m', 'pytest', '-q', join('tests', file)]
    const { code, output } = await python(args, { TOOLYARD_BASE_URL: toolyard().url })
    expect(output).toMatch(/^\d+ passed/m)
    expect(output).not.toMatch(/failed|skipped|error/i)
    expect(code).toBe(0)
  },
  PYTEST_MS,
)

it.each(['make_sync.py', 'make_types.py'])('has the modules that %s makes', async (making) => {
  expect(await python([join('making', making), '--check'])).toEqual({ code: 0, output: '' })
})

it('has types that the strict checker takes', async () => {
  const cache = await scratch()
  const { output } = await python(['-m', 'mypy', '--cache-dir', cache])
  expect(output).toMatch(/^Success: no issues found/)
})

it('has types that pyright takes, strict, with the packages of the interpreter', async () => {
  const pyright = [resolve('node_modules/pyright/index.js'), '--pythonpath', PYTHON, '--outputjson']
  const { stdout } = await run(process.execPath, pyright, { cwd: CLIENT, maxBuffer: 16 * 2 ** 20 }).catch(
    (failed: { stdout: string }) => failed,
  )
  const { generalDiagnostics, summary } = JSON.parse(stdout)
  expect(generalDiagnostics).toEqual([])
  expect(summary.filesAnalyzed).toBeGreaterThan(30)
})

it('is built as a wheel, which is all that an empty directory needs besides its dependencies', async () => {
  const directory = await scratch()
  const target = join(directory, 'target')
  const built = await python(['-m', 'hatchling', 'build', '-t', 'wheel', '-d', directory])
  expect(built.code, built.output).toBe(0)
  const wheel = (await readdir(directory)).find((name) => name.endsWith('.whl')) ?? ''
  const install = ['--no-deps', '--no-index', '--no-compile', '--target', target, join(directory, wheel)]
  const installed = await python(['-m', 'pip', 'install', ...install])
  expect(installed.code, installed.output).toBe(0)
  expect(await readdir(join(target, 'toolyard'))).toEqual(expect.arrayContaining(['__init__.py', 'py.typed', '_sync']))
  const program = 'import toolyard; print(toolyard.__file__, toolyard.Toolyard("http://localhost:1"))'
  const { output } = await python(['-I', '-c', `import sys; sys.path.insert(0, sys.argv[1]); ${program}`, target])
  expect(output).toBe(`${target}/toolyard/__init__.py Toolyard(base_url='http://localhost:1')\n`)
})
