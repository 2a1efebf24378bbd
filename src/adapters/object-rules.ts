import type { Failure } from '../core/failure.ts'

/** Answer to a call that failed or whose object was lost, for a method whose callers must always get one. */
export interface Lost<Args extends readonly never[], Answer> {
  /** True when a second request changes nothing beyond the first. */
  isRepeatable(...args: Args): boolean
  /** The answer in place of an error; null for the error. */
  answer(failure: Failure, ...args: Args): Answer | null
}

/**
 * Rule for a call whose object is lost: `repeat` where a second request changes nothing beyond the first, else `once`;
 * `remove` where the second answer would differ, but a full disk takes the first removal back and lets the next object
 * remove.
 */
export type Repeat = 'repeat' | 'once' | 'remove'

/** Rule of a group's method that removes data, and so may write on a full disk. */
export interface FreesRoom {
  readonly repeat: Repeat
  readonly freesRoom: true
}

export type AnyRule = Repeat | FreesRoom | Lost<readonly never[], unknown>

/** Rules of an object's methods: those of the object itself, and those of its groups by the group's name. */
export type Rules<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...args: infer Args extends never[]) => Promise<infer Answer>
    ? Repeat | Lost<Args, Answer>
    : GroupRules<Api[Name]>
}

type GroupRules<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends (...args: infer Args extends never[]) => Promise<infer Answer>
    ? Repeat | FreesRoom | Lost<Args, Answer>
    : never
}

/** The table of an object as the code that walks it sees it. */
export type AnyRules = Readonly<Record<string, AnyRule | Readonly<Record<string, AnyRule>>>>

export const isGroup = (rule: AnyRules[string]): rule is Readonly<Record<string, AnyRule>> =>
  typeof rule === 'object' &&
  !('freesRoom' in rule) &&
  !('isRepeatable' in rule && typeof rule.isRepeatable === 'function')

/**
 * Name of a group's method on its object. One property of the object, and no property of a property: a call is one request like
 * any other, and no object for the group has to be kept for it on either side.
 */
export const wireName = (group: string, method: string) => `${group}.${method}`

/** Answer of a group's method between objects, where the class of an error is lost. */
export type Envelope = { readonly value: unknown } | { readonly failure: Failure }
