import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** One behaviour that a client of a published server can observe. */
export interface Requirement {
  readonly source: string
  /** One sentence, which is also the title of its test. */
  readonly behaviour: string
  /** Where we differ on purpose: what the published server does. */
  readonly differs?: string
}

/** What makes a test of behaviours out of that list; they are its title. */
export const verifierOf =
  <Id extends string>(requirements: Readonly<Record<Id, Requirement>>) =>
  (ids: Id | readonly Id[], run: () => Promise<void>) => {
    const cited = typeof ids === 'string' ? [ids] : ids
    it(cited.map((id) => `${requirements[id].behaviour} [${id}]`).join('; '), run)
  }

/** Counts both ways: every behaviour has a test in `directory`, and no test there cites one that is not listed. */
export function countsRequirements(directory: string, requirements: Readonly<Record<string, Requirement>>): void {
  it('every behaviour of the published server that is listed has a test', async () => {
    const tested = await citedIn(directory)
    expect(Object.keys(requirements).filter((id) => !tested.has(id))).toEqual([])
  })

  it('no test cites a behaviour that is not listed', async () => {
    const listed = new Set(Object.keys(requirements))
    expect([...(await citedIn(directory))].filter((id) => !listed.has(id))).toEqual([])
  })
}

async function citedIn(directory: string): Promise<Set<string>> {
  const files = (await readdir(directory)).filter((name) => name.endsWith('.test.ts'))
  const sources = await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')))
  const calls = sources.flatMap((source) => [...source.matchAll(/\bverifies\(\s*(\[[^\]]*\]|'[^']*')/g)])
  return new Set(calls.flatMap(([, ids = '']) => [...ids.matchAll(/'([^']+)'/g)].map(([, id = '']) => id)))
}
