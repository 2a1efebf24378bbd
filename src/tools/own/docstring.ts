import { MAX_OWN_PARAMETERS } from '../../core/limits/sessions.ts'
import { withoutLast } from '../../core/without-last.ts'
import type { FunctionParameter } from '../../ports/toolbox.ts'

const PARAMETER_WORDS = new Set(['param', 'parameter', 'arg', 'argument', 'attribute', 'key', 'keyword'])
const DEFAULT = 'defaults to '

/**
 * Reads a docstring whose fields are written as `:param TYPE NAME: text`; a `?` behind the type makes it optional. Source:
 * XAgent ToolServer, core/register/wrapper.py, and the ReST style of the library docstring_parser.
 * @param docstring without its indentation
 */
export function readDocstring(docstring: string): { description: string; parameters: FunctionParameter[] } {
  const lines = docstring.split('\n')
  const at = lines.findIndex((line) => line.startsWith(':'))
  const [short = '', ...long] = (at === -1 ? lines : lines.slice(0, at)).join('\n').trim().split('\n')
  const rest = long.join('\n').trim()
  const fields: string[] = []
  for (const line of at === -1 ? [] : lines.slice(at)) {
    if (line.startsWith(':')) fields.push(line.slice(1))
    else fields.push(`${fields.pop() ?? ''}\n${line}`)
  }
  const parameters = new Map<string, FunctionParameter>()
  for (const field of fields) {
    const parameter = readField(field)
    if (parameter && parameters.size < MAX_OWN_PARAMETERS) parameters.set(parameter.name, parameter)
  }
  return {
    description: [short.trim(), rest].filter((text) => text !== '').join('\n'),
    parameters: [...parameters.values()],
  }
}

function readField(field: string): FunctionParameter | null {
  const colon = field.indexOf(':')
  if (colon === -1) return null
  const words = field.slice(0, colon).trim().split(/\s+/)
  const [word = '', first, second] = words
  if (!PARAMETER_WORDS.has(word) || first === undefined || words.length > 3) return null
  const type = second === undefined ? null : first.replace(/\?$/, '')
  const description = field
    .slice(colon + 1)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()
  const from = description.lastIndexOf(DEFAULT)
  const fallback = from === -1 ? '' : withoutLast(description.slice(from + DEFAULT.length), '.')
  return {
    name: second ?? first,
    type,
    description,
    optional: second !== undefined && first.endsWith('?'),
    ...(fallback !== '' && { fallback }),
  }
}
