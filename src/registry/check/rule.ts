import type { SchemaObject } from '../schema-node.ts'

/** What does not fit, in words that a model can act on. */
export interface Misfit {
  /** E.g. `items[2].city`; empty for the whole. */
  readonly path: string
  readonly message: string
}

/** A place in a value, from the inside out: it becomes a path only when something is wrong there. */
export interface Where {
  readonly up: Where | null
  readonly key: string | number
}

/** One keyword of a schema and a value, and what a rule needs to say whether they fit. */
export interface Check {
  readonly root: SchemaObject
  /** The schema that the keyword stands in, and the keyword's own value. */
  readonly schema: SchemaObject
  readonly word: unknown
  readonly value: unknown
  /** Counts work that is not counted elsewhere. Throws when it was too much. */
  spend(work: number): void
  /** Notes a misfit, of the value or of a part of it. @returns false */
  fail(message: string, key?: string | number): boolean
  failWith(misfits: readonly Misfit[]): boolean
  /** Checks the value, or a part of it, and notes what does not fit. */
  fits(schema: unknown, part: unknown, key?: string | number): boolean
  /** Checks the value without noting anything. @returns null when it fits */
  misfits(schema: unknown, part: unknown): readonly Misfit[] | null
  matches(pattern: string, text: string): boolean
}

/** @returns whether they fit; a keyword that is not about such a value always does */
export type Rule = (check: Check) => boolean
