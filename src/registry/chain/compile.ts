import type * as z from 'zod'
import { type FailureCode, fail, toFailure } from '../../core/failure.ts'
import {
  CHAIN_BACKOFF_MS,
  CHAIN_MAP_CONCURRENCY,
  CHAIN_STEP_MS,
  MAX_CHAIN_CHARS,
  MAX_CHAIN_ISSUES,
} from '../../core/limits/chains.ts'
import { newWork } from './budget.ts'
import { chainDefinition, type StepDefinition } from './definition.ts'
import { type Path, pathsOf } from './expression/paths.ts'
import { jsonSize } from './json-size.ts'
import {
  compileExpression,
  compileTemplate,
  expressionsOf,
  type Placed,
  placedValue,
  type Template,
} from './template.ts'

/** A mistake in a definition. `step` is null when it is outside of any. */
export interface ChainIssue {
  readonly step: string | null
  /** Text with the mistake and its remedy. */
  readonly message: string
}

/** A definition with parsed expressions and known order. */
export interface Chain {
  readonly steps: readonly Step[]
  /** Output; null: the last step's result. */
  readonly output: Template | null
}

export interface Step {
  readonly id: string
  readonly tool: string
  readonly input: Template
  readonly condition: Placed | null
  readonly map: { readonly over: Placed; readonly as: string; readonly concurrency: number } | null
  /** Ids of the steps that must have ended first; all of them stand before it. */
  readonly waitsFor: readonly string[]
  readonly timeoutMs: number
  readonly retry: Retry
  readonly onError: OnError
}

export interface Retry {
  readonly attempts: number
  readonly backoffMs: number
  readonly on: readonly FailureCode[]
}

export type OnError = { readonly kind: 'fail' | 'continue' } | { readonly kind: 'use'; readonly value: unknown }

/** Fields of a step in expressions. */
const STEP_FIELDS = ['outcome', 'result', 'text', 'error', 'items']
/** Other systems' names for the input. */
const INPUTS = ['inputs', 'args', 'arguments', 'params', 'parameters']
const OF_ALL_ITEMS =
  'there is no item yet: it is looked at once, for the whole step; to take some items alone, write where(list, "field", value) in map.over'
/** Reserved names. */
const TAKEN = ['input', 'steps', 'index', 'true', 'false', 'null', 'in']
/** Failures that may be gone at the next call. */
const PASSING: readonly FailureCode[] = ['timeout', 'upstream', 'rate_limited']

/** Tool that a step calls, known also in chains with other mistakes. */
export type StepTool = Pick<Step, 'id' | 'tool'>

interface Compiled {
  /** The chain; null when it has mistakes. */
  readonly chain: Chain | null
  readonly issues: readonly ChainIssue[]
  /** Tools in the order of the steps; empty when the definition has not the shape of a chain. */
  readonly calls: readonly StepTool[]
}

/** Compiles an untrusted definition. @returns the chain, or at most MAX_CHAIN_ISSUES mistakes */
export function compileChain(definition: unknown): Compiled {
  const compiler = new Compiler()
  const chain = compiler.chain(definition)
  const { issues, calls } = compiler
  return chain && issues.length === 0
    ? { chain, issues: [], calls }
    : { chain: null, issues: issues.slice(0, MAX_CHAIN_ISSUES), calls }
}

class Compiler {
  readonly issues: ChainIssue[] = []
  calls: readonly StepTool[] = []
  /** Ids of the steps before the current one, and of all steps. */
  readonly #earlier = new Set<string>()
  #all: ReadonlySet<string> = new Set()

  chain(definition: unknown): Chain | null {
    const parsed = this.#tried(null, () => read(definition))
    if (!parsed) return null
    if (!parsed.success) {
      this.issues.push(...parsed.error.issues.map((issue) => shapeIssue(issue, definition)))
      return null
    }
    this.calls = parsed.data.steps
    this.#all = new Set(this.calls.map(({ id }) => id))
    const steps = parsed.data.steps.map((step) => this.#step(step))
    const { output } = parsed.data
    const compiled = output === undefined ? null : this.#tried(null, () => compileTemplate(output, 'output'))
    if (compiled) for (const placed of expressionsOf(compiled)) this.#references(null, placed, null)
    return steps.every((step) => step !== null) ? { steps, output: compiled } : null
  }

  #step(step: StepDefinition): Step | null {
    const { id } = step
    const map = step.map
      ? { over: step.map.over, as: step.map.as ?? 'item', concurrency: step.map.concurrency ?? CHAIN_MAP_CONCURRENCY }
      : null
    if (this.#earlier.has(id)) this.#say(id, `two steps have the id ${id}; give each its own`)
    if (map && TAKEN.includes(map.as)) this.#say(id, `map.as: ${map.as} means something already; take another name`)
    const input = this.#tried(id, () => compileTemplate(step.input ?? {}, 'input'))
    const condition = step.if === undefined ? null : this.#tried(id, () => compileExpression(step.if ?? '', 'if'))
    const over = map ? this.#tried(id, () => compileExpression(map.over, 'map.over')) : null
    const paths = [
      ...(condition ? this.#references(id, condition, map, false) : []),
      ...(over ? this.#references(id, over, map, false) : []),
      ...(input ? expressionsOf(input).flatMap((placed) => this.#references(id, placed, map)) : []),
    ]
    if (condition) this.#constant(id, condition)
    const onError = this.#onError(step)
    const waitsFor = this.#waitsFor(step, paths)
    this.#earlier.add(id)
    if (!input || (map && !over)) return null
    return {
      id,
      tool: step.tool,
      input,
      condition,
      map: map && over ? { ...map, over } : null,
      waitsFor,
      timeoutMs: step.timeout_ms ?? CHAIN_STEP_MS,
      retry: retryOf(step),
      onError,
    }
  }

  /** Reports a condition that names nothing: its value is known without a run. */
  #constant(id: string, condition: Placed): void {
    if (pathsOf(condition.expression).length > 0) return
    const value = this.#tried(id, () => placedValue(condition, { names: new Map(), work: newWork() }))
    if (value === false)
      this.#say(id, 'if: the condition is always false, so the step never runs; mend it or drop the step')
    else if (value !== true && value !== null)
      this.#say(id, 'if: a condition is true or false, and this is neither; compare it with something')
  }

  /**
   * Steps that a step waits for. Without `after`, all steps before it: no reference shows what a step changes in the
   * workspace.
   */
  #waitsFor({ id, after }: StepDefinition, paths: readonly Path[]): string[] {
    if (!after) return [...this.#earlier]
    for (const name of after) if (!this.#earlier.has(name)) this.#say(id, `after: ${this.#notEarlier(id, name)}`)
    const named = paths.flatMap((path) => (path.name === 'steps' ? [String(path.fields[0])] : []))
    return [...new Set([...after, ...named])]
  }

  #onError({ id, on_error }: StepDefinition): OnError {
    if (typeof on_error !== 'object') return { kind: on_error ?? 'fail' }
    const template = this.#tried(id, () => compileTemplate(on_error.use ?? null, 'on_error.use'))
    if (template && expressionsOf(template).length > 0)
      this.#say(id, 'on_error.use: it is taken as it is and cannot hold ${{ }}; write the value')
    return { kind: 'use', value: on_error.use ?? null }
  }

  /** Reports names that mean nothing at this place. @returns all paths of the expression */
  #references(
    step: string | null,
    { expression, where }: Placed,
    map: { readonly as: string } | null,
    hasItem = map !== null,
  ): Path[] {
    const paths = pathsOf(expression)
    const items = map ? [map.as, 'index'] : []
    for (const { name, fields } of paths) {
      if (name === 'steps') this.#stepReference(step, where, fields)
      else if (name === 'input' || (hasItem && items.includes(name))) continue
      else if (items.includes(name)) this.#say(step, `${where}: ${OF_ALL_ITEMS}`)
      else this.#say(step, `${where}: ${this.#unknownName(name, hasItem ? items : [])}`)
    }
    return paths
  }

  #stepReference(step: string | null, where: string, [id, field]: Path['fields']): void {
    if (typeof id !== 'string') {
      this.#say(
        step,
        `${where}: behind steps stands the id of one, as steps.${[...this.#earlier][0] ?? 'search'}.result`,
      )
    } else if (!this.#earlier.has(id)) {
      this.#say(step, `${where}: ${this.#notEarlier(step, id)}`)
    } else if (field !== undefined && !STEP_FIELDS.includes(String(field))) {
      this.#say(
        step,
        `${where}: a step has ${STEP_FIELDS.join(', ')}; write steps.${id}.result.${field} for a field of its result`,
      )
    }
  }

  #notEarlier(step: string | null, id: string): string {
    if (id === step) return `steps.${id} is this step itself; a step can use only those before it`
    if (this.#all.has(id)) return `step ${id} stands later; put it before this one`
    return `there is no step ${id.slice(0, 64)}; before it stand ${[...this.#earlier].join(', ') || 'none'}`
  }

  #unknownName(name: string, items: readonly string[]): string {
    const shown = name.slice(0, 64)
    const known = ['input', 'steps', ...items].join(', ')
    if (INPUTS.includes(name)) return `${shown} is not known here; what the chain is called with is input`
    if (name === 'item' && items[0] !== undefined) return `the item is called ${items[0]} here, as map.as says`
    const hint = this.#all.has(name) ? `write steps.${shown}` : `write input.${shown} for what the chain is called with`
    return `${shown} is not known here, only ${known} are; ${hint}, or "${shown}" in quotes for a text`
  }

  #tried<T>(step: string | null, work: () => T): T | null {
    try {
      return work()
    } catch (thrown) {
      this.#say(step, toFailure(thrown).message)
      return null
    }
  }

  #say(step: string | null, message: string): void {
    this.issues.push({ step, message })
  }
}

function read(definition: unknown) {
  if (jsonSize(definition, MAX_CHAIN_CHARS).chars > MAX_CHAIN_CHARS) {
    fail(
      'limit_exceeded',
      `the chain has more than ${MAX_CHAIN_CHARS} characters (MAX_CHAIN_CHARS); put large texts into files`,
    )
  }
  return chainDefinition.safeParse(definition, { reportInput: true })
}

function retryOf({ retry }: StepDefinition): Retry {
  return {
    attempts: retry ? (retry.attempts ?? 3) : 1,
    backoffMs: retry?.backoff_ms ?? CHAIN_BACKOFF_MS,
    on: retry?.on ?? PASSING,
  }
}

/** Issue for an error of zod, with the step's id in the place of its number. */
function shapeIssue(issue: z.core.$ZodIssue, definition: unknown): ChainIssue {
  const [first, at, ...rest] = issue.path
  if (first !== 'steps' || typeof at !== 'number') return { step: null, message: worded(issue, issue.path) }
  const id = (definition as { steps: readonly { id?: unknown }[] }).steps[at]?.id
  return { step: typeof id === 'string' ? id.slice(0, 64) : `#${at + 1}`, message: worded(issue, rest) }
}

function worded(issue: z.core.$ZodIssue, path: readonly PropertyKey[]): string {
  const where = path.length === 0 ? '' : `${path.map(String).join('.')}: `
  return `${where}${issue.code === 'invalid_type' && issue.input === undefined ? 'is missing' : issue.message}`
}
