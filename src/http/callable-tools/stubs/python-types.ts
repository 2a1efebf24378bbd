import type { TypeWords } from './schema-type.ts'

/** Types of Python; fields of objects are named as in a TypedDict, in braces. */
export const pythonTypes: TypeWords = {
  any: 'Any',
  null: 'None',
  boolean: 'bool',
  integer: 'int',
  number: 'float',
  string: 'str',
  literal: (value) => {
    if (typeof value === 'boolean') return `Literal[${value ? 'True' : 'False'}]`
    return `Literal[${JSON.stringify(value)}]`
  },
  list: (item) => `list[${item}]`,
  object: (fields) =>
    fields === null
      ? 'dict'
      : `{${fields.map(({ name, type, isOptional }) => `${JSON.stringify(name)}${isOptional ? '?' : ''}: ${type}`).join(', ')}}`,
}
