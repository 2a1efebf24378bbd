import type { Change } from './change.ts'
import { isWithin } from './tree.ts'

/** The changes that a client asks for in one request. */
export interface Operation {
  /** Unique in a drill. */
  readonly id: number
  readonly steps: readonly Change[]
  /** Author of the change: a tool in one commit, or a command in the sandbox, which may end between two steps. */
  readonly by: 'tool' | 'sandbox'
}

/**
 * Whether two operations that are made at once could both change a file, one by a tool and one by a command in the sandbox. The later change
 * wins then, and the other is in history: neither of them comes after the other, as all other operations do.
 */
export function couldConflict(one: Operation, other: Operation): boolean {
  if (one.by === other.by) return false
  const paths = other.steps.flatMap(pathsOf)
  return one.steps.flatMap(pathsOf).some((path) => paths.some((each) => isWithin(path, each) || isWithin(each, path)))
}

const pathsOf = (step: Change): readonly string[] => ('path' in step ? [step.path] : [step.from, step.to])
