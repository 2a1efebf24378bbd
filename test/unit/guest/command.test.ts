import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { COMMAND, KILL, PROCESSES, REPORT } from '../../../src/guest/bash/programs.ts'
import { bashCall } from '../../../src/guest/bash-program.ts'

const MARK = 987_654_321
const MAX_BYTES = 20
const MAX_KEPT_BYTES = 1_000

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolyard-command-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Runs a command in a workspace that is `home`, and reports it. */
function run(command: string, directory = 'work') {
  const [state, out, err, outLog, errLog] = ['', 'a.out', 'a.err', 'logs/out', 'logs/err'].map((name) =>
    join(home, name),
  )
  const begin = bashCall('begin_command', 'c1', home, `./${directory}`, `${state}`, `${out}`, `${err}`, MARK)
  const report = ['c1', '$code', ...[home, out, err, outLog, errLog], MAX_BYTES, MAX_BYTES, MAX_KEPT_BYTES, MARK, "''"]
  const script = `exec 3>&2 2>/dev/null; ${COMMAND}
${begin}
( ${bashCall('enter_environment', '/venv', 'COMMANDS')}; ${command}
) < /dev/null > ${out} 2> ${err} 3>&-
code=$?
${PROCESSES}${REPORT}report_command ${report.join(' ')}`
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
    encoding: 'utf8',
    env: { ...process.env, COMMANDS: process.env.PATH },
  })
  return { stdout, stderr }
}

it('prints what the command printed, and its exit code and sizes behind that', () => {
  expect(run('echo one; echo zwölf >&2; exit 3')).toEqual({ stdout: 'one\n', stderr: 'zwölf\n\n@c1 ran 3 4 7 0\n' })
})

it('shows head and tail of what is long or has a NUL, and keeps the whole', () => {
  const { stdout, stderr } = run(`printf %s abcdefghijklmnopqrstuvwxyz; printf 'a\\0b' >&2`)
  expect(stdout).toBe('abcdefghij\n@c1 cut\nqrstuvwxyz')
  expect(stderr).toBe('a\0b\n@c1 ran 0 26 3 0\n')
  expect(readFileSync(join(home, 'logs/out'), 'utf8')).toBe('abcdefghijklmnopqrstuvwxyz')
})

it('runs the command where it belongs, with its own PATH, and with no function or variable of ours', () => {
  run(`pwd; echo "$VIRTUAL_ENV ${'$'}{COMMANDS-none}"`, 'else where')
  expect(readFileSync(join(home, 'a.out'), 'utf8')).toBe(`${join(home, 'else where')}\n/venv none\n`)
  const names = 'call_id|workspace|directory|finish_command|begin_command|enter_environment|make_output_files'
  expect(run(`set | grep -cE '^(${names})( |=)'`).stdout).toBe('0\n')
})

it('says that a process of the command lives on, and ends it by its mark', () => {
  const { stderr } = run('sleep 60 > /dev/null 2>&1 & echo')
  expect(stderr).toBe('\n@c1 ran 0 1 0 1\n')
  const { status } = spawnSync('bash', ['--norc', '-c', `exec 2>/dev/null\n${KILL}kill_marked ${MARK} 1 10`])
  expect(status).toBe(0)
  const found = spawnSync(
    'bash',
    ['--norc', '-c', `${PROCESSES}find_marked ${MARK} 2>/dev/null; echo ${'$'}{#found[@]}`],
    {
      encoding: 'utf8',
    },
  )
  expect(found.stdout).toBe('0\n')
})

it('says what was not there to begin with', () => {
  const { stderr } = spawnSync('bash', [
    '--norc',
    '-c',
    `exec 3>&2 2>/dev/null; ${COMMAND}\n${bashCall('begin_command', 'c1', join(home, 'none'), '.', home, 'a', 'b', MARK)}`,
  ])
  expect(String(stderr)).toBe('\n@c1 gone\n')
})
