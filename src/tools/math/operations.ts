import { fail } from '../../core/failure.ts'
import { MAX_INTEGER_BITS } from '../../core/limits/math.ts'
import { say, tool } from '../../core/saying/saying.ts'

/** Number: a whole one, exact, or a floating-point one. As in Python, mixing the two gives a floating-point one. */
export type Value = bigint | number

type Operation = (left: Value, right: Value) => Value

export const OPERATORS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  [
    '+',
    (a, b) =>
      both(
        a,
        b,
        (x, y) => x + y,
        (x, y) => x + y,
      ),
  ],
  [
    '-',
    (a, b) =>
      both(
        a,
        b,
        (x, y) => x - y,
        (x, y) => x - y,
      ),
  ],
  [
    '*',
    (a, b) =>
      both(
        a,
        b,
        (x, y) => bounded(bits(x) + bits(y), () => x * y),
        (x, y) => x * y,
      ),
  ],
  ['/', (a, b) => finite(floating(a) / notZero(floating(b)))],
  ['//', (a, b) => both(a, notZero(b), floorDivide, (x, y) => Math.floor(x / y))],
  [
    '%',
    (a, b) =>
      both(
        a,
        notZero(b),
        (x, y) => x - floorDivide(x, y) * y,
        (x, y) => x - Math.floor(x / y) * y,
      ),
  ],
  ['**', power],
])

export const CONSTANTS: ReadonlyMap<string, Value> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
])

type Called = (values: readonly Value[]) => Value

export const FUNCTIONS: ReadonlyMap<string, Called> = new Map<string, Called>([
  ['abs', one('abs', (x) => (x < 0 ? -x : x))],
  ['round', round],
  ['floor', one('floor', (x) => whole(x, Math.floor))],
  ['ceil', one('ceil', (x) => whole(x, Math.ceil))],
  ['trunc', one('trunc', (x) => whole(x, Math.trunc))],
  ['int', one('int', (x) => whole(x, Math.trunc))],
  ['float', one('float', floating)],
  ['min', some('min', (values) => values.reduce((least, x) => (x < least ? x : least)))],
  ['max', some('max', (values) => values.reduce((most, x) => (x > most ? x : most)))],
  [
    'sum',
    some('sum', (values) =>
      values.reduce((total, x) =>
        both(
          total,
          x,
          (a, b) => a + b,
          (a, b) => a + b,
        ),
      ),
    ),
  ],
  ['pow', two('pow', power)],
  ['gcd', two('gcd', (a, b) => gcd(integral(a, 'gcd'), integral(b, 'gcd')))],
  ['factorial', one('factorial', factorial)],
  ['log', logarithm],
  ['atan2', two('atan2', (y, x) => Math.atan2(floating(y), floating(x)))],
  ['hypot', some('hypot', (values) => finite(Math.hypot(...values.map(floating))))],
  ['degrees', one('degrees', (x) => finite((floating(x) * 180) / Math.PI))],
  ['radians', one('radians', (x) => (floating(x) * Math.PI) / 180)],
  ...(
    [
      'sqrt',
      'cbrt',
      'exp',
      'log2',
      'log10',
      'sin',
      'cos',
      'tan',
      'asin',
      'acos',
      'atan',
      'sinh',
      'cosh',
      'tanh',
    ] as const
  ).map((name): [string, Called] => [name, one(name, (x) => finite(Math[name](floating(x)), name))]),
])

function both(
  a: Value,
  b: Value,
  exact: (a: bigint, b: bigint) => bigint,
  float: (a: number, b: number) => number,
): Value {
  return typeof a === 'bigint' && typeof b === 'bigint' ? exact(a, b) : finite(float(floating(a), floating(b)))
}

function power(base: Value, exponent: Value): Value {
  if (typeof base === 'bigint' && typeof exponent === 'bigint' && exponent >= 0n) {
    if (base === 0n || base === 1n) return exponent === 0n ? 1n : base
    if (base === -1n) return exponent % 2n === 0n ? 1n : -1n
    return bounded(Number(exponent) * (bits(base) - 1), () => base ** exponent)
  }
  if (floating(base) === 0 && floating(exponent) < 0) fail('invalid_input', 'division by zero: 0 to a negative power')
  return finite(floating(base) ** floating(exponent), 'the power')
}

/** Rounds half to even, as Python does. */
function round(values: readonly Value[]): Value {
  const [x, digits = 0n] = values
  if (x === undefined || values.length > 2) return wrongCount('round', '1 or 2', values.length)
  const places = Number(integral(digits, 'round'))
  if (typeof x === 'bigint') return places >= 0 ? x : roundToTens(x, -places)
  if (values.length === 1) return whole(x, roundHalfEven)
  if (places < 0) return Number(roundToTens(whole(x, roundHalfEven), -places))
  return places > 20 ? x : Number(x.toFixed(places))
}

function roundToTens(x: bigint, zeros: number): bigint {
  if (zeros > bits(x)) return 0n
  const unit = 10n ** BigInt(zeros)
  const below = floorDivide(x, unit) * unit
  const twice = (x - below) * 2n
  const up = twice > unit || (twice === unit && (below / unit) % 2n !== 0n)
  return up ? below + unit : below
}

const roundHalfEven = (x: number): number => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x))

function logarithm(values: readonly Value[]): Value {
  const [x, base] = values
  if (x === undefined || values.length > 2) return wrongCount('log', '1 or 2', values.length)
  const natural = (value: Value) => finite(Math.log(floating(value)), 'log')
  return base === undefined ? natural(x) : finite(natural(x) / notZero(natural(base)), 'log')
}

function factorial(x: Value): bigint {
  const n = integral(x, 'factorial')
  if (n < 0n) fail('invalid_input', 'factorial is of whole numbers from 0 on')
  return bounded(Number(n) * Math.max(bits(n) - 2, 0), () => {
    let product = 1n
    for (let factor = 2n; factor <= n; factor++) product *= factor
    return product
  })
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y > 0n) [x, y] = [y, x % y]
  return x
}

/** Divides towards minus infinity, as Python divides whole numbers. */
function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient
}

function floating(value: Value): number {
  return typeof value === 'number' ? value : finite(Number(value), 'a whole number that meets a decimal one')
}

function whole(value: Value, rounded: (x: number) => number): bigint {
  return typeof value === 'bigint' ? value : BigInt(rounded(value))
}

function integral(value: Value, name: string): bigint {
  if (typeof value === 'bigint') return value
  return Number.isInteger(value) ? BigInt(value) : fail('invalid_input', `${name} is of whole numbers`)
}

function notZero<T extends Value>(value: T): T {
  return value === 0 || value === 0n ? fail('invalid_input', 'division by zero') : value
}

function finite(value: number, what = 'the result'): number {
  if (Number.isFinite(value)) return value
  if (Number.isNaN(value)) fail('invalid_input', `${what} is not defined there among the real numbers`)
  return fail('limit_exceeded', `${what} is too large for a decimal number; keep to whole numbers, which are exact`)
}

const bits = (value: bigint): number => value.toString(2).length

/** Runs work that makes a whole number of about `size` bits, if so many are granted. */
function bounded(size: number, work: () => bigint): bigint {
  if (size <= MAX_INTEGER_BITS) return work()
  return fail(
    'limit_exceeded',
    say`a number would have more than ${MAX_INTEGER_BITS} bits (MAX_INTEGER_BITS); use decimal numbers, or ${tool('execute_code')}`,
  )
}

function one(name: string, operation: (x: Value) => Value): Called {
  return (values) => {
    const [x] = values
    return x === undefined || values.length > 1 ? wrongCount(name, '1', values.length) : operation(x)
  }
}

function two(name: string, operation: Operation): Called {
  return (values) => {
    const [x, y] = values
    return x === undefined || y === undefined || values.length > 2
      ? wrongCount(name, '2', values.length)
      : operation(x, y)
  }
}

function some(name: string, operation: (values: readonly Value[]) => Value): Called {
  return (values) => (values.length === 0 ? wrongCount(name, 'at least 1', 0) : operation(values))
}

function wrongCount(name: string, wanted: string, given: number): never {
  fail('invalid_input', `${name} takes ${wanted} numbers, and has ${given}`)
}
