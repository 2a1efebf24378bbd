import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { JOB_PROGRAM } from '../../../src/guest/jobs/programs.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolyard-job-log-'))
  writeFileSync(join(home, 'job.py'), JOB_PROGRAM)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Looks at the log of a running job, 20 seconds at most, while a command runs beside it. */
function look(beside: string) {
  const log = join(home, 'log')
  const { stdout } = spawnSync(
    'bash',
    ['-c', `(${beside}) & flock lock python3 -I job.py print . ${log} 0 20 100; wait`],
    { cwd: home, encoding: 'utf8' },
  )
  const at = stdout.indexOf('\n')
  return { ...JSON.parse(stdout.slice(0, at)), text: stdout.slice(at + 1) }
}

it('a look at a log waits for the rest of a character that is being printed', () => {
  writeFileSync(join(home, 'log'), Buffer.from('你').subarray(0, 1))
  expect(look(String.raw`sleep 1; printf '\xbd\xa0' >> log`)).toMatchObject({ text: '你', bytes: 3, ended: false })
})

it.each([
  ['at once', "printf 'a hunter2hunter2 b'"],
  ['byte by byte', 'for c in a " " h u n t e r 2 h u n t e r 2 " " b; do printf %s "$c"; sleep 0.02; done'],
])(
  'a log masks secrets of the environment that a command prints %s, and keeps what only begins as one',
  (_, script) => {
    const log = join(home, 'log')
    const limits = {
      max_line_bytes: 100,
      max_log_bytes: 1000,
      max_log_tail_bytes: 100,
      max_printed_bytes: 10_000,
      signal_seconds: 1,
    }
    const spec = { script: `${script}; printf ' hunt'`, log, secrets: ['KEY', 'SHORT'], seconds: 20, limits }
    writeFileSync(join(home, 'spec.json'), JSON.stringify(spec))
    // Secrets of which one begins another.
    const env = { ...process.env, JOB_PATH: process.env.PATH ?? '', KEY: 'hunter2hunter2', SHORT: 'hunter2' }
    const started = spawnSync('bash', ['-c', 'python3 -I job.py start . && flock lock true'], {
      cwd: home,
      env,
      encoding: 'utf8',
    })
    expect(started.stderr).toBe('')
    const text = readFileSync(log, 'utf8')
    expect(text.replaceAll('***', '*')).toMatch(/^a \*{1,2} b hunt$/)
  },
)

it('a look at a log does not wait at a pipe in its place, and shows nothing of a link to another file', () => {
  for (const other of ['mkfifo log', 'ln -s job.py log']) {
    expect(look(`${other}; sleep 1; rm log; echo end > end.json`)).toMatchObject({ text: '', size: null, ended: true })
    rmSync(join(home, 'end.json'))
  }
})
