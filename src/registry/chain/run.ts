import { type Failure, FailureError, fail, failureWith, messageParts, toFailure } from '../../core/failure.ts'
import { MAX_CHAIN_CONCURRENCY, MAX_CHAIN_DEPTH, MAX_CHAIN_MS } from '../../core/limits/chains.ts'
import { say } from '../../core/saying/saying.ts'
import { slots } from '../../core/slots.ts'
import { boundSize } from './bound-size.ts'
import { type Nesting, outermost } from './budget.ts'
import { type Chain, compileChain, type Step } from './compile.ts'
import { WHY_NO_RESULT } from './expression/missing.ts'
import { issuesText } from './issues.ts'
import { type ChainResult, inCoresNames, type StepReport } from './result.ts'
import { runStep, type StepEnd } from './run-step.ts'
import type { ChainPorts, Run } from './running.ts'
import { reasonOf } from './stop.ts'
import { fill, lenientFillerOf } from './template.ts'

export interface ChainCall {
  /** Name of the chain without a version, by which a loop is detected. */
  readonly name: string
  readonly input: unknown
  readonly signal: AbortSignal
  /** Nesting that `call` of the outer chain was given; absent for the outermost one. */
  readonly nesting?: Nesting
}

/**
 * Runs a chain to its end. Nothing is stored: when the process ends, the run ends with it, and what steps did stays. Every
 * failure is in the result; it throws nothing.
 */
export async function runChain(
  definition: unknown,
  { name, input, signal, nesting = outermost() }: ChainCall,
  ports: ChainPorts,
): Promise<ChainResult> {
  const { budget } = nesting
  const began = ports.now()
  const done = (result: Pick<ChainResult, 'ok' | 'output' | 'steps'> & { failure?: Failure }): ChainResult => ({
    ...result,
    calls: budget.calls,
    ms: ports.now() - began,
  })
  try {
    const { chain, issues } = compileChain(definition)
    if (!chain) fail('invalid_input', issuesText(issues))
    const inside = enter(nesting, name)
    const ended = new AbortController()
    const whole = AbortSignal.any([signal, ended.signal])
    void ports.sleep(MAX_CHAIN_MS, whole).then(() => {
      ended.abort(
        new FailureError({
          code: 'timeout',
          message: `the chain took longer than ${MAX_CHAIN_MS / 60_000} minutes (MAX_CHAIN_MS); part it`,
        }),
      )
    })
    try {
      return done(await runSteps(chain, input, { ...ports, nesting: inside, budget, signal: whole }, ended))
    } finally {
      ended.abort()
    }
  } catch (thrown) {
    return done({ ok: false, output: null, failure: toFailure(thrown), steps: [] })
  }
}

/** Nesting inside a chain. @throws FailureError when the chain is running already, or too deep */
function enter({ around, budget }: Nesting, name: string): Nesting {
  const way = [...around, name]
  if (around.includes(name)) {
    fail(
      'conflict',
      `the chain loops: ${way.join(' → ')}; change one of these chains so that none leads back to itself`,
    )
  }
  if (way.length > MAX_CHAIN_DEPTH) {
    fail(
      'limit_exceeded',
      `chains are ${way.length} deep: ${way.join(' → ')}; at most ${MAX_CHAIN_DEPTH} may stand within each other (MAX_CHAIN_DEPTH)`,
    )
  }
  return { around: way, budget }
}

type Outside = Omit<Run, 'names' | 'slot'>

async function runSteps(chain: Chain, input: unknown, outside: Outside, ended: AbortController) {
  const seen: Record<string, unknown> = Object.create(null)
  const run: Run = {
    ...outside,
    slot: slots(MAX_CHAIN_CONCURRENCY),
    names: new Map([
      ['input', input ?? {}],
      ['steps', seen],
    ]),
  }
  const reports = new Map<string, StepReport>()
  const running = new Map<string, Promise<void>>()
  let failure: Failure | null = null

  const begin = async (step: Step) => {
    await Promise.all(step.waitsFor.map((id) => running.get(id)))
    const end = run.signal.aborted ? notReached(step, failure) : await runStep(run, step)
    const ends = endOfChain(run, step, end)
    if (ends && !failure) {
      failure = ends
      ended.abort(new FailureError({ code: 'conflict', message: `it was stopped: ${ends.message}` }))
    }
    reports.set(step.id, end.report)
    seen[step.id] = viewOf(end)
  }
  for (const step of chain.steps) running.set(step.id, begin(step))
  await Promise.all(running.values())

  const steps = chain.steps.map(({ id }) => reports.get(id)).filter((report) => report !== undefined)
  if (failure) return { ok: false, output: null, failure, steps }
  try {
    return { ok: true, output: outputOf(chain, run, seen), steps }
  } catch (thrown) {
    return { ok: false, output: null, failure: toFailure(thrown), steps }
  }
}

/** Failure that ends the whole chain with this step; null when it goes on. */
function endOfChain(run: Run, { id, tool, onError }: Step, { report }: StepEnd): Failure | null {
  const stopped = run.budget.exhausted ?? (run.signal.aborted ? reasonOf(run.signal) : null)
  if (stopped && report.outcome !== 'failed') return stopped
  if (stopped) {
    const own = report.error?.message ?? stopped.message
    // Otherwise the step waited for its next attempt.
    const before = own.includes(stopped.message) ? '' : `, and had failed: ${own}`
    return failureWith(
      stopped.code,
      say`${messageParts(stopped)}; step ${id} (${tool}) was under way${before}`,
      stopped.data,
    )
  }
  if (report.outcome !== 'failed' || onError.kind !== 'fail' || !report.error) return null
  return failureWith(report.error.code, say`step ${id} (${tool}) failed: ${messageParts(report.error)}`)
}

function notReached({ id, tool }: Step, failure: Failure | null): StepEnd {
  const reason = failure ? `the chain had ended: ${failure.message}` : 'the chain was stopped'
  return { report: { id, tool, outcome: 'skipped', attempts: 0, ms: 0, reason } }
}

/** Value of `steps.<id>` in expressions. */
function viewOf({ report: { id, outcome, result, error, items, reason }, text, itemTexts }: StepEnd): unknown {
  const why = outcome === 'skipped' ? `step ${id} was skipped (${reason})` : `step ${id} failed (${error?.message})`
  return {
    outcome,
    ...(result !== undefined && { result }),
    ...(text !== undefined && { text }),
    ...(error && { error: { code: error.code, message: error.message } }),
    ...(items && {
      items: items
        .map(inCoresNames)
        .map((item, at) => ({ ...item, ...(itemTexts?.[at] !== undefined && { text: itemTexts[at] }) })),
    }),
    ...((outcome === 'skipped' || outcome === 'failed') && { [WHY_NO_RESULT]: why }),
  }
}

function outputOf(chain: Chain, run: Run, seen: Readonly<Record<string, unknown>>): unknown {
  if (chain.output) {
    const output = fill(chain.output, lenientFillerOf({ names: run.names, work: run.budget }))
    boundSize(output, 'output')
    return output
  }
  const last = seen[chain.steps.at(-1)?.id ?? ''] as { readonly result?: unknown } | undefined
  return last?.result ?? null
}
