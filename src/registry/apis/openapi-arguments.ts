import type { Part } from '../http-request.ts'
import type { ArgumentNames } from './names.ts'
import { type JsonObject, listOrEmpty, objectOf, type References, textOf } from './references.ts'
import { type SchemaReader, shorten } from './schema.ts'

/** Arguments of an operation: the schema of each, and its place in the request. */
export class OperationArguments {
  readonly properties: Record<string, JsonObject> = {}
  readonly required: string[] = []
  readonly query: Record<string, Part> = {}
  readonly headers: Record<string, Part> = {}
  readonly cookies: Record<string, Part> = {}
  body: JsonObject | null = null
  readonly #names: ArgumentNames
  readonly #schemas: SchemaReader
  readonly #references: References
  /** Pieces of the path by name in the path, each with its argument in braces. */
  readonly #inPath = new Map<string, string>()

  constructor(names: ArgumentNames, schemas: SchemaReader, references: References) {
    this.#names = names
    this.#schemas = schemas
    this.#references = references
  }

  /** Adds a parameter. @returns why it cannot be sent; null when it can */
  addParameter(given: unknown): string | null {
    const parameter = this.#references.follow(given)
    const { in: place, explode } = parameter
    const name = textOf(parameter.name)
    if (name === '') return 'a parameter has no name'
    if (name === '__proto__') return 'a parameter has the name __proto__, which cannot be sent'
    if (place === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) return null
    const style = textOf(parameter.style) || (place === 'query' || place === 'cookie' ? 'form' : 'simple')
    const [content] = this.#references.entries(parameter.content).map(([, one]) => objectOf(one))
    const arg = this.#take(name, content?.schema ?? parameter.schema, {
      place: textOf(place),
      description: textOf(parameter.description),
      required: parameter.required === true || place === 'path',
    })
    const part = { arg, ...(typeof explode === 'boolean' && { explode }) }
    switch (place) {
      case 'path':
        return this.#addToPath(name, style, { arg, isExploded: explode === true })
      case 'query':
        if (!isQueryStyle(style)) return `the parameter ${name} has the style ${style.slice(0, 50)}, which is unknown`
        this.query[name] = { ...part, style: content ? 'json' : style }
        return null
      case 'header':
        this.headers[name] = part
        return null
      case 'cookie':
        this.cookies[name] = part
        return null
      default:
        return `the parameter ${name} is in no place that is known`
    }
  }

  /** Adds the body. @returns why it cannot be sent; null when it can */
  addBody(given: unknown): string | null {
    const body = this.#references.follow(given)
    const types = this.#references.entries(body.content)
    if (types.length === 0) return null
    const found = BODY_KINDS.map(([pattern, as]) => ({ as, type: types.find(([name]) => pattern.test(name)) })).find(
      ({ type }) => type !== undefined,
    )
    if (!found?.type) return `its body is ${types[0]?.[0].slice(0, 100)}; only JSON, forms and text are sent`
    const [mediaType, { schema }] = [found.type[0], objectOf(found.type[1])]
    const read = this.#schemas.read(schema)
    const properties = Object.entries(objectOf(read.properties))
    const isRequired = body.required === true
    const isPlainObject = properties.length > 0 && !('oneOf' in read) && !('anyOf' in read)
    if (found.as === 'text' || !isPlainObject) {
      if (found.as === 'form') return 'its form has no fields that are named'
      const arg = this.#name('body', 'body')
      this.properties[arg] = { ...read, description: textOf(read.description) || 'What is sent as the body.' }
      if (isRequired) this.required.push(arg)
      this.body = { as: 'argument', arg, media_type: found.as === 'text' ? mediaType : 'application/json' }
      return null
    }
    const required = new Set(listOrEmpty(read.required))
    const fields: Record<string, string> = {}
    for (const [name, property] of properties) {
      const arg = this.#name(name, 'body')
      this.properties[arg] = objectOf(property)
      if (isRequired && required.has(name)) this.required.push(arg)
      fields[name] = arg
    }
    this.body = { as: found.as, fields }
    return null
  }

  /** A path with the names of the arguments in the place of those of its parameters. */
  path(given: string): string {
    return given.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const known = this.#inPath.get(name)
      if (known !== undefined) return known
      const piece = `{${this.#take(name, { type: 'string' }, { place: 'path', required: true })}}`
      this.#inPath.set(name, piece)
      return piece
    })
  }

  /** Adds a piece of the path. Styles differ by what stands before a value, and by how lists and objects are taken apart. */
  #addToPath(name: string, style: string, { arg, isExploded }: { arg: string; isExploded: boolean }): string | null {
    if (!isPathStyle(style)) return `the path parameter ${name} has the style ${style.slice(0, 50)}, which is unknown`
    const isPlain = PLAIN_TYPES.has(this.properties[arg]?.type)
    if (isExploded && !isPlain && style !== 'simple')
      return `the path parameter ${name} has the style ${style} with explode, which is sent of texts and numbers alone`
    const before = { simple: '', label: '.', matrix: `;${encodeURIComponent(name.toWellFormed())}=` }[style]
    this.#inPath.set(name, `${before}{${arg}}`)
    return null
  }

  #take(
    name: string,
    schema: unknown,
    { place, required, description = '' }: { place: string; required: boolean; description?: string },
  ): string {
    const arg = this.#name(name, place)
    const read = this.#schemas.read(schema)
    const ownText = shorten(description) || textOf(read.description)
    this.properties[arg] = ownText === '' ? read : { ...read, description: ownText }
    if (required) this.required.push(arg)
    return arg
  }

  #name(name: string, place: string): string {
    return this.#names.of(name, place)
  }
}

/** Headers that OpenAPI describes elsewhere. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization', 'cookie'])

const QUERY_STYLES = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const
const isQueryStyle = (style: string): style is (typeof QUERY_STYLES)[number] =>
  (QUERY_STYLES as readonly string[]).includes(style)

const PATH_STYLES = ['simple', 'label', 'matrix'] as const
const isPathStyle = (style: string): style is (typeof PATH_STYLES)[number] =>
  (PATH_STYLES as readonly string[]).includes(style)
const PLAIN_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

/** The one that says most comes first. */
const BODY_KINDS = [
  [/^application\/(?:[\w.-]+\+)?json\b|^\*\/\*/i, 'json'],
  [/^application\/x-www-form-urlencoded\b/i, 'form'],
  [/^text\//i, 'text'],
] as const
