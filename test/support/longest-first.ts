import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** Files that take longest, the longest one first. They begin a run, so that none is left alone at its end. */
const LONGEST = [
  'test/e2e/start.test.ts',
  'test/unit/stall/hostile-files.test.ts',
  'test/security/stall.test.ts',
  'test/dialects/toolserver/real-documents.test.ts',
  'test/e2e/session/jobs.test.ts',
  'test/dialects/toolserver/code-task.test.ts',
  'test/dialects/xagent/notebook.test.ts',
  'test/faults/tampering.test.ts',
  'test/dialects/toolserver/latex.test.ts',
  'test/docs/snippets.test.ts',
]

/** Vitest's own order, by the times of the last run where it knows them, behind the files that are known to take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return place === -1 ? LONGEST.length : place
    }
    return sorted.sort((one, other) => placeOf(one) - placeOf(other))
  }
}
