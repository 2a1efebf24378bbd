import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const loaded = { status: 'passed', assertionResults: [{}] }
const failing = { status: 'failed', assertionResults: [{}] }
const notLoaded = { status: 'failed', assertionResults: [] }

it.each([
  ['all pass', { numPassedTests: 7, numFailedTests: 0, testResults: [loaded] }, 0, '7 passed, 0 failed'],
  ['one fails', { numPassedTests: 6, numFailedTests: 1, testResults: [loaded, failing] }, 1, '6 passed, 1 failed'],
  [
    'a file cannot be loaded',
    { numPassedTests: 6, numFailedTests: 0, testResults: [notLoaded] },
    1,
    '6 passed, 1 failed',
  ],
  ['none ran', { numPassedTests: 0, numFailedTests: 0, testResults: [] }, 1, '0 passed, 0 failed'],
  ['vitest left nothing', undefined, 1, '0 passed, 0 failed'],
])('counts what ran when %s', (_, results, code, line) => {
  const directory = mkdtempSync(join(tmpdir(), 'toolyard-count-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'results.json')
  writeFileSync(file, results === undefined ? '' : JSON.stringify(results))
  const { status, stdout } = spawnSync(process.execPath, ['scripts/count-tests.mjs', file], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([code, `${line}\n`])
})
