import { fail } from './failure.ts'
import { MAX_SNAPSHOT_NAME_CHARS } from './limits/snapshots.ts'

/**
 * A moment of a session's files: the number of a commit, for the state after it, the name of a snapshot, or `HEAD` and `HEAD~2` as in
 * git: the newest commit, and the second one before it.
 */
export type Moment = number | string

/** Name of a snapshot: it begins with a letter, so that no name is a number, and stands in paths as it is. */
const SNAPSHOT_NAME = new RegExp(`^[A-Za-z][A-Za-z0-9._-]{0,${MAX_SNAPSHOT_NAME_CHARS - 1}}$`)

/** Text of a moment: the name of a snapshot, or `HEAD` with a number of commits before it. */
export const NAMED_MOMENT = new RegExp(`${SNAPSHOT_NAME.source}|^HEAD(?:~\\d{0,15}|\\^{1,9})$`)

/** Words on what a moment may be, for refusals of anything else. */
export const MOMENT_WORDS =
  'give the number of a commit, the name of a snapshot, or HEAD~1 for the commit before the newest'

/**
 * Number of commits before the newest one that `HEAD`, `HEAD~2` or `HEAD^^` names, and words that can be meant for the newest; null
 * for any other text.
 */
export function commitsBack(moment: string): number | null {
  if (/^(?:head|latest|newest|now|current)$/i.test(moment)) return 0
  const [, steps] = /^head(~\d{0,15}|\^{1,9})$/i.exec(moment) ?? []
  if (steps === undefined) return null
  return steps.startsWith('^') ? steps.length : Number(steps.slice(1) || '1')
}

/** @throws FailureError `invalid_input` for a name that no snapshot can have */
export function snapshotName(name: string): string {
  if (commitsBack(name) !== null)
    return fail('invalid_input', `${name} stands for a commit already; choose another name, such as before-${name}`)
  if (SNAPSHOT_NAME.test(name)) return name
  return fail(
    'invalid_input',
    `${JSON.stringify(name.slice(0, MAX_SNAPSHOT_NAME_CHARS))} is no name of a snapshot: give a letter first, then letters, digits, ".", "_" and "-", ${MAX_SNAPSHOT_NAME_CHARS} characters at most (MAX_SNAPSHOT_NAME_CHARS)`,
  )
}
