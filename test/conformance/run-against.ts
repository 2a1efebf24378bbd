import { join } from 'node:path'
import { type Baseline, readBaseline } from './baseline.ts'
import { deviations, type Line, lineOf, unusedEntries } from './judge.ts'
import { type Check, type Results, requiredScenarios, runSuite } from './suite.ts'

/** Server that the suite is run against. `wire` is our handler over the suite's own tools, `product` the server with its own. */
export type Target = 'wire' | 'product'

/** Runs of the suite: what each revision requires, and of those without such a list all that the suite has for them. */
const RUNS = [
  { revision: '2026-07-28', required: true },
  { revision: '2025-11-25', required: true },
  { revision: '2025-06-18', required: false },
  { revision: '2025-03-26', required: false },
] as const
/** Scenarios that no revision requires: those of the tasks extension, and others that the suite runs all the same. */
const UNSCORED = ['tasks', 'unscored']
/** Times that a scenario which deviates is run alone before it counts: some have deadlines of half a second. */
const MORE_TRIES = 2

export interface Outcome {
  readonly lines: readonly Line[]
  /** Deviations from what is expected. */
  readonly problems: readonly string[]
}

/** Runs the whole suite against one server. @param say tells of its progress */
export async function runAgainst(target: Target, url: string, say: (words: string) => void): Promise<Outcome> {
  const expected = readBaseline(join(import.meta.dirname, 'baselines', `${target}.yaml`))
  const sets = new Map<string, (readonly Check[])[]>(
    [...RUNS.map(({ revision }) => revision), ...UNSCORED].map((set) => [set, []]),
  )
  const problems: string[] = []
  const all: Results[] = []
  for (const { revision, required } of RUNS) {
    const args = required ? ['--requirements', revision] : ['--suite', 'all', '--spec-version', revision]
    const results = new Map(await runSuite(url, args, (scenario) => say(`${target} ${revision}: ${scenario}`)))
    const scored = required ? requiredScenarios(revision) : results
    for (const [scenario, first] of results) {
      const { checks, wrong } = await settled({ scenario, first, revision, url, expected, say })
      results.set(scenario, checks)
      problems.push(...wrong.map((words) => `${target} ${revision}: ${words}`))
      sets.get(scored.has(scenario) ? revision : scenario.startsWith('tasks-') ? 'tasks' : 'unscored')?.push(checks)
    }
    all.push(results)
  }
  return {
    lines: [...sets].map(([set, scenarios]) => lineOf(target, set, scenarios)),
    problems: [...problems, ...unusedEntries(all, expected).map((words) => `${target}: ${words}`)],
  }
}

interface Settling {
  readonly scenario: string
  readonly first: readonly Check[]
  readonly revision: string
  readonly url: string
  readonly expected: Baseline
  readonly say: (words: string) => void
}

/** Checks of a scenario, after more tries of it where they are not as expected. */
async function settled({ scenario, first, revision, url, expected, say }: Settling) {
  let checks = first
  let wrong = deviations(scenario, checks, expected)
  for (let more = MORE_TRIES; more > 0 && wrong.length > 0; more--) {
    say(`${revision}: ${scenario} once more, since ${wrong.join('; ')}`)
    const alone = ['--scenario', scenario, '--spec-version', revision, '--force']
    checks = (await runSuite(url, alone, () => {})).get(scenario) ?? checks
    wrong = deviations(scenario, checks, expected)
  }
  return { checks, wrong }
}
