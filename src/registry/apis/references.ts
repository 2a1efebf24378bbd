import { fail } from '../../core/failure.ts'
import { MAX_API_DOCUMENT_WORK, MAX_REFERENCES } from '../../core/limits/imports.ts'
import { MAX_URL_CHARS } from '../../core/limits/web.ts'
import { isSchemaObject, localTarget } from '../schema-node.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** An object of JSON; an empty one for anything else. */
export const objectOf = (value: unknown): JsonObject => (isSchemaObject(value) ? value : {})

export const listOrEmpty = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Resolver of `$ref` inside of one document; nothing else is ever fetched for it. It counts its work: a large part with
 * many references would take for ever.
 */
export class References {
  readonly #root: JsonObject
  readonly #entries = new WeakMap<JsonObject, [string, unknown][]>()
  #work = 0

  constructor(root: JsonObject) {
    this.#root = root
  }

  /** Fields of an object; none of anything else. @throws FailureError `limit_exceeded` */
  entries(value: unknown): readonly [string, unknown][] {
    const object = objectOf(value)
    const entries = this.#entries.get(object) ?? Object.entries(object)
    this.#entries.set(object, entries)
    this.spend(entries.length)
    return entries
  }

  /** Counts work. @throws FailureError `limit_exceeded` when reading the document takes too much */
  spend(units: number): void {
    this.#work += 1 + units
    if (this.#work > MAX_API_DOCUMENT_WORK) {
      fail(
        'limit_exceeded',
        'the document refers to large parts too often (MAX_API_DOCUMENT_WORK); import it in parts, or with smaller schemas',
      )
    }
  }

  /**
   * The value itself, or the one that it refers to. @throws FailureError `invalid_input` for a reference that leads
   * outside, nowhere or in a circle
   */
  follow(value: unknown): JsonObject {
    this.spend(1)
    let at = objectOf(value)
    for (let steps = 0; typeof at.$ref === 'string'; steps++) {
      const ref = at.$ref
      if (steps === MAX_REFERENCES) {
        fail('invalid_input', `${shown(ref)} refers on and on (MAX_REFERENCES); the document must name what it means`)
      }
      at = objectOf(this.#find(ref))
    }
    return at
  }

  #find(ref: string): unknown {
    if (!ref.startsWith('#/')) {
      fail(
        'invalid_input',
        `$ref ${shown(ref)} leads out of the document; put all into one, e.g. with "redocly bundle"`,
      )
    }
    if (ref.length > MAX_URL_CHARS) fail('invalid_input', `$ref ${shown(ref)}… is too long to lead anywhere`)
    return localTarget(this.#root, ref) ?? fail('invalid_input', `$ref ${shown(ref)} leads nowhere in the document`)
  }
}

const shown = (ref: string) => JSON.stringify(ref.slice(0, 100))
