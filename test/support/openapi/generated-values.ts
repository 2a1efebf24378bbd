import type { JsonSchema } from '../../../src/http/operations/json-schema.ts'
import { isSchemaObject, localTarget } from '../../../src/registry/schema-node.ts'

/** Texts that programs stumble over. */
const TEXTS = [
  '', ' ', 'a', 'a/b', '../..', 'x'.repeat(300), '\u0000', 'line\nbreak', '\ud800', '日本語', '🦊', '%', '%00', '"', "'", '<script>',
  '-1', '0', '1e999', 'null', 'true', '{}', '[]', '__proto__', '2026-11-20', '2026-02-30T00:00:00Z', '*', `\${{ x }}`, 'a@1',
] // biome-ignore format: a list of words
const NUMBERS = [0, 1, -1, 2, 1.5, 200, 1e9, Number.MAX_SAFE_INTEGER, -1e308, 1e308]

/** Generator of JSON values: those that a schema describes, and others. @param random numbers from 0 to 1 */
export class Values {
  readonly #random: () => number
  readonly #root: JsonSchema

  constructor(random: () => number, root: JsonSchema) {
    this.#random = random
    this.#root = root
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T
  }

  chance(of: number): boolean {
    return this.#random() < of
  }

  /** A value that fits the schema, but for patterns and formats. */
  fitting(schema: unknown, depth = 0): unknown {
    if (!isSchemaObject(schema) || Object.keys(schema).length === 0) return this.any(depth)
    if (typeof schema.$ref === 'string') return this.fitting(localTarget(this.#root, schema.$ref), depth)
    if ('const' in schema) return schema.const
    if (Array.isArray(schema.enum)) return this.pick(schema.enum)
    const parts = schema.anyOf ?? schema.oneOf
    if (Array.isArray(parts)) return this.fitting(this.pick(parts), depth)
    const type = Array.isArray(schema.type) ? this.pick(schema.type) : schema.type
    switch (type) {
      case 'object':
        return this.#object(schema, depth)
      case 'array':
        return this.#list(schema, depth)
      case 'string':
        return this.#text(schema)
      case 'integer':
      case 'number':
        return this.#number(schema)
      case 'boolean':
        return this.chance(0.5)
      case 'null':
        return null
      default:
        return this.any(depth)
    }
  }

  /** Any value. */
  any(depth = 0): unknown {
    const shallow = [null, true, false, this.pick(NUMBERS), this.pick(TEXTS), [], {}]
    if (depth > 3) return this.pick(shallow)
    return this.pick([...shallow, [this.any(depth + 1)], { [this.pick(TEXTS)]: this.any(depth + 1) }])
  }

  text(): string {
    return this.pick(TEXTS)
  }

  /** A copy in which one value, anywhere, is another one, or is gone, or has a neighbour that nobody knows. */
  broken(value: unknown): unknown {
    if (Array.isArray(value) && value.length > 0 && this.chance(0.8)) {
      const at = Math.floor(this.#random() * value.length)
      return value.map((item, index) => (index === at ? this.broken(item) : item))
    }
    if (isSchemaObject(value) && Object.keys(value).length > 0 && this.chance(0.8)) {
      const name = this.pick(Object.keys(value))
      const { [name]: part, ...rest } = value
      return this.pick([
        () => rest,
        () => ({ ...value, [this.text()]: 1 }),
        () => ({ ...value, [name]: this.broken(part) }),
      ])()
    }
    return this.any()
  }

  #object(schema: JsonSchema, depth: number): unknown {
    const properties = isSchemaObject(schema.properties) ? schema.properties : {}
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    const there = Object.entries(properties).filter(([name]) => required.has(name) || (depth < 6 && this.chance(0.5)))
    const fields = there.map(([name, part]) => [name, this.fitting(part, depth + 1)] as const)
    const isOpen = schema.additionalProperties !== false && depth < 4 && this.chance(0.3)
    return {
      ...Object.fromEntries(fields),
      ...(isOpen && { [this.pick(['a', 'b', ...TEXTS])]: this.fitting(schema.additionalProperties, depth + 1) }),
    }
  }

  #list({ items, minItems, maxItems }: JsonSchema, depth: number): unknown {
    const least = typeof minItems === 'number' ? minItems : 0
    const most = Math.min(typeof maxItems === 'number' ? maxItems : 3, depth > 5 ? least : least + 3)
    const count = least + Math.floor(this.#random() * (most - least + 1))
    return Array.from({ length: count }, () => this.fitting(items, depth + 1))
  }

  #text({ format, minLength, maxLength, example }: JsonSchema): string {
    if (format === 'date') return '2026-11-20'
    if (format === 'date-time') return '2027-11-20T00:00:00Z'
    if (format === 'uri') return this.pick(['http://127.0.0.1:1/', 'https://service.example/'])
    if (typeof example === 'string') return example
    const text = this.pick(['some text', 'NAME', 'a-b', ...TEXTS]).padEnd(Number(minLength ?? 0), 'x')
    return text.slice(0, Number(maxLength ?? text.length))
  }

  #number({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): number {
    const least = Number(minimum ?? (exclusiveMinimum === undefined ? -10 : Number(exclusiveMinimum) + 1))
    const most = Math.max(least, Math.min(Number(maximum ?? least + 1_000), Number.MAX_SAFE_INTEGER))
    const number = this.pick([least, most, least + this.#random() * (most - least)])
    return type === 'integer' ? Math.trunc(number) : number
  }
}
