import { toFailure } from '../../core/failure.ts'
import { boundSize } from './bound-size.ts'
import { ChainBudget } from './budget.ts'
import { type ChainToCheck, checkChain, type Resolve, type Resolved } from './check.ts'
import type { Chain, ChainIssue, Step } from './compile.ts'
import type { Environment } from './expression/evaluate.ts'
import { type Path, pathsOf } from './expression/paths.ts'
import { kindOf } from './expression/values.ts'
import { typeAt } from './schema.ts'
import { type Filler, fill, fillerOf, holds, type Placed, placedValue, type Template } from './template.ts'

/** Plan of a run, as far as it is known without calling anything. JSON. */
export interface DryRun {
  /** True when no mistake was found. */
  readonly ok: boolean
  readonly issues: readonly ChainIssue[]
  readonly steps: readonly PlannedStep[]
  /** Output, with `<…>` for values known in a run only, as in `input` of the steps. */
  readonly output: unknown
}

export interface PlannedStep {
  readonly id: string
  readonly tool: string
  /** Kind of the tool; null when there is no such tool. */
  readonly kind: 'tool' | 'chain' | null
  readonly waits_for: readonly string[]
  /** Whether the step runs. `perhaps`: its condition needs a result. */
  readonly runs: 'yes' | 'no' | 'perhaps'
  /** Number of calls; null when the list of a map is known in a run only. */
  readonly calls: number | null
  /** Input of the step; of a map, of its first item. `<steps.a.result.url: string>` stands for a value known in a run only. */
  readonly input: unknown
}

/** Plans a run. @param input of the chain; without it, its fields stand as `<input.…>` */
export async function dryRunChain(
  definition: unknown,
  { input, ...checked }: ChainToCheck & { readonly input?: unknown },
  resolve: Resolve,
): Promise<DryRun> {
  const { chain, issues, tools } = await checkChain(definition, checked, resolve)
  if (!chain) return { ok: false, issues, steps: [], output: null }
  const planner = new Planner(chain, tools, checked, input)
  const steps = chain.steps.map((step) => planner.step(step))
  const output = planner.output()
  const all = [...issues, ...planner.issues]
  return { ok: all.length === 0, issues: all, steps, output }
}

class Planner {
  readonly issues: ChainIssue[] = []
  readonly #chain: Chain
  readonly #tools: ReadonlyMap<string, Resolved>
  readonly #checked: ChainToCheck
  readonly #known: ReadonlyMap<string, unknown>
  readonly #work = new ChainBudget()

  constructor(chain: Chain, tools: ReadonlyMap<string, Resolved>, checked: ChainToCheck, input: unknown) {
    this.#chain = chain
    this.#tools = tools
    this.#checked = checked
    this.#known = new Map(input === undefined ? [] : [['input', input]])
  }

  step(step: Step): PlannedStep {
    const { id, tool, waitsFor, condition } = step
    const runs = condition && this.#tried(id, 'perhaps', () => this.#if(condition))
    const items = step.map ? this.#items(id, step.map.over) : null
    const calls = runs === 'no' ? 0 : step.map ? (items?.length ?? null) : 1
    const ofItem: [string, unknown][] =
      step.map && items && items.length > 0
        ? [
            [step.map.as, items[0]],
            ['index', 0],
          ]
        : []
    const input = this.#filled(id, step.input, new Map([...this.#known, ...ofItem]))
    const kind = this.#tools.get(tool)?.kind ?? null
    return { id, tool, kind, waits_for: waitsFor, runs: runs ?? 'yes', calls, input }
  }

  output(): unknown {
    const { output, steps } = this.#chain
    if (output) return this.#filled(null, output, this.#known)
    return `<steps.${steps.at(-1)?.id}.result>`
  }

  #if(condition: Placed): PlannedStep['runs'] {
    if (!isKnown(condition, this.#known)) return 'perhaps'
    return holds(condition, this.#environment(this.#known)) ? 'yes' : 'no'
  }

  /** Items of a map. @returns null when they are known in a run only */
  #items(step: string, over: Placed): readonly unknown[] | null {
    if (!isKnown(over, this.#known)) return null
    const items = this.#tried(step, null, () => placedValue(over, this.#environment(this.#known)))
    if (items === null || Array.isArray(items)) return items
    this.issues.push({ step, message: `map.over: it needs a list, and got ${kindOf(items)}` })
    return null
  }

  /** Input with its known values filled in, each long value once: an input may name it many times. */
  #filled(step: string | null, template: Template, known: ReadonlyMap<string, unknown>): unknown {
    return this.#tried(step, '<too large to show>', () => {
      const value = fill(template, this.#filler(step, known))
      this.#work.keep(boundSize(value, step === null ? 'output' : 'its input').chars)
      return value
    })
  }

  #filler(step: string | null, known: ReadonlyMap<string, unknown>): Filler {
    const strict = fillerOf(this.#environment(known))
    const filled = <T>(placed: Placed, read: () => T) => {
      const instead = this.#placeholder(placed)
      return isKnown(placed, known) ? this.#tried(step, instead, read) : instead
    }
    return {
      value: (placed) => filled(placed, () => strict.value(placed)),
      text: (placed) => filled(placed, () => strict.text(placed)),
    }
  }

  #placeholder({ expression, source }: Placed): string {
    const [path, ...others] = pathsOf(expression)
    const type = path && others.length === 0 && expression.kind === 'field' ? this.#typeOf(path) : null
    return type ? `<${source}: ${type}>` : `<${source}>`
  }

  #typeOf({ name, fields }: Path): string | null {
    if (name === 'input') return typeAt(this.#checked.inputSchema, fields)
    const [id, field, ...path] = fields
    const step = this.#chain.steps.find((one) => one.id === id)
    const tool = step && this.#tools.get(step.tool)
    if (name !== 'steps' || field !== 'result' || tool?.kind !== 'tool' || !tool.outputSchema) return null
    return typeAt(step?.map ? { type: 'array', items: tool.outputSchema } : tool.outputSchema, path)
  }

  #environment(names: ReadonlyMap<string, unknown>): Environment {
    return { names, work: this.#work }
  }

  /** Evaluates a value, or notes why it cannot be and goes on with `instead`. */
  #tried<T, U>(step: string | null, instead: U, work: () => T): T | U {
    try {
      return work()
    } catch (thrown) {
      this.issues.push({ step, message: toFailure(thrown).message })
      return instead
    }
  }
}

const isKnown = ({ expression }: Placed, known: ReadonlyMap<string, unknown>) =>
  pathsOf(expression).every(({ name }) => known.has(name))
