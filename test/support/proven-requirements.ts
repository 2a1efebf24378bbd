import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vitest/config'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

/**
 * Fails a run in which some behaviour of a dialect's `requirements.ts` was proven by no test: one that cites it by
 * `verifies`, ran, and passed. A dialect of which not every test file ran, or not whole, is left out, so that one file can be
 * run by hand.
 * @param dialects the directory that has one folder for each dialect
 */
export function provenRequirements(dialects: string): Plugin {
  let narrowed = false
  const reporter: Reporter = {
    onTestRunStart(specifications) {
      narrowed = specifications.some(isNarrowed)
    },
    async onTestRunEnd(modules, _, reason) {
      if (narrowed || reason === 'interrupted') return
      for (const { dialect, listed, unproven } of await countRequirements(dialects, modules)) {
        if (unproven.length === 0) say(`${dialect}: ${listed} of ${listed} requirements proven`)
        else {
          say(`${dialect}: no test that ran and passed proves ${unproven.join(', ')}`)
          process.exitCode = 1
        }
      }
    },
  }
  return {
    name: 'proven-requirements',
    // Added here and not as `reporters`, which a --reporter of the command line takes the place of.
    configureVitest: ({ vitest }) => void vitest.config.reporters.push(reporter),
  }
}

/** Whether only some of the file's tests were selected. */
const isNarrowed = ({ project, testNamePattern, testLines, testIds, testTagsFilter }: TestSpecification) =>
  [project.vitest.config.testNamePattern, testNamePattern, testLines, testIds, testTagsFilter].some(
    (filter) => filter !== undefined,
  )

async function countRequirements(dialects: string, modules: readonly TestModule[]) {
  const ran = new Set(modules.map(({ moduleId }) => moduleId))
  const proven = provenIn(modules)
  const counts: { dialect: string; listed: number; unproven: string[] }[] = []
  for (const dialect of readdirSync(dialects)) {
    const directory = join(dialects, dialect)
    const list = join(directory, 'requirements.ts')
    const tests = readdirSync(directory).filter((name) => name.endsWith('.test.ts'))
    if (!existsSync(list) || !tests.every((name) => ran.has(join(directory, name)))) continue
    const { REQUIREMENTS } = await import(pathToFileURL(list).href)
    const ids = Object.keys(REQUIREMENTS)
    counts.push({ dialect, listed: ids.length, unproven: ids.filter((id) => !proven.get(directory)?.has(id)) })
  }
  return counts
}

/** Ids cited by tests that passed, by the directory of the tests. */
function provenIn(modules: readonly TestModule[]): Map<string, Set<string>> {
  const proven = new Map<string, Set<string>>()
  for (const module of modules) {
    const directory = dirname(module.moduleId)
    const ids = proven.get(directory) ?? new Set<string>()
    for (const test of module.children.allTests('passed')) for (const id of test.meta().verifies ?? []) ids.add(id)
    proven.set(directory, ids)
  }
  return proven
}

const say = (line: string) => process.stdout.write(`${line}\n`)
