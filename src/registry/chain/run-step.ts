import { type Failure, FailureError, fail, failureWith, messageParts, toFailure } from '../../core/failure.ts'
import { isObject } from '../../core/json-object.ts'
import { MAX_CHAIN_BACKOFF_MS, MAX_CHAIN_CALLS, MIN_CHAIN_POLL_MS } from '../../core/limits/chains.ts'
import type { Outcome, Result, ToolCall } from '../../core/outcome.ts'
import { rateLimitedOf } from '../../core/rate-limited.ts'
import { say } from '../../core/saying/saying.ts'
import { boundSize } from './bound-size.ts'
import type { Step } from './compile.ts'
import type { Environment } from './expression/evaluate.ts'
import { NotThereError } from './expression/missing.ts'
import { kindOf } from './expression/values.ts'
import type { ItemReport, StepReport } from './result.ts'
import type { Run } from './running.ts'
import { throwIfStopped } from './stop.ts'
import { fill, fillerOf, holds, placedValue } from './template.ts'

/** End of a step: its report, and its values for expressions. */
export interface StepEnd {
  readonly report: StepReport
  readonly text?: string
  readonly itemTexts?: readonly (string | undefined)[]
}

/** Runs one step whose turn it is. A failure is in the report; it throws nothing. */
export async function runStep(run: Run, step: Step): Promise<StepEnd> {
  const began = run.now()
  const { id, tool } = step
  const ended = (end: Omit<StepReport, 'id' | 'tool' | 'ms'>, seen: Omit<StepEnd, 'report'> = {}): StepEnd => ({
    report: { id, tool, ms: run.now() - began, ...end },
    ...seen,
  })
  try {
    const environment: Environment = { names: run.names, work: run.budget }
    if (step.condition && !holds(step.condition, environment)) {
      return ended({ outcome: 'skipped', attempts: 0, reason: 'its condition is false' })
    }
    if (step.map) return await runMap(run, step, step.map, ended)
    const { attempts, ...end } = await attempt(run, step, fill(step.input, fillerOf(environment)), run.signal)
    if (!('failure' in end))
      return ended({ outcome: 'done', attempts, result: end.result.data }, { text: end.result.text })
    return ended({ attempts, ...afterFailure(step, end.failure) })
  } catch (thrown) {
    if (thrown instanceof NotThereError)
      return ended({ outcome: 'skipped', attempts: 0, reason: `it needs what is not there: ${thrown.message}` })
    return ended({ attempts: 0, ...afterFailure(step, toFailure(thrown)) })
  }
}

function afterFailure({ onError }: Step, error: Failure) {
  return onError.kind === 'use'
    ? ({ outcome: 'used_default', result: onError.value, error } as const)
    : ({ outcome: 'failed', error } as const)
}

type Attempted = { readonly attempts: number } & ({ readonly result: Result } | { readonly failure: Failure })

/** Calls the tool, and repeats the call as the step's `retry` says. */
async function attempt(run: Run, step: Step, args: unknown, signal: AbortSignal): Promise<Attempted> {
  run.budget.spend(boundSize(args, 'its input').values)
  for (let attempts = 1; ; attempts++) {
    const failure = await run.slot(() => callOnce(run, step, args, signal)).catch(toFailure)
    if (!('code' in failure)) return { attempts, result: failure }
    const again = attempts < step.retry.attempts && step.retry.on.includes(failure.code)
    const pause = again ? pauseAfter(failure, attempts, step, run.random()) : null
    if (pause === null || run.budget.exhausted || signal.aborted) return { attempts, failure }
    await run.sleep(pause, signal)
    if (signal.aborted) return { attempts, failure }
  }
}

/**
 * Pause before another attempt: twice as long each time, and between a half and the whole of that, so that callers which
 * failed together do not come back together. A limit or a service may itself name the time until which all are refused.
 * @returns null when that is too long to wait for
 */
function pauseAfter(failure: Failure, attempts: number, { retry }: Step, chance: number): number | null {
  const refusedMs = refusedFor(failure)
  if (refusedMs > MAX_CHAIN_BACKOFF_MS) return null
  return refusedMs + Math.min(MAX_CHAIN_BACKOFF_MS, retry.backoffMs * 2 ** (attempts - 1)) * (0.5 + chance / 2)
}

/** Time until which a failure refuses all calls, in milliseconds; 0 when it states none. */
function refusedFor(failure: Failure): number {
  const seconds = failure.data?.retry_after_seconds
  return rateLimitedOf(failure)?.retryAfterMs ?? (typeof seconds === 'number' ? seconds * 1_000 : 0)
}

/** Calls the tool once. @throws FailureError what the tool could not do; `timeout` when the step's time is over */
async function callOnce(run: Run, step: Step, args: unknown, signal: AbortSignal): Promise<Result> {
  throwIfStopped(signal)
  const over = new AbortController()
  const inTime = AbortSignal.any([signal, over.signal])
  const late = run.sleep(step.timeoutMs, inTime).then(() => null)
  try {
    const outcome = await Promise.race([callToItsEnd(run, { tool: step.tool, args }, inTime), late])
    throwIfStopped(signal)
    if (outcome === null)
      fail(
        'timeout',
        `${step.tool} did not answer within ${step.timeoutMs} ms; set a longer timeout_ms, or give it less to do`,
      )
    if (outcome.kind !== 'done') throw new FailureError(outcome.failure)
    const { text, data } = outcome.result
    const { chars, values } = boundSize({ text, data }, 'its result')
    run.budget.keep(chars)
    run.budget.spend(values)
    return outcome.result
  } finally {
    over.abort(new FailureError({ code: 'timeout', message: 'the time of the step is over' }))
  }
}

/** Calls the tool, and polls for as long as its work is pending. */
async function callToItsEnd(
  run: Run,
  call: ToolCall,
  signal: AbortSignal,
): Promise<Exclude<Outcome, { kind: 'pending' }>> {
  for (let next = call; ; ) {
    run.budget.call()
    const outcome = await run.call(next.tool, next.args, { signal, nesting: run.nesting })
    if (outcome.kind !== 'pending') return outcome
    await run.sleep(Math.max(outcome.retryAfterMs, MIN_CHAIN_POLL_MS), signal)
    throwIfStopped(signal)
    next = outcome.next
  }
}

interface ItemEnd {
  readonly report: ItemReport
  readonly result: unknown
  readonly text?: string
}

async function runMap(
  run: Run,
  step: Step,
  { over, as, concurrency }: NonNullable<Step['map']>,
  ended: (end: Omit<StepReport, 'id' | 'tool' | 'ms'>, seen: Omit<StepEnd, 'report'>) => StepEnd,
): Promise<StepEnd> {
  const items = requireList(placedValue(over, { names: run.names, work: run.budget }), run)
  const argsOf = (at: number) =>
    fill(step.input, fillerOf({ names: new Map([...run.names, [as, items[at]], ['index', at]]), work: run.budget }))
  // A skipped step is skipped before its first call.
  if (items.length > 0) argsOf(0)

  const ends: ItemEnd[] = []
  const stop = new AbortController()
  const signal = AbortSignal.any([run.signal, stop.signal])
  let failed: Failure | null = null
  let next = 0
  const work = async () => {
    while (next < items.length && !signal.aborted && !run.budget.exhausted) {
      const at = next++
      const end = await runItem(run, step, () => argsOf(at), signal)
      ends[at] = end
      if (end.report.outcome !== 'failed' || step.onError.kind !== 'fail' || failed || !end.report.error) continue
      const { error } = end.report
      failed = failureWith(error.code, say`item ${at}: ${messageParts(error)}`, error.data)
      stop.abort(new FailureError({ code: 'conflict', message: `it was stopped: item ${at} failed` }))
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work))

  const whole = items.map((_, at) => ends[at] ?? NOT_BEGUN)
  const report = { attempts: sum(whole.map((end) => end.report.attempts)), items: whole.map((end) => end.report) }
  const seen = { itemTexts: whole.map((end) => end.text) }
  if (failed) return ended({ ...report, outcome: 'failed', error: failed }, seen)
  return ended({ ...report, outcome: 'done', result: whole.map((end) => end.result) }, seen)
}

const NOT_BEGUN: ItemEnd = { report: { outcome: 'skipped', attempts: 0 }, result: null }

function requireList(items: unknown, { budget }: Run): readonly unknown[] {
  if (!Array.isArray(items))
    fail(
      'invalid_input',
      `map.over: it needs a list, and got ${kindOf(items)}${isObject(items) ? '; values(x) makes one of an object' : ''}`,
    )
  if (items.length > budget.callsLeft) {
    fail(
      'limit_exceeded',
      `map.over: the list has ${items.length} items, and the chain can make ${budget.callsLeft} more of its ${MAX_CHAIN_CALLS} calls (MAX_CHAIN_CALLS); take fewer, as slice(list, 0, 100)`,
    )
  }
  return items
}

async function runItem(run: Run, step: Step, args: () => unknown, signal: AbortSignal): Promise<ItemEnd> {
  try {
    const { attempts, ...end } = await attempt(run, step, args(), signal)
    if (!('failure' in end))
      return { report: { outcome: 'done', attempts }, result: end.result.data, text: end.result.text }
    return failedItem(step, attempts, end.failure)
  } catch (thrown) {
    return failedItem(
      step,
      0,
      thrown instanceof NotThereError ? { code: 'invalid_input', message: thrown.message } : toFailure(thrown),
    )
  }
}

function failedItem(step: Step, attempts: number, failure: Failure): ItemEnd {
  const { outcome, error, ...value } = afterFailure(step, failure)
  return { report: { outcome, attempts, error }, result: 'result' in value ? value.result : null }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
