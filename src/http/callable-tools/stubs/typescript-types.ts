import type { TypeWords } from './schema-type.ts'

/** Types of TypeScript. */
export const typescriptTypes: TypeWords = {
  any: 'any',
  null: 'null',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  string: 'string',
  literal: (value) => JSON.stringify(value),
  list: (item) => (item.includes(' ') ? `Array<${item}>` : `${item}[]`),
  object: (fields) =>
    fields === null
      ? 'Record<string, any>'
      : `{ ${fields.map(({ name, type, isOptional }) => `${JSON.stringify(name)}${isOptional ? '?' : ''}: ${type}`).join('; ')} }`,
}
