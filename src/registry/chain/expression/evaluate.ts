import { fail } from '../../../core/failure.ts'
import { isObject, type JsonObject } from '../../../core/json-object.ts'
import { contains, FUNCTIONS, finite, itemOf, lengthOf } from './functions.ts'
import { MissingError, NotThereError, WHY_NO_RESULT } from './missing.ts'
import type { BinarySign, Expression } from './parse.ts'
import { boundText, equal, keysOf, kindOf, ownField, textOf } from './values.ts'
import type { Work } from './work.ts'

/** Values of names, and the counter of work. Values are JSON. */
export interface Environment {
  readonly names: ReadonlyMap<string, unknown>
  readonly work: Work
}

/**
 * The value of an expression. Nothing of it is run as a program: it reads own fields of JSON and calls functions of a table.
 * @throws MissingError for a path that leads to nothing
 * @throws FailureError `invalid_input` for values that do not fit, `limit_exceeded`
 */
export function evaluate(expression: Expression, environment: Environment): unknown {
  environment.work.spend(1)
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'list':
      return expression.items.map((item) => evaluate(item, environment))
    case 'name':
      return named(expression.name, environment)
    case 'field':
      return field(evaluate(expression.of, environment), evaluate(expression.key, environment), expression, environment)
    case 'call':
      return call(expression.name, expression.args, environment)
    case 'unary':
      return unary(expression.sign, evaluate(expression.of, environment))
    case 'binary':
      return binary(expression, environment)
    case 'choice':
      return truth(evaluate(expression.when, environment), '?')
        ? evaluate(expression.then, environment)
        : evaluate(expression.otherwise, environment)
  }
}

function named(name: string, { names }: Environment): unknown {
  const value = names.get(name)
  return value === undefined ? fail('invalid_input', `there is no ${name} here`) : value
}

type Field = Extract<Expression, { kind: 'field' }>

function field(owner: unknown, key: unknown, { of, source }: Field, { work }: Environment): unknown {
  const where = () => ('source' in of ? of.source : 'it')
  if (owner === null) return missing(`${where()} is null, so there is no ${source}`)
  if (Array.isArray(owner)) return ofList(owner, key, where)
  if (typeof owner === 'string' && key === 'length') return lengthOf(owner, work)
  if (!isObject(owner)) return missing(`${where()} is ${kindOf(owner)}, which has no fields`)
  if (typeof key !== 'string') return missing(`${where()} is an object; its fields have names, not ${kindOf(key)}`)
  const value = ownField(owner, key)
  if (value !== undefined) return value
  const why: unknown = (owner as { [WHY_NO_RESULT]?: unknown })[WHY_NO_RESULT]
  if (typeof why === 'string') throw new NotThereError(why)
  const { count, listing } = fieldsOf(owner)
  work.spend(count)
  return missing(`${where()} has no ${JSON.stringify(key.slice(0, 60))}; it has ${listing}`)
}

function ofList(owner: readonly unknown[], key: unknown, where: () => string): unknown {
  if (typeof key === 'number') return itemOf(owner, key)
  if (key === 'length') return owner.length
  return missing(`${where()} is a list; write [0] for its first item, or pluck(${where()}, ${JSON.stringify(key)})`)
}

/** Number of an object's fields, and their list for errors. */
interface Fields {
  readonly count: number
  readonly listing: string
}

/** Fields of large objects, as long as those live: listing 300,000 takes a tenth of a second. */
const KNOWN_FIELDS = new WeakMap<JsonObject, Fields>()
/** Fewer are listed each time: `steps`, the one object that changes while a chain runs, has no more than a chain has steps. */
const LARGE_FIELDS = 1_000

/** Fields of an object, counted and listed once for a large one: `??` makes an error of each missing field. */
function fieldsOf(owner: JsonObject): Fields {
  const known = KNOWN_FIELDS.get(owner)
  if (known) return known
  const names = keysOf(owner)
  const fields = { count: names.length, listing: someOf(names) }
  if (fields.count >= LARGE_FIELDS) KNOWN_FIELDS.set(owner, fields)
  return fields
}

const someOf = (names: readonly string[]) => {
  const shown = names.slice(0, 12).map((name) => name.slice(0, 60))
  return shown.length === 0 ? 'no fields' : `${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`
}

const missing = (message: string): never => {
  throw new MissingError(message)
}

function call(name: string, args: readonly Expression[], environment: Environment): unknown {
  if (name === 'has') return firstThere(args, environment) !== null
  if (name === 'default' || name === 'coalesce') return firstThere(args, environment)
  const values = args.map((arg) => evaluate(arg, environment))
  // The parser accepts no other names.
  return FUNCTIONS.get(name)?.run(values, environment.work)
}

/** The first value that exists and is not null, or null. */
function firstThere(expressions: readonly Expression[], environment: Environment): unknown {
  for (const expression of expressions) {
    try {
      const value = evaluate(expression, environment)
      if (value !== null) return value
    } catch (thrown) {
      if (!(thrown instanceof MissingError)) throw thrown
    }
  }
  return null
}

function unary(sign: '!' | '-', value: unknown): unknown {
  if (sign === '!') return !truth(value, '!')
  return typeof value === 'number' ? -value : notFor('-', value)
}

type Binary = Extract<Expression, { kind: 'binary' }>

function binary({ sign, left, right }: Binary, environment: Environment): unknown {
  if (sign === '??') return firstThere([left, right], environment)
  const value = evaluate(left, environment)
  if (sign === '&&') return truth(value, sign) && truth(evaluate(right, environment), sign)
  if (sign === '||') return truth(value, sign) || truth(evaluate(right, environment), sign)
  return OPERATIONS[sign](value, evaluate(right, environment), environment.work)
}

type Operation = (left: unknown, right: unknown, work: Work) => unknown

const OPERATIONS: Record<Exclude<BinarySign, '??' | '&&' | '||'>, Operation> = {
  '==': equal,
  '!=': (left, right, work) => !equal(left, right, work),
  '<': (left, right, work) => order('<', left, right, work) < 0,
  '<=': (left, right, work) => order('<=', left, right, work) <= 0,
  '>': (left, right, work) => order('>', left, right, work) > 0,
  '>=': (left, right, work) => order('>=', left, right, work) >= 0,
  in: (part, whole, work) => contains(whole, part, work),
  '+': add,
  '-': arithmetic('-', (left, right) => left - right),
  '*': arithmetic('*', (left, right) => left * right),
  '/': arithmetic('/', (left, right) => left / divisor(right)),
  '%': arithmetic('%', (left, right) => left % divisor(right)),
}

function add(left: unknown, right: unknown, work: Work): unknown {
  if (typeof left !== 'string' && typeof right !== 'string') return arithmetic('+', (a, b) => a + b)(left, right, work)
  const [before, behind] = [textOf(left, work), textOf(right, work)]
  boundText(before.length + behind.length)
  return before + behind
}

function arithmetic(sign: string, operate: (left: number, right: number) => number): Operation {
  return (left, right) => {
    if (typeof left !== 'number') return notFor(sign, left)
    if (typeof right !== 'number') return notFor(sign, right)
    return finite(operate(left, right))
  }
}

const divisor = (value: number) => (value === 0 ? fail('invalid_input', 'a division by zero') : value)

function order(sign: string, left: unknown, right: unknown, work: Work): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left !== 'string' || typeof right !== 'string') {
    fail('invalid_input', `${sign} compares two numbers or two texts, not ${kindOf(left)} and ${kindOf(right)}`)
  }
  work.spend(Math.min(left.length, right.length))
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * Boolean of a condition. @throws FailureError `invalid_input` for anything but true and false: whether another value is
 * "true" is a guess
 */
export function truth(value: unknown, sign: string): boolean {
  if (typeof value === 'boolean') return value
  return fail(
    'invalid_input',
    `${sign} needs true or false, and got ${kindOf(value)}; compare it, as x != null, x == "yes" or length(x) > 0`,
  )
}

const notFor = (sign: string, value: unknown): never =>
  fail('invalid_input', `${sign} needs numbers, and got ${kindOf(value)}`)
