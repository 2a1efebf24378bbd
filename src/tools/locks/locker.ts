import * as z from 'zod'
import { MAX_LOCKER_NAME_CHARS } from '../../core/limits/workspace.ts'
import type { FileLock } from '../../ports/locks.ts'
import { integer, withDefault } from '../arguments.ts'

/** Name of who locks and unlocks without saying who: all agents of a task, as its files are theirs together. */
const DEFAULT_LOCKER = 'task'

export const lockerName = withDefault(
  z.string().max(MAX_LOCKER_NAME_CHARS, `has more than ${MAX_LOCKER_NAME_CHARS} characters (MAX_LOCKER_NAME_CHARS)`),
  DEFAULT_LOCKER,
).transform((name) => (name === '' ? DEFAULT_LOCKER : name.toWellFormed()))

export const lockLevel = withDefault(
  integer.refine((level) => level >= 1, 'must be 1 or more'),
  1,
)

/** Lock as the Tool Server shows it; the time is UTC. */
export const shownLock = ({ path, level, name, lockedAt }: FileLock) => ({
  path,
  level,
  locker_name: name,
  locked_at: new Date(lockedAt).toISOString().slice(0, 19).replace('T', ' '),
  locked_at_timestamp: lockedAt / 1000,
})
