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
  'test/faults/drill.test.ts',
  'test/security/latex.test.ts',
  'test/dialects/toolserver/latex.test.ts',
  'test/docs/snippets.test.ts',
  'test/docs/lagent.test.ts',
  'test/e2e/session/deadlines.test.ts',
  'test/e2e/session/both-sides.test.ts',
  'test/e2e/session/python.test.ts',
  'test/e2e/session/ipython.test.ts',
  'test/e2e/leases/shares.test.ts',
  'test/e2e/leases/killed.test.ts',
  'test/e2e/wrangler-dev.test.ts',
  'test/e2e/bench-papers.test.ts',
  'test/e2e/reader/processes.test.ts',
  'test/faults/sandboxes.test.ts',
  'test/faults/resources.test.ts',
  'test/faults/deadlines.test.ts',
  'test/faults/names.test.ts',
  'test/faults/sync/changed-bytes.test.ts',
  'test/faults/sync/lifecycle.test.ts',
  'test/dialects/toolserver/code.test.ts',
  'test/dialects/xagent/shell.test.ts',
  'test/sandboxd/limits.test.ts',
  'test/contract/blobs.test.ts',
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
