/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Notes on what a translated schema lacks: one for each kind, with the first place and the number of places. */
export class SchemaNotes {
  readonly #places = new Map<string, { readonly first: string; count: number }>()

  addAll(others: SchemaNotes): void {
    for (const [note, place] of others.#places) this.#places.set(note, place)
  }

  add(note: string, path: readonly string[]): void {
    const known = this.#places.get(note)
    if (known) known.count++
    else this.#places.set(note, { first: path.join('.').slice(0, 200) || 'the whole', count: 1 })
  }

  get sentences(): string[] {
    return [...this.#places].map(
      ([note, { first, count }]) =>
        `${note} (${first}${count > 1 ? ` and ${count - 1} more place${count > 2 ? 's' : ''}` : ''})`,
    )
  }
}

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const schemasIn = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : [])

/** Properties of an object's schema; those that are no schemas take any value. */
export const propertiesOf = (schema: JsonSchema): readonly (readonly [string, JsonSchema])[] =>
  isSchema(schema.properties)
    ? Object.entries(schema.properties).map(([name, part]) => [name, isSchema(part) ? part : {}] as const)
    : []

export const requiredOf = ({ required }: JsonSchema): readonly string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []

/** Keywords that say something about values. All others are names, comments and extensions, and go without a note. */
export const CONSTRAINTS: ReadonlySet<string> = new Set([
  'additionalProperties', 'allOf', 'const', 'contains', 'dependentRequired', 'dependentSchemas', 'dependencies', 'else', 'enum',
  'exclusiveMaximum', 'exclusiveMinimum', 'format', 'if', 'maxContains', 'maxItems', 'maxLength', 'maxProperties', 'maximum',
  'minContains', 'minItems', 'minLength', 'minProperties', 'minimum', 'multipleOf', 'not', 'oneOf', 'pattern', 'patternProperties',
  'prefixItems', 'then', 'unevaluatedItems', 'unevaluatedProperties', 'uniqueItems',
]) // biome-ignore format: a list of words
