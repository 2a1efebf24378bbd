import { FailureError, fail, toFailure } from '../../core/failure.ts'
import { type Environment, evaluate, truth } from './expression/evaluate.ts'
import { MissingError, NotThereError } from './expression/missing.ts'
import { type Expression, parseExpression, parseInside } from './expression/parse.ts'
import { boundText, textOf } from './expression/values.ts'

/** JSON with expressions in its texts: `${{ … }}` alone is the value itself, among other characters its text. */
export type Template =
  | { readonly kind: 'constant'; readonly value: unknown }
  | ({ readonly kind: 'value' } & Placed)
  | { readonly kind: 'text'; readonly parts: readonly (string | Placed)[] }
  | { readonly kind: 'list'; readonly items: readonly Template[] }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, Template])[] }

/** An expression, and its place in the step, e.g. `input.url`. */
export interface Placed {
  readonly expression: Expression
  readonly source: string
  readonly where: string
}

const OPEN = '${{'

/**
 * Template of a JSON value.
 * @param value JSON no deeper than MAX_JSON_DEPTH
 * @param where its name in messages
 * @throws FailureError naming the place
 */
export function compileTemplate(value: unknown, where: string): Template {
  if (typeof value === 'string') return compileText(value, where)
  if (Array.isArray(value)) {
    const items = value.map((item, at) => compileTemplate(item, `${where}[${at}]`))
    return items.every(isConstant)
      ? { kind: 'constant', value: items.map((item) => item.value) }
      : { kind: 'list', items }
  }
  if (typeof value !== 'object' || value === null) return { kind: 'constant', value }
  const fields = Object.entries(value).map(([key, item]) => [key, compileTemplate(item, `${where}.${key}`)] as const)
  return { kind: 'object', fields }
}

const isConstant = (template: Template) => template.kind === 'constant'

/** A condition or a list to go through: an expression, which may stand between `${{` and `}}`. */
export function compileExpression(text: string, where: string): Placed {
  const inside = text.trim()
  const bare = inside.startsWith(OPEN) && inside.endsWith('}}') ? inside.slice(OPEN.length, -2) : inside
  return at(where, () => ({ expression: parseExpression(bare), source: bare.trim(), where }))
}

function compileText(text: string, where: string): Template {
  const parts: (string | Placed)[] = []
  let plain = ''
  let from = 0
  for (;;) {
    const open = text.indexOf(OPEN, from)
    if (open < 0) break
    if (text[open - 1] === '$' && open > from) {
      plain += text.slice(from, open - 1) + OPEN
      from = open + OPEN.length
      continue
    }
    plain += text.slice(from, open)
    const inside = open + OPEN.length
    const { expression, end } = at(where, () => parseInside(text, inside))
    if (plain !== '') parts.push(plain)
    plain = ''
    parts.push({ expression, source: text.slice(inside, end - 2).trim(), where })
    from = end
  }
  plain += text.slice(from)
  if (plain !== '') parts.push(plain)
  const [only] = parts
  if (only === undefined) return { kind: 'constant', value: '' }
  if (parts.length > 1) return { kind: 'text', parts }
  return typeof only === 'string' ? { kind: 'constant', value: only } : { kind: 'value', ...only }
}

/** All expressions of a template. */
export function expressionsOf(template: Template): Placed[] {
  switch (template.kind) {
    case 'constant':
      return []
    case 'value':
      return [template]
    case 'text':
      return template.parts.filter((part) => typeof part !== 'string')
    case 'list':
      return template.items.flatMap(expressionsOf)
    case 'object':
      return template.fields.flatMap(([, field]) => expressionsOf(field))
  }
}

/** Ways to get an expression's value, and its text. */
export interface Filler {
  value(placed: Placed): unknown
  text(placed: Placed): string
}

export function fill(template: Template, filler: Filler): unknown {
  switch (template.kind) {
    case 'constant':
      return template.value
    case 'value':
      return filler.value(template)
    case 'text':
      return joined(template.parts.map((part) => (typeof part === 'string' ? part : filler.text(part))))
    case 'list':
      return template.items.map((item) => fill(item, filler))
    case 'object':
      // fromEntries defines fields, so that one called __proto__ is a field like others.
      return Object.fromEntries(template.fields.map(([key, field]) => [key, fill(field, filler)]))
  }
}

function joined(parts: readonly string[]): string {
  boundText(parts.reduce((chars, part) => chars + part.length, 0))
  return parts.join('')
}

/**
 * Value of an expression. @throws NotThereError when it needs a step without a result, FailureError for all else, naming the
 * place
 */
export function placedValue({ expression, where }: Placed, environment: Environment): unknown {
  return at(where, () => evaluate(expression, environment))
}

/** Value of a condition. @throws as {@link placedValue}; `invalid_input` when it is neither true nor false */
export const holds = (placed: Placed, environment: Environment): boolean =>
  at(placed.where, () => truth(placedValue(placed, environment), 'a condition'))

export const fillerOf = (environment: Environment): Filler => ({
  value: (placed) => placedValue(placed, environment),
  text: (placed) => at(placed.where, () => textOf(placedValue(placed, environment), environment.work)),
})

/** Filler like {@link fillerOf}, with null for the values of a step that gave no result. */
export function lenientFillerOf(environment: Environment): Filler {
  const strict = fillerOf(environment)
  const unless = <T>(read: () => T, instead: T): T => {
    try {
      return read()
    } catch (thrown) {
      if (thrown instanceof NotThereError) return instead
      throw thrown
    }
  }
  return {
    value: (placed) => unless(() => strict.value(placed), null),
    text: (placed) => unless(() => strict.text(placed), ''),
  }
}

function at<T>(where: string, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof NotThereError) throw thrown
    if (thrown instanceof MissingError) fail('invalid_input', `${where}: ${thrown.message}; ${IF_MISSING}`)
    if (!(thrown instanceof FailureError) || thrown.failure.message.startsWith(`${where}: `)) throw thrown
    const { code, message } = toFailure(thrown)
    return fail(code, `${where}: ${message}`)
  }
}

const IF_MISSING = 'write x ?? null for what may be missing'
