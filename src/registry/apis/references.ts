import { fail } from '../../core/failure.ts'
import { MAX_REFERENCES } from '../../core/limits.ts'
import { isSchemaObject, localTarget } from '../schema-node.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** An object of JSON; an empty one for anything else. */
export const objectOf = (value: unknown): JsonObject => (isSchemaObject(value) ? value : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Follows `$ref` inside of one document; nothing else is ever fetched for it. */
export class References {
  readonly #root: JsonObject

  constructor(root: JsonObject) {
    this.#root = root
  }

  /** What stands there, or what it refers to. @throws FailureError `invalid_input` for what leads outside, nowhere or in a circle */
  follow(value: unknown): JsonObject {
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
    return localTarget(this.#root, ref) ?? fail('invalid_input', `$ref ${shown(ref)} leads nowhere in the document`)
  }
}

const shown = (ref: string) => JSON.stringify(ref.slice(0, 100))
