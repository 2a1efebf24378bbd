import type { SchemaObject } from '../schema-node.ts'

/** A mismatch, in words that a model can act on. */
export interface Misfit {
  /** Path as text, e.g. `items[2].city`; empty for the whole. */
  readonly path: string
  readonly message: string
}

/** A place in a value, from the inside out: it becomes a path only when something is wrong there. */
export interface Where {
  readonly up: Where | null
  readonly key: string | number
}

/** Check of a value against one keyword of a schema, with the tools of a rule. */
export interface Check {
  readonly root: SchemaObject
  /** The schema that the keyword stands in, and the keyword's own value. */
  readonly schema: SchemaObject
  readonly word: unknown
  readonly value: unknown
  /** Counts work that is not counted elsewhere. Throws when it was too much. */
  spend(work: number): void
  /** Notes a mismatch of the value or of a part of it. @returns false */
  fail(message: string, key?: string | number): boolean
  failWith(misfits: readonly Misfit[]): boolean
  /** Checks the value, or a part of it, and notes mismatches. */
  fits(schema: unknown, part: unknown, key?: string | number): boolean
  /** Checks the value without noting anything. @returns null when it fits */
  misfits(schema: unknown, part: unknown): readonly Misfit[] | null
  matches(pattern: string, text: string): boolean
}

/** Checks one keyword. @returns whether the value matches; always true for a keyword that is not about such a value */
export type Rule = (check: Check) => boolean
