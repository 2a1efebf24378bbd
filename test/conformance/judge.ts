import type { Baseline } from './baseline.ts'
import type { Check, Results } from './suite.ts'

/** Counts of one server and revision. A warning is a failure. Skipped checks and scenarios count as none. */
export interface Line {
  readonly target: string
  readonly revision: string
  readonly scenarios: number
  /** Scenarios of which no check failed. */
  readonly passed: number
  /** Checks with a verdict. */
  readonly checks: number
  readonly failed: number
}

const hasFailed = ({ status }: Check) => status === 'FAILURE' || status === 'WARNING'
const hasVerdict = (check: Check) => hasFailed(check) || check.status === 'SUCCESS'

/** Counts scenarios. @param scenarios the checks of each */
export function lineOf(target: string, revision: string, scenarios: readonly (readonly Check[])[]): Line {
  const judged = scenarios.map((checks) => checks.filter(hasVerdict)).filter((checks) => checks.length > 0)
  return {
    target,
    revision,
    scenarios: judged.length,
    passed: judged.filter((checks) => !checks.some(hasFailed)).length,
    checks: judged.flat().length,
    failed: judged.flat().filter(hasFailed).length,
  }
}

/** Deviations of results from what is expected, in words; empty where there is none. */
export function deviations(scenario: string, checks: readonly Check[], expected: Baseline): string[] {
  const failed = checks.filter(hasFailed)
  const unexpected = failed
    .filter(({ id }) => !expected.has(`${scenario}:${id}`))
    .map(({ id, errorMessage }) => `${scenario}:${id} failed: ${errorMessage ?? 'without a message'}`)
  const stale = checks
    .filter(({ id, status }) => status === 'SUCCESS' && expected.has(`${scenario}:${id}`))
    .filter(({ id }) => !failed.some((check) => check.id === id))
    .map(({ id }) => `${scenario}:${id} passed: remove it from the expected failures`)
  return [...unexpected, ...stale]
}

/** Entries that no result used: their scenario or check is gone. */
export function unusedEntries(results: readonly Results[], expected: Baseline): string[] {
  const used = new Set(
    results.flatMap((one) => [...one].flatMap(([scenario, checks]) => checks.map(({ id }) => `${scenario}:${id}`))),
  )
  return [...expected.keys()]
    .filter((entry) => !used.has(entry))
    .map((entry) => `${entry} never ran: remove it from the expected failures`)
}
