import { MAX_CHECK_DEPTH, MAX_CHECK_STEPS, MAX_MISFITS } from '../../core/limits/schemas.ts'
import type { SchemaObject } from '../schema-node.ts'
import { isSchemaObject } from '../schema-node.ts'
import { RULES } from './keyword-rules.ts'
import { Pattern } from './pattern.ts'
import type { Check, Misfit, Where } from './rule.ts'

/**
 * Mismatches of a value with a JSON Schema (drafts 4 to 2020-12, without dynamic references and `unevaluated…`; formats are not
 * checked). At most MAX_MISFITS. Both schema and value may be hostile: the work is bounded, and what exceeds it counts as a
 * mismatch. `schemaProblem` must have found nothing wrong with the schema.
 */
export function checkValue(schema: SchemaObject, value: unknown): readonly Misfit[] {
  try {
    const out: Misfit[] = []
    const fits = new Checker(schema).check(schema, value, { where: null, out, depth: 0 })
    return fits || out.length > 0 ? out : [{ path: '', message: 'does not fit' }]
  } catch (thrown) {
    if (thrown instanceof TooMuch || thrown instanceof RangeError) {
      return [{ path: '', message: 'is too large or too deep to be checked (MAX_CHECK_STEPS, MAX_CHECK_DEPTH)' }]
    }
    throw thrown
  }
}

class TooMuch extends Error {}

interface Place {
  readonly where: Where | null
  readonly out: Misfit[]
  readonly depth: number
}

class Checker {
  readonly #root: SchemaObject
  readonly #patterns = new Map<string, Pattern>()
  #steps = 0

  constructor(root: SchemaObject) {
    this.#root = root
  }

  check(schema: unknown, value: unknown, { where, out, depth }: Place): boolean {
    this.#spend(1)
    if (depth > MAX_CHECK_DEPTH) throw new TooMuch()
    if (schema === false) return note(out, where, 'must not be there')
    if (!isSchemaObject(schema)) return true
    let fits = true
    for (const keyword of Object.keys(schema)) {
      this.#spend(1)
      const rule = RULES.get(keyword)
      if (rule && !rule(this.#about(schema, schema[keyword], value, { where, out, depth }))) fits = false
      if (!fits && out.length >= MAX_MISFITS) return false
    }
    return fits
  }

  #about(schema: SchemaObject, word: unknown, value: unknown, { where, out, depth }: Place): Check {
    return {
      root: this.#root,
      schema,
      word,
      value,
      spend: (work) => this.#spend(work),
      fail: (message, key) => note(out, key === undefined ? where : { up: where, key }, message),
      failWith: (misfits) => {
        out.push(...misfits.slice(0, Math.max(0, MAX_MISFITS - out.length)))
        return false
      },
      fits: (other, part, key) =>
        this.check(other, part, { where: key === undefined ? where : { up: where, key }, out, depth: depth + 1 }),
      misfits: (other, part) => {
        const own: Misfit[] = []
        return this.check(other, part, { where, out: own, depth: depth + 1 }) ? null : own
      },
      matches: (source, text) => this.#pattern(source).foundIn(text, (work) => this.#spend(work)),
    }
  }

  #pattern(source: string): Pattern {
    const made = this.#patterns.get(source) ?? new Pattern(source)
    this.#patterns.set(source, made)
    return made
  }

  #spend(work: number): void {
    this.#steps += work
    if (this.#steps > MAX_CHECK_STEPS) throw new TooMuch()
  }
}

/** Notes a mismatch. @returns false, as the rules do for a mismatch */
function note(out: Misfit[], where: Where | null, message: string): boolean {
  if (out.length < MAX_MISFITS) out.push({ path: pathOf(where), message })
  return false
}

function pathOf(where: Where | null): string {
  const steps: (string | number)[] = []
  for (let at = where; at !== null; at = at.up) steps.unshift(at.key)
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`
    return path === '' ? step : `${path}.${step}`
  }, '')
}
