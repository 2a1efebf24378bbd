import { fail } from '../core/failure.ts'
import { MAX_REQUIREMENTS } from '../core/limits/sessions.ts'

/**
 * The Python requirement specifiers in a text: `numpy, pandas>=2,<3`, a line each, or a requirements file.
 * A comma between two version clauses or inside `[extras]` does not separate; `; python_version < "3.12"` belongs to its specifier.
 * @throws FailureError `invalid_input` for one that pip would take as an option, `limit_exceeded` for too many
 */
export function specifiers(text: string): string[] {
  const source = text.replaceAll(/(^|\s)#[^\n]*/g, '$1')
  const found: string[] = []
  for (let at = skip(SEPARATORS, source, 0); at < source.length; at = skip(SEPARATORS, source, at)) {
    const [spec, end] = specifierAt(source, at)
    if (spec.startsWith('-')) {
      fail(
        'invalid_input',
        `requirements: ${JSON.stringify(spec.slice(0, 100))} is an option of pip; name packages only`,
      )
    }
    if (found.length === MAX_REQUIREMENTS) {
      fail(
        'limit_exceeded',
        `requirements: more than ${MAX_REQUIREMENTS} packages; install the others with pip_install`,
      )
    }
    found.push(spec)
    at = end
  }
  return found
}

const SEPARATORS = /[\s,;]+/y
const CLAUSE = String.raw`(?:===|[<>~=!]=|[<>])\s*[^\s,;<>=!~]+`
const NAMED = new RegExp(
  String.raw`[A-Za-z0-9][A-Za-z0-9._-]*(?:\s*\[[^\]\n]*\])?(?:\s*${CLAUSE}(?:\s*,\s*${CLAUSE})*|\s*@\s*[^\s,;]+)?(?=[\s,;]|$)`,
  'y',
)
const MARKER =
  /\s*;\s*(?:\(\s*)*(?:python_version|python_full_version|os_name|sys_platform|platform_\w+|implementation_\w+|extra)\b[^\n;,]*/y
const ANYTHING = /[^\s,;]+/y

function specifierAt(source: string, at: number): [spec: string, end: number] {
  const named = match(NAMED, source, at)
  if (named === null) {
    const rest = match(ANYTHING, source, at) ?? source.slice(at)
    return [rest, at + rest.length]
  }
  const marker = match(MARKER, source, at + named.length) ?? ''
  return [named.replaceAll(/\s+/g, named.includes('@') ? ' ' : '') + marker.trim(), at + named.length + marker.length]
}

function match(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0] ?? null
}

const skip = (pattern: RegExp, source: string, at: number) => at + (match(pattern, source, at)?.length ?? 0)
