import type { Expression } from './parse.ts'

/** A name and the fields behind it, as far as they are known without evaluating: of `steps.a.result[input.n].x`, steps a result. */
export interface Path {
  readonly name: string
  readonly fields: readonly (string | number)[]
  /** True under `??`, `has` and the like, where the path may be missing. */
  readonly optional: boolean
}

/** Every path in an expression, the longest of each. */
export function pathsOf(expression: Expression, optional = false): Path[] {
  switch (expression.kind) {
    case 'literal':
      return []
    case 'list':
      return expression.items.flatMap((item) => pathsOf(item, optional))
    case 'name':
      return [{ name: expression.name, fields: [], optional }]
    case 'field':
      return ofField(expression, optional)
    case 'call':
      return expression.args.flatMap((arg) => pathsOf(arg, optional || LENIENT.has(expression.name)))
    case 'unary':
      return pathsOf(expression.of, optional)
    case 'binary':
      return [...pathsOf(expression.left, optional || expression.sign === '??'), ...pathsOf(expression.right, optional)]
    case 'choice':
      return [expression.when, expression.then, expression.otherwise].flatMap((part) => pathsOf(part, optional))
  }
}

const LENIENT = new Set(['has', 'default', 'coalesce'])

function ofField(expression: Extract<Expression, { kind: 'field' }>, optional: boolean): Path[] {
  const whole = staticPath(expression)
  if (whole) return [{ ...whole, optional }]
  return [...pathsOf(expression.of, optional), ...pathsOf(expression.key, optional)]
}

/**
 * Path without its optional mark.
 * @returns null when a part of it must be evaluated first
 */
function staticPath(expression: Expression): Omit<Path, 'optional'> | null {
  if (expression.kind === 'name') return { name: expression.name, fields: [] }
  if (expression.kind !== 'field' || expression.key.kind !== 'literal') return null
  const { value } = expression.key
  const owner = staticPath(expression.of)
  if (!owner || (typeof value !== 'string' && typeof value !== 'number')) return null
  return { name: owner.name, fields: [...owner.fields, value] }
}
