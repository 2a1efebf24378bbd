import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const PYTHON = '/usr/bin/python3'

/** Each file below a directory with its mode and content, each link with its target. */
function treeOf(directory: string) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const content = entry.isSymbolicLink() ? readlinkSync(path) : entry.isFile() ? readFileSync(path, 'utf8') : null
      return { path: path.slice(directory.length), mode: entry.isSymbolicLink() ? 0 : statSync(path).mode, content }
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

it('the Python environment of a task is that of `python3 -m venv`, with a pip of two lines', async () => {
  const root = mkdtempSync(join(tmpdir(), 'toolyard-environment-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const environment = join(root, 'code_env')
  execFileSync(PYTHON, ['-m', 'venv', '--without-pip', '--system-site-packages', environment])
  const real = treeOf(environment)
  rmSync(environment, { recursive: true })

  const watcher = spawn(PYTHON, ['-IS', 'src/guest/watcher.py', root, 'code_env', '--'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(watcher, 'exit')
  await once(watcher.stdout, 'data')
  watcher.kill('SIGKILL')
  await ended
  const made = treeOf(environment)
  expect(made.filter(({ path }) => !/\/pip3?$/.test(path))).toEqual(real.filter(({ path }) => !path.endsWith('.ps1')))
  expect(execFileSync(join(environment, 'bin/pip'), ['--version'], { encoding: 'utf8' })).toMatch(/^pip \d/)
  const prompt = execFileSync('bash', ['-c', '. code_env/bin/activate && echo "$PS1$VIRTUAL_ENV"'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(prompt).toBe(`(code_env) ${environment}\n`)
})
