import { isObject, type JsonObject } from '../../../core/json-object.ts'
import type { ToolEntry } from '../tool-entries.ts'
import { pythonTypes } from './python-types.ts'
import { typeOf } from './schema-type.ts'
import { typescriptTypes } from './typescript-types.ts'

/** Languages of `code_run_tools` that stubs are written in. */
export const STUB_LANGUAGES = ['python', 'typescript'] as const
export type StubLanguage = (typeof STUB_LANGUAGES)[number]

/** A tool as code calls it: its name, typed arguments and what each is, for a model that writes such code. */
export const stubOf = (entry: ToolEntry, language: StubLanguage): string =>
  language === 'python' ? pythonStub(entry) : typescriptStub(entry)

function pythonStub({ name, description, inputSchema }: ToolEntry): string {
  const { required, optional, others } = parametersOf(inputSchema)
  // Names that Python does not take go by `**{"from": 1}`.
  const line = ({ name, schema, text }: Parameter, isOptional: boolean) =>
    `    ${isPythonName(name) ? name : `**{${JSON.stringify(name)}: …}`}: ${typeOf(schema, pythonTypes)}${isOptional ? ' = ...' : ''},${text === '' ? '' : `  # ${text}`}`
  const lines = [...required.map((one) => line(one, false)), ...optional.map((one) => line(one, true))]
  if (others) lines.push('    **others,')
  const call = isPythonName(name) ? `tools.${name}` : `tools[${JSON.stringify(name)}]`
  const head = `# ${oneLine(description)}`
  return lines.length === 0 ? `${head}\n${call}() -> dict` : `${head}\n${call}(\n${lines.join('\n')}\n) -> dict`
}

function typescriptStub({ name, description, inputSchema }: ToolEntry): string {
  const { required, optional, others } = parametersOf(inputSchema)
  const line = ({ name, schema, text }: Parameter, isOptional: boolean) =>
    `  ${isName(name) ? name : JSON.stringify(name)}${isOptional ? '?' : ''}: ${typeOf(schema, typescriptTypes)}${text === '' ? '' : ` // ${text}`}`
  const lines = [...required.map((one) => line(one, false)), ...optional.map((one) => line(one, true))]
  if (others) lines.push('  [other: string]: unknown')
  const call = isName(name) ? `tools.${name}` : `tools[${JSON.stringify(name)}]`
  const args = lines.length === 0 ? '' : `args${required.length === 0 ? '?' : ''}: {\n${lines.join('\n')}\n}`
  return `// ${oneLine(description)}\n${call}(${args}): Promise<Record<string, any>>`
}

interface Parameter {
  readonly name: string
  readonly schema: unknown
  readonly text: string
}

function parametersOf(input: JsonObject) {
  const properties = isObject(input.properties) ? input.properties : {}
  const names = new Set(Array.isArray(input.required) ? input.required : [])
  const all = Object.entries(properties).map(([name, schema]): Parameter => ({ name, schema, text: textOf(schema) }))
  return {
    required: all.filter(({ name }) => names.has(name)),
    optional: all.filter(({ name }) => !names.has(name)),
    others: all.length === 0 && input.additionalProperties !== false,
  }
}

const textOf = (schema: unknown) =>
  isObject(schema) && typeof schema.description === 'string' ? oneLine(schema.description) : ''

/** A text in one line: what follows a line break would not be a comment. */
const oneLine = (text: string) => text.replaceAll(/[\s\u0085\u2028\u2029]+/g, ' ').trim()

const isName = (name: string) => /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)
const isPythonName = (name: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !PYTHON_KEYWORDS.has(name)

const PYTHON_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)
