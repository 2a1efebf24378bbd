import { fail, toFailure } from '../../core/failure.ts'
import { MAX_CHAIN_DEPTH, MAX_CHAIN_ISSUES, MAX_CHAIN_TOOLS } from '../../core/limits/chains.ts'
import { type Chain, type ChainIssue, compileChain, type Step, type StepTool } from './compile.ts'
import { pathsOf } from './expression/paths.ts'
import { inputProblems, type JsonSchema, pathProblem } from './schema.ts'
import { expressionsOf, type Placed } from './template.ts'
import { unbraced } from './unbraced.ts'

/** Target of a step's `tool`. */
export type Resolved = {
  /** Name without a version: two versions of one tool have one name. */
  readonly name: string
  readonly inputSchema?: JsonSchema
} & (
  | { readonly kind: 'tool'; readonly outputSchema?: JsonSchema }
  | { readonly kind: 'chain'; readonly definition: unknown }
)

/** Finds a tool as a call of this caller would. @returns null when there is none */
export type Resolve = (tool: string) => Resolved | null | Promise<Resolved | null>

/** Error for a version of a tool that has none. @throws FailureError `not_found` */
export const failVersion = (tool: string): never => fail('not_found', `${tool} has no versions; write ${tool} alone`)

export interface ChainToCheck {
  /** Name under which the chain will be saved, without a version. */
  readonly name: string
  /** Schema of the chain's input. */
  readonly inputSchema?: JsonSchema
}

export interface CheckedChain {
  /** Mistakes; a chain without any can be saved. */
  readonly issues: readonly ChainIssue[]
  /** The chain; null when it could not be parsed. */
  readonly chain: Chain | null
  /** Targets of the steps' `tool`s, and of those in nested chains. */
  readonly tools: ReadonlyMap<string, Resolved>
}

/**
 * Checks a chain before it is saved: its shape, expressions, order, tools, and that nested chains neither lead back to it nor are
 * too deep. A version range may resolve differently later, so a run looks for loops again.
 */
export async function checkChain(
  definition: unknown,
  { name, inputSchema }: ChainToCheck,
  resolve: Resolve,
): Promise<CheckedChain> {
  const { chain, issues, calls } = compileChain(definition)
  const walk = new Walk(resolve)
  const found = [...issues, ...ofPaths(null, chain?.output ? expressionsOf(chain.output) : [], inputSchema)]
  const ids = new Set(calls.map(({ id }) => id))
  for (const [at, call] of calls.entries()) {
    const resolved = await walk.from(call, name).catch((thrown) => {
      found.push({ step: call.id, message: toFailure(thrown).message })
      return null
    })
    const step = chain?.steps[at]
    if (!step) continue
    found.push(...ofPaths(step.id, placedIn(step), inputSchema))
    for (const message of unbraced(step.input, 'input', ids)) found.push({ step: step.id, message })
    if (resolved)
      found.push(...inputProblems(resolved.inputSchema, step.input).map((message) => ({ step: step.id, message })))
  }
  if (chain?.output) {
    for (const message of unbraced(chain.output, 'output', ids)) found.push({ step: null, message })
  }
  if (chain) found.push(...ofResults(chain, walk.tools))
  return { issues: found.slice(0, MAX_CHAIN_ISSUES), chain, tools: walk.tools }
}

/** Chains reachable through a tool. */
interface Reach {
  /** Depth of nested chains, itself counted; 0 for a tool that is no chain. */
  readonly depth: number
  /** Names of these chains. */
  readonly names: ReadonlySet<string>
}

const NO_CHAIN: Reach = { depth: 0, names: new Set() }

/** Walk through the chains in a chain, each once. */
class Walk {
  readonly tools = new Map<string, Resolved>()
  readonly #resolve: Resolve
  /** Reach of chains that were walked to their end. */
  readonly #reached = new Map<string, Reach>()

  constructor(resolve: Resolve) {
    this.#resolve = resolve
  }

  /** Resolves a step's tool. @throws FailureError naming the way to the mistake */
  async from({ tool }: StepTool, name: string): Promise<Resolved> {
    await this.#follow(tool, [name])
    return this.#found(tool, [name])
  }

  async #follow(tool: string, way: readonly string[]): Promise<Reach> {
    const resolved = await this.#found(tool, way)
    if (resolved.kind === 'tool') return NO_CHAIN
    const here = [...way, resolved.name]
    const known = this.#reached.get(tool)
    const again = way.find((name) => name === resolved.name || known?.names.has(name))
    if (again !== undefined) {
      const loop = again === resolved.name ? here : [...here, again]
      fail(
        'invalid_input',
        `the chain loops: ${loop.join(' → ')}; no chain may lead back to itself, in whatever version`,
      )
    }
    if (way.length + (known?.depth ?? 1) > MAX_CHAIN_DEPTH) {
      fail(
        'limit_exceeded',
        `chains stand more than ${MAX_CHAIN_DEPTH} deep (MAX_CHAIN_DEPTH): ${here.join(' → ')}; put steps of the inner ones into the outer ones`,
      )
    }
    const reach = known ?? (await this.#below(tool, resolved, here))
    this.#reached.set(tool, reach)
    return reach
  }

  async #below(
    tool: string,
    { name, definition }: Extract<Resolved, { kind: 'chain' }>,
    here: readonly string[],
  ): Promise<Reach> {
    const { chain } = compileChain(definition)
    if (!chain) fail('invalid_input', `the chain ${tool} is broken; mend it first, or leave it out`)
    const names = new Set([name])
    let depth = 0
    for (const step of chain.steps) {
      const below = await this.#follow(step.tool, here)
      depth = Math.max(depth, below.depth)
      for (const one of below.names) names.add(one)
    }
    return { depth: depth + 1, names }
  }

  async #found(tool: string, way: readonly string[]): Promise<Resolved> {
    const known = this.tools.get(tool)
    if (known) return known
    if (this.tools.size >= MAX_CHAIN_TOOLS) {
      fail(
        'limit_exceeded',
        `the chain reaches more than ${MAX_CHAIN_TOOLS} tools by the chains in it (MAX_CHAIN_TOOLS); take simpler ones`,
      )
    }
    const resolved = await this.#resolve(tool)
    if (!resolved) {
      const within = way.length > 1 ? `, which ${way.at(-1)} calls` : ''
      fail(
        'not_found',
        `there is no tool ${tool}${within}; look for its name among the tools, and see whether the version exists`,
      )
    }
    this.tools.set(tool, resolved)
    return resolved
  }
}

/** All expressions of a step. */
const placedIn = ({ input, condition, map }: Step): Placed[] => [
  ...(condition ? [condition] : []),
  ...(map ? [map.over] : []),
  ...expressionsOf(input),
]

/** Paths to fields that the schema of the chain's input does not have. */
function* ofPaths(
  step: string | null,
  expressions: readonly Placed[],
  schema: JsonSchema | undefined,
): Generator<ChainIssue> {
  for (const { expression, where } of expressions) {
    for (const { name, fields, optional } of pathsOf(expression)) {
      const problem = name === 'input' && !optional ? pathProblem(schema, fields, 'input') : null
      if (problem) yield { step, message: `${where}: ${problem}` }
    }
  }
}

/** Paths to fields of results that the steps' tools do not give, where a tool describes its result. */
function* ofResults(chain: Chain, tools: ReadonlyMap<string, Resolved>): Generator<ChainIssue> {
  const places = [
    ...chain.steps.map((step) => ({ id: step.id, expressions: placedIn(step) })),
    { id: null, expressions: chain.output ? expressionsOf(chain.output) : [] },
  ]
  for (const { id, expressions } of places) {
    for (const { expression, where } of expressions) {
      for (const { name, fields, optional } of pathsOf(expression)) {
        const problem = name === 'steps' && !optional ? resultProblem(chain, tools, fields) : null
        if (problem) yield { step: id, message: `${where}: ${problem}` }
      }
    }
  }
}

function resultProblem(
  chain: Chain,
  tools: ReadonlyMap<string, Resolved>,
  fields: readonly (string | number)[],
): string | null {
  const [id, field, ...path] = fields
  const step = chain.steps.find((one) => one.id === id)
  const tool = step && tools.get(step.tool)
  if (field !== 'result' || !tool) return null
  const called = tool.kind === 'chain' ? CHAIN_RESULT : tool.outputSchema
  return pathProblem(step.map ? { type: 'array', items: called } : called, path, `steps.${id}.result`)
}

/** Schema of {@link chainOutcome}: the result of a chain that is called as a tool. */
const CHAIN_RESULT = {
  type: 'object',
  properties: { output: {}, steps: { type: 'array' }, calls: { type: 'integer' }, ms: { type: 'integer' } },
}
