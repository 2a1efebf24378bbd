import { expect, it } from 'vitest'

/** One behaviour that a client of a published server can observe. */
export interface Requirement {
  readonly source: string
  /** One sentence, which is also the title of its test. */
  readonly behaviour: string
  /** Where we differ on purpose: what the published server does. */
  readonly differs?: string
}

declare module 'vitest' {
  interface TaskMeta {
    /** Ids of the requirements that the test proves when it passes. `proven-requirements.ts` counts them after the run. */
    verifies?: readonly string[]
  }
}

/** What makes a test of behaviours out of that list; they are its title. It fails when nothing was asserted. */
export const verifierOf =
  <Id extends string>(requirements: Readonly<Record<Id, Requirement>>) =>
  (ids: Id | readonly Id[], run: () => Promise<void>) => {
    const cited = typeof ids === 'string' ? [ids] : ids
    const title = cited.map((id) => `${requirements[id].behaviour} [${id}]`).join('; ')
    it(title, { meta: { verifies: cited } }, async () => {
      expect.hasAssertions()
      await run()
    })
  }
