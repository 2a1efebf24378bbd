import { MAX_COMPARED_CHARS, MAX_SCHEMA_CHANGES, MAX_SCHEMA_DEPTH } from '../core/limits/schemas.ts'
import type { ToolDefinition } from './definition.ts'
import { comparerOf, type Difference, type Effect, NOTES } from './schema-keywords.ts'
import { isSchemaObject, localTarget, type SchemaObject, sameJson } from './schema-node.ts'

/** One difference between the schemas of two versions. */
export interface SchemaChange {
  readonly schema: 'input' | 'output'
  /** JSON Pointer into the schema; empty for the whole. */
  readonly path: string
  readonly what: string
  /** True when a fitting value may no longer fit: arguments that callers send, or results that they expect. */
  readonly breaking: boolean
}

export interface Comparison {
  readonly breaking: boolean
  /** Changes, at most MAX_SCHEMA_CHANGES; the last one counts the rest. */
  readonly changes: readonly SchemaChange[]
}

type Schemas = Pick<ToolDefinition, 'input_schema' | 'output_schema'>

/**
 * Compares the schemas of two versions from a caller's view. Arguments must go on being taken, so a schema of arguments may
 * widen; results must go on being what callers expect, so that of results may narrow. An unknown effect counts as breaking.
 */
export function compareSchemas(before: Schemas, after: Schemas): Comparison {
  const changes = [
    ...new Comparer('input', before.input_schema, after.input_schema).changes(),
    ...new Comparer('output', before.output_schema, after.output_schema).changes(),
  ]
  const breaking = changes.some((change) => change.breaking)
  if (changes.length <= MAX_SCHEMA_CHANGES) return { breaking, changes }
  const sorted = [...changes.filter((change) => change.breaking), ...changes.filter((change) => !change.breaking)]
  const shown = sorted.slice(0, MAX_SCHEMA_CHANGES - 1)
  const rest = sorted.slice(shown.length)
  const what = `and ${rest.length} more changes`
  return {
    breaking,
    changes: [...shown, { schema: 'input', path: '', what, breaking: rest.some((one) => one.breaking) }],
  }
}

/** Compares two schemas side by side. */
class Comparer {
  readonly #schema: 'input' | 'output'
  readonly #before: SchemaObject
  readonly #after: SchemaObject
  readonly #changes: SchemaChange[] = []
  /** Pairs of references that are being followed, or were: a loop ends there. */
  readonly #followed = new Set<string>()
  readonly #sizes = new WeakMap<object, number>()
  /** Characters that references led to: each target may be reached again and again. */
  #spent = 0

  constructor(schema: 'input' | 'output', before: SchemaObject, after: SchemaObject) {
    this.#schema = schema
    this.#before = before
    this.#after = after
  }

  changes(): readonly SchemaChange[] {
    this.#compare(this.#before, this.#after, '', 0)
    return this.#changes
  }

  #note(path: string, what: string, effect: Effect): void {
    const harm = this.#schema === 'input' ? 'narrowed' : 'widened'
    const breaking = effect === 'unknown' || effect === harm
    this.#changes.push({ schema: this.#schema, path, what, breaking })
  }

  #compare(before: unknown, after: unknown, path: string, depth: number): void {
    if (depth > MAX_SCHEMA_DEPTH || this.#spent > MAX_COMPARED_CHARS) {
      if (!sameJson(before, after)) this.#note(path, 'changed, too deep or too large to say how', 'unknown')
      return
    }
    const [old, young] = [asObject(before), asObject(after)]
    if (!old || !young) {
      if (old) this.#note(path, 'nothing fits any more', 'narrowed')
      else if (young) this.#note(path, 'something fits now', 'widened')
      return
    }
    if (this.#followReferences(old, young, path, depth)) return
    for (const keyword of new Set([...Object.keys(old), ...Object.keys(young)])) {
      if (NOTES.has(keyword)) continue
      const [was, is] = [own(old, keyword), own(young, keyword)]
      const compare = comparerOf(keyword)
      if (compare) this.#take(compare({ was, is, before: old, after: young }), path, depth)
      else if (!sameJson(was, is)) {
        const how = was === undefined ? 'was added' : is === undefined ? 'was removed' : 'changed'
        this.#note(path, `${keyword} ${how}; what that means cannot be told`, 'unknown')
      }
    }
  }

  #take(differences: readonly Difference[], path: string, depth: number): void {
    for (const difference of differences) {
      if ('what' in difference) this.#note(path + (difference.below ?? ''), difference.what, difference.effect)
      else this.#compare(difference.before, difference.after, path + difference.below, depth + 1)
    }
  }

  /** Follows the references of both schemas. @returns true when the comparison was made with what they lead to */
  #followReferences(old: SchemaObject, young: SchemaObject, path: string, depth: number): boolean {
    const [was, is] = [own(old, '$ref'), own(young, '$ref')]
    if (was === undefined && is === undefined) return false
    const [from, to] = [targetOf(this.#before, old), targetOf(this.#after, young)]
    if (from === undefined || to === undefined) {
      if (sameJson(old, young)) return true
      this.#note(path, '$ref leads nowhere, or has other words beside it; what changed cannot be told', 'unknown')
      return true
    }
    if (was !== undefined && is !== undefined) {
      const pair = JSON.stringify([was, is])
      if (this.#followed.has(pair)) return true
      this.#followed.add(pair)
    }
    this.#spent += this.#size(from) + this.#size(to)
    this.#compare(from, to, path, depth + 1)
    return true
  }

  #size(schema: unknown): number {
    if (typeof schema !== 'object' || schema === null) return 1
    const size = this.#sizes.get(schema) ?? JSON.stringify(schema).length
    this.#sizes.set(schema, size)
    return size
  }
}

/** Target of a schema's `$ref`, the schema itself without one; undefined when that is unknown. */
function targetOf(root: SchemaObject, schema: SchemaObject): unknown {
  const ref = own(schema, '$ref')
  if (ref === undefined) return schema
  const beside = Object.keys(schema).some((keyword) => keyword !== '$ref' && !NOTES.has(keyword))
  return typeof ref !== 'string' || beside ? undefined : localTarget(root, ref)
}

/** Schema of a boolean: `true` as the schema that it means; null for `false`, and for values that are no schema. */
function asObject(schema: unknown): SchemaObject | null {
  if (schema === true || schema === undefined) return {}
  return isSchemaObject(schema) ? schema : null
}

const own = (schema: SchemaObject, keyword: string): unknown =>
  Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
