import { canonicalJson, isSchemaObject, pointerToken, type SchemaObject, sameJson } from './schema-node.ts'

/**
 * Effect of a change. `narrowed`: what fitted may not fit any more; `widened`: what did not fit may fit now; `unknown`: nobody
 * can tell.
 */
export type Effect = 'narrowed' | 'widened' | 'unknown' | 'none'

/** Change of a keyword: a finding, or two subschemas to compare. `below`: their place, as a JSON Pointer. */
export type Difference =
  | { readonly what: string; readonly effect: Effect; readonly below?: string }
  | { readonly before: unknown; readonly after: unknown; readonly below: string }

/** A keyword's value before and after, undefined where it is absent; and the schemas that it stands in. */
export interface Keyword {
  readonly was: unknown
  readonly is: unknown
  readonly before: SchemaObject
  readonly after: SchemaObject
}

type Compare = (keyword: Keyword) => readonly Difference[]

/** Keywords without constraints. Definitions are compared where something refers to them. */
export const NOTES: ReadonlySet<string> = new Set([
  ...['title', 'description', 'examples', 'example', '$comment', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$defs', 'definitions', 'externalDocs', 'xml'],
])

/** Comparison for a keyword; undefined for an unknown one. */
export const comparerOf = (keyword: string): Compare | undefined => COMPARERS.get(keyword)

const narrowed = (what: string): Difference[] => [{ what, effect: 'narrowed' }]
const widened = (what: string): Difference[] => [{ what, effect: 'widened' }]
const unknown = (what: string): Difference[] => [{ what: `${what}; what that means cannot be told`, effect: 'unknown' }]

const compareType: Compare = ({ was, is }) => {
  const [old, young] = [typesOf(was), typesOf(is)]
  if (!old) return narrowed(`must be ${quoteValue(is)} now`)
  if (!young) return widened(`may be anything now, not only ${quoteValue(was)}`)
  const gone = old.filter((type) => !covers(young, type))
  const come = young.filter((type) => !covers(old, type))
  return [
    ...(gone.length > 0 ? narrowed(`may no longer be ${gone.join(' or ')}`) : []),
    ...(come.length > 0 ? widened(`may be ${come.join(' or ')} now`) : []),
  ]
}

const typesOf = (type: unknown): readonly unknown[] | null =>
  type === undefined ? null : Array.isArray(type) ? type : [type]

const covers = (types: readonly unknown[], type: unknown) =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

const compareProperties: Compare = ({ was, is, before }) => {
  const [old, young] = [objectOr(was), objectOr(is)]
  const added = before.additionalProperties === false ? 'widened' : 'none'
  return [...new Set([...Object.keys(old), ...Object.keys(young)])].map((name) => {
    const below = `/properties${pointerToken(name)}`
    if (!Object.hasOwn(old, name)) return { what: 'was added', effect: added, below }
    // A sender of the property is no longer heard, and a reader finds nothing.
    if (!Object.hasOwn(young, name)) return { what: 'was removed', effect: 'unknown', below }
    return { before: old[name], after: young[name], below }
  })
}

const compareRequired: Compare = ({ was, is }) => {
  const [old, young] = [new Set(listOr(was)), new Set(listOr(is))]
  return [
    ...[...young].filter((name) => !old.has(name)).flatMap((name) => narrowed(`${quoteValue(name)} is required now`)),
    ...[...old]
      .filter((name) => !young.has(name))
      .flatMap((name) => widened(`${quoteValue(name)} is no longer required`)),
  ]
}

/** Compares a keyword that holds one schema; a missing one is `true`. */
const compareSubschema =
  (keyword: string): Compare =>
  ({ was, is }) => {
    if (Array.isArray(was) || Array.isArray(is)) return sameJson(was, is) ? [] : unknown(`${keyword} changed`)
    if (bindsNothing(was) && bindsNothing(is)) return []
    if (bindsNothing(was)) return narrowed(`${keyword} is bound now`)
    if (bindsNothing(is)) return widened(`${keyword} is bound no longer`)
    return [{ before: was, after: is, below: `/${keyword}` }]
  }

const bindsNothing = (schema: unknown) =>
  schema === undefined || schema === true || (isSchemaObject(schema) && Object.keys(schema).length === 0)

const compareEnum: Compare = ({ was, before, after }) => {
  const [old, young] = [valuesOf(before), valuesOf(after)]
  // `enum` may have become `const`, or the reverse: only the keyword that was there reports it.
  if (was === undefined && old && young) return []
  if (!old) return narrowed(`must be one of ${quoteValue(young)} now`)
  if (!young) return widened(`may be anything now, not only one of ${quoteValue(old)}`)
  const [had, has] = [new Set(old.map(canonicalJson)), new Set(young.map(canonicalJson))]
  const gone = old.filter((value) => !has.has(canonicalJson(value)))
  const come = young.filter((value) => !had.has(canonicalJson(value)))
  return [
    ...(gone.length > 0 ? narrowed(`may no longer be one of ${quoteValue(gone)}`) : []),
    ...(come.length > 0 ? widened(`may be one of ${quoteValue(come)} now`) : []),
  ]
}

const valuesOf = (schema: SchemaObject): readonly unknown[] | null =>
  Object.hasOwn(schema, 'const') ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : null

const compareBound =
  (keyword: string, tighter: 'up' | 'down'): Compare =>
  ({ was, is }) => {
    if (was === is) return []
    if (was === undefined) return narrowed(`${keyword} is ${quoteValue(is)} now`)
    if (is === undefined) return widened(`${keyword} is gone; it was ${quoteValue(was)}`)
    const what = `${keyword} is ${quoteValue(is)} now; it was ${quoteValue(was)}`
    if (typeof was !== 'number' || typeof is !== 'number') return unknown(what)
    return is > was === (tighter === 'up') ? narrowed(what) : widened(what)
  }

const compareMultiple: Compare = ({ was, is }) => {
  if (was === is) return []
  if (was === undefined) return narrowed(`must be a multiple of ${quoteValue(is)} now`)
  if (is === undefined) return widened(`need no longer be a multiple of ${quoteValue(was)}`)
  const what = `must be a multiple of ${quoteValue(is)} now, not of ${quoteValue(was)}`
  if (typeof was !== 'number' || typeof is !== 'number') return unknown(what)
  return is % was === 0 ? narrowed(what) : was % is === 0 ? widened(what) : unknown(what)
}

const compareUnique: Compare = ({ was, is }) => {
  if ((was === true) === (is === true)) return []
  return is === true ? narrowed('its items must differ now') : widened('its items need no longer differ')
}

const comparePresence =
  (keyword: string): Compare =>
  ({ was, is }) => {
    if (sameJson(was, is)) return []
    if (was === undefined) return narrowed(`${keyword} is ${quoteValue(is)} now`)
    if (is === undefined) return widened(`${keyword} is gone; it was ${quoteValue(was)}`)
    return unknown(`${keyword} is ${quoteValue(is)} now; it was ${quoteValue(was)}`)
  }

/** Compares a list that differs only by added or removed items; more of them has the effect `more`. */
const compareAlternatives =
  (keyword: string, more: (what: string) => Difference[]): Compare =>
  ({ was, is }) => {
    if (sameJson(was, is)) return []
    if (was === undefined) return narrowed(`${keyword} was added`)
    if (is === undefined) return widened(`${keyword} was removed`)
    const [had, has] = [new Set(listOr(was).map(canonicalJson)), new Set(listOr(is).map(canonicalJson))]
    const less = more === widened ? narrowed : widened
    if (had.isSubsetOf(has)) return more(`${keyword} has more`)
    if (has.isSubsetOf(had)) return less(`${keyword} has fewer`)
    return unknown(`${keyword} changed`)
  }

const compareDefault: Compare = ({ was, is }) => {
  if (sameJson(was, is)) return []
  return [
    { what: is === undefined ? 'has no default any more' : `its default is ${quoteValue(is)} now`, effect: 'none' },
  ]
}

const COMPARERS: ReadonlyMap<string, Compare> = new Map([
  ['type', compareType],
  ['properties', compareProperties],
  ['required', compareRequired],
  ...['additionalProperties', 'items', 'propertyNames'].map((name) => [name, compareSubschema(name)] as const),
  ['enum', compareEnum],
  ['const', compareEnum],
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
    (name) => [name, compareBound(name, 'up')] as const,
  ),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
    (name) => [name, compareBound(name, 'down')] as const,
  ),
  ['multipleOf', compareMultiple],
  ['uniqueItems', compareUnique],
  ...['pattern', 'format'].map((name) => [name, comparePresence(name)] as const),
  ['anyOf', compareAlternatives('anyOf', widened)],
  ['allOf', compareAlternatives('allOf', narrowed)],
  ['default', compareDefault],
])

const objectOr = (value: unknown): SchemaObject => (isSchemaObject(value) ? value : {})
const listOr = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const quoteValue = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text
}
/** Length of a value as a change quotes it. */
const MAX_QUOTED_CHARS = 100
