/** JSON Schema as OpenAPI documents and lists of tools have it, as far as types of TypeScript are made of it. */
export interface TypedSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly deprecated?: boolean
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TypedSchema[]
  readonly oneOf?: readonly TypedSchema[]
  readonly items?: TypedSchema
  readonly properties?: Readonly<Record<string, TypedSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | TypedSchema
}

/**
 * TypeScript type of what a schema describes, over several lines where it has fields. Bounds and patterns are the server's to check.
 * @param indent spaces before each line but the first
 */
export function typeText(schema: TypedSchema, indent = ''): string {
  const { $ref, type, anyOf, oneOf } = schema
  if ($ref !== undefined) return `Schemas['${$ref.replace('#/components/schemas/', '')}']`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = anyOf ?? oneOf
  if (choices) return union(choices.map((choice) => typeText(choice, indent)))
  if (Array.isArray(type)) return union(type.map((each) => typeText({ ...schema, type: each }, indent)))
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return arrayText(schema.items ?? {}, indent)
    case 'object':
      return objectText(schema, indent)
    default:
      return 'unknown'
  }
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

function arrayText(items: TypedSchema, indent: string): string {
  const text = typeText(items, indent)
  const isUnion = !('const' in items) && (items.enum ?? items.anyOf ?? items.oneOf ?? Array.isArray(items.type))
  return isUnion && text.includes(' | ') ? `(${text})[]` : `${text}[]`
}

function objectText({ properties = {}, required = [], additionalProperties }: TypedSchema, indent: string): string {
  const others = additionalProperties === undefined || additionalProperties === false ? null : additionalProperties
  const inner = `${indent}  `
  const rest = others === null ? null : others === true ? 'unknown' : typeText(others, inner)
  const names = Object.keys(properties)
  if (names.length === 0) return `Record<string, ${rest ?? (additionalProperties === false ? 'never' : 'unknown')}>`
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name)
    const text = typeText(field, inner)
    return `${docText(field, inner)}${inner}${keyText(name)}${isRequired ? '' : '?'}: ${text}${isRequired ? '' : ' | undefined'}\n`
  })
  return `{\n${fields.join('')}${rest === null ? '' : `${inner}[other: string]: unknown\n`}${indent}}`
}

/** Name of a field as a key of a type. */
export const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)

/** Doc comment of a schema in one line; nothing where the schema has no words. */
export function docText({ description, deprecated }: TypedSchema, indent: string): string {
  const words = [...(deprecated ? ['@deprecated'] : []), ...(description ? [description] : [])].join(' ')
  return words === '' ? '' : `${indent}/** ${words.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`
}
