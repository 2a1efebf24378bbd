import { fail } from '../../../core/failure.ts'
import { MAX_PATH_STEPS, MAX_PATH_WORK } from '../../../core/limits/views.ts'

/** Selector of children: by name, by index, by a slice, or all. */
type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly from: number | null; readonly to: number | null; readonly step: number }
  | { readonly kind: 'all' }

/** A step of a path: some selectors, applied to each value, or to it and all that is in it. */
interface Step {
  readonly selectors: readonly Selector[]
  readonly descends: boolean
}

/** A parsed path. */
export type JsonPath = readonly Step[]

const NAME = /[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*/uy
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/y
const SLICE = /(-?\d{1,9})?\s*:\s*(-?\d{1,9})?(?:\s*:\s*(-?\d{1,9})?)?/y
const INDEX = /-?\d{1,9}/y
const SPACE = /\s*/y

/**
 * Parses a JSONPath of RFC 9535 without filters and functions: `$`, `.name`, `['name']`, `[0]`, `[-1]`, `[1:5:2]`, `[*]`, `..name`,
 * `['a','b']`.
 * @throws FailureError `invalid_input`
 */
export function parseJsonPath(text: string): JsonPath {
  let at = 0
  const refuse = (why: string): never =>
    fail('invalid_input', `jsonpath: ${why} at character ${at + 1}; give a path such as $.matches[0:10]..name`)
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  const has = (sign: string) => {
    if (!text.startsWith(sign, at)) return false
    at += sign.length
    return true
  }

  const selector = (): Selector => {
    const quoted = take(QUOTED)
    if (quoted) return { kind: 'name', name: unquoted(quoted[0]) ?? refuse('a name that is not JSON') }
    if (has('*')) return { kind: 'all' }
    if (text.startsWith('?', at)) refuse('filters are not taken: ask for the values and look at them')
    const slice = take(SLICE)
    if (slice) {
      const [from, to, step] = slice.slice(1).map((digits) => (digits === undefined ? null : Number(digits)))
      return { kind: 'slice', from: from ?? null, to: to ?? null, step: step ?? 1 }
    }
    const index = take(INDEX)
    return index ? { kind: 'index', index: Number(index[0]) } : refuse('no name, index, slice or *')
  }

  const bracket = (): Selector[] => {
    const selectors: Selector[] = []
    do {
      take(SPACE)
      selectors.push(selector())
      take(SPACE)
    } while (has(','))
    return has(']') ? selectors : refuse('no ]')
  }

  const shorthand = (): Selector[] => {
    if (has('*')) return [{ kind: 'all' }]
    const name = take(NAME)
    return name ? [{ kind: 'name', name: name[0] }] : refuse('no name')
  }

  if (!has('$')) refuse('no $')
  const steps: Step[] = []
  while (at < text.length) {
    take(SPACE)
    const descends = has('..')
    if (has('[')) steps.push({ selectors: bracket(), descends })
    else if (descends || has('.')) steps.push({ selectors: shorthand(), descends })
    else refuse('no step')
    if (steps.length > MAX_PATH_STEPS) refuse(`more than ${MAX_PATH_STEPS} steps (MAX_PATH_STEPS)`)
  }
  return steps
}

function unquoted(literal: string): string | null {
  if (literal.startsWith('"')) return parsedText(literal)
  const inner = literal.slice(1, -1).replace(/\\'|"/g, (sign) => (sign === '"' ? '\\"' : "'"))
  return parsedText(`"${inner}"`)
}

function parsedText(json: string): string | null {
  try {
    return JSON.parse(json) as string
  } catch {
    return null
  }
}

/**
 * Values that a path leads to, in the order of RFC 9535.
 * @throws FailureError `limit_exceeded` for a path that looks at more than MAX_PATH_WORK values
 */
export function valuesAt(root: unknown, path: JsonPath): unknown[] {
  let work = 0
  const spend = () => {
    work += 1
    if (work > MAX_PATH_WORK) {
      fail(
        'limit_exceeded',
        `jsonpath: it looks at more than ${MAX_PATH_WORK} values (MAX_PATH_WORK); use fewer .. and *, or name more of the path`,
      )
    }
  }
  let values: unknown[] = [root]
  for (const { selectors, descends } of path) {
    const found: unknown[] = []
    for (const value of values) {
      for (const one of descends ? withDescendants(value) : [value]) {
        spend()
        for (const selector of selectors) {
          for (const child of selected(one, selector)) {
            spend()
            found.push(child)
          }
        }
      }
    }
    values = found
  }
  return values
}

/** A value and all that is in it, parents first. Without recursion, since a value may be nested ten thousand deep. */
function* withDescendants(value: unknown): Generator<unknown> {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    yield next
    const children = childrenOf(next)
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at])
  }
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

function* selected(value: unknown, selector: Selector): Generator<unknown> {
  switch (selector.kind) {
    case 'all':
      yield* childrenOf(value)
      return
    case 'name':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return
      if (Object.hasOwn(value, selector.name)) yield (value as Record<string, unknown>)[selector.name]
      return
    case 'index': {
      const at = selector.index < 0 && Array.isArray(value) ? value.length + selector.index : selector.index
      if (Array.isArray(value) && at >= 0 && at < value.length) yield value[at]
      return
    }
    case 'slice':
      if (Array.isArray(value)) yield* sliced(value, selector)
  }
}

function* sliced(list: readonly unknown[], { from, to, step }: Extract<Selector, { kind: 'slice' }>) {
  if (step === 0) return
  const { length } = list
  const place = (given: number) => (given < 0 ? length + given : given)
  const within = (given: number, least: number, most: number) => Math.min(Math.max(given, least), most)
  if (step > 0) {
    const end = within(place(to ?? length), 0, length)
    for (let at = within(place(from ?? 0), 0, length); at < end; at += step) yield list[at]
    return
  }
  const end = to === null ? -1 : within(place(to), -1, length - 1)
  for (let at = from === null ? length - 1 : within(place(from), -1, length - 1); at > end; at += step) yield list[at]
}
