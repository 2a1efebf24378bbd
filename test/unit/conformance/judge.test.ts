import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readBaseline } from '../../conformance/baseline.ts'
import { deviations, lineOf, unusedEntries } from '../../conformance/judge.ts'
import type { Check } from '../../conformance/suite.ts'

const good: Check = { id: 'good', status: 'SUCCESS' }
const bad: Check = { id: 'bad', status: 'FAILURE', errorMessage: 'no' }
const warned: Check = { id: 'warned', status: 'WARNING', errorMessage: 'should' }
const skipped: Check = { id: 'skipped', status: 'SKIPPED' }

function baseline(text: string) {
  const directory = mkdtempSync(join(tmpdir(), 'toolyard-baseline-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'baseline.yaml')
  writeFileSync(file, text)
  return readBaseline(file)
}

describe('expected failures', () => {
  it('have the reason of the comment above them', () => {
    expect(baseline('# Head.\n\nserver:\n  # First\n  # reason.\n  - a:x\n  - a:y\n  # Second.\n  - b:x\n')).toEqual(
      new Map([
        ['a:x', 'First reason.'],
        ['a:y', 'First reason.'],
        ['b:x', 'Second.'],
      ]),
    )
  })

  it('are refused without a reason, twice, and for a whole scenario', () => {
    expect(() => baseline('server:\n  - a:x\n')).toThrow('a:x has no reason')
    expect(() => baseline('server:\n  # R.\n  - a:x\n  - a:x\n')).toThrow('a:x is there twice')
    expect(() => baseline('server:\n  # R.\n  - tools-list\n')).toThrow('is not "scenario:check"')
  })
})

describe('a scenario', () => {
  it('is as expected when it passes, and when just the expected checks fail', () => {
    expect(deviations('s', [good, skipped], new Map())).toEqual([])
    expect(deviations('s', [good, bad], new Map([['s:bad', 'R.']]))).toEqual([])
  })

  it('deviates by a failure, a warning, and an expected failure that passes', () => {
    expect(deviations('s', [bad, warned], new Map([['t:bad', 'R.']]))).toEqual([
      's:bad failed: no',
      's:warned failed: should',
    ])
    expect(deviations('s', [good], new Map([['s:good', 'R.']]))).toEqual([
      's:good passed: remove it from the expected failures',
    ])
  })

  it('leaves no expected failure unnoticed that never ran', () => {
    const ran = [new Map([['s', [bad]]])]
    expect(unusedEntries(ran, new Map([['s:bad', 'R.']]))).toEqual([])
    expect(unusedEntries(ran, new Map([['s:gone', 'R.']]))).toEqual([
      's:gone never ran: remove it from the expected failures',
    ])
  })
})

it('counts warnings as failures, and skipped scenarios not at all', () => {
  expect(lineOf('wire', '2026-07-28', [[good], [good, warned], [skipped]])).toEqual({
    ...{ target: 'wire', revision: '2026-07-28' },
    ...{ scenarios: 2, passed: 1, checks: 3, failed: 1 },
  })
})
