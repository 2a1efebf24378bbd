import { expect, it } from 'vitest'

/** Requirement: one behaviour that a client of a published server can observe. */
export interface Requirement {
  readonly source: string
  /** Behaviour in one sentence, which is also the title of its test. */
  readonly behaviour: string
  /** Behaviour of the published server, where ours differs on purpose. */
  readonly differs?: string
}

declare module 'vitest' {
  interface TaskMeta {
    /** Ids of the requirements that the test proves when it passes. `proven-requirements.ts` counts them after the run. */
    verifies?: readonly string[]
  }
}

/**
 * Makes tests of a list's behaviours, which are their titles. A test fails when nothing was asserted.
 * `which`: the case of the behaviour, where each has a test of its own.
 */
export const verifierOf =
  <Id extends string>(requirements: Readonly<Record<Id, Requirement>>) =>
  (ids: Id | readonly Id[], run: () => Promise<void>, which?: string) => {
    const cited = typeof ids === 'string' ? [ids] : ids
    const title = cited.map((id) => `${requirements[id].behaviour} [${id}]`).join('; ')
    it(which === undefined ? title : `${title}: ${which}`, { meta: { verifies: cited } }, async () => {
      expect.hasAssertions()
      await run()
    })
  }
