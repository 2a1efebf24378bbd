import { type Failure, failureIn, failureWith, messageParts } from '../../core/failure.ts'
import type { Outcome } from '../../core/outcome.ts'
import { say } from '../../core/saying/saying.ts'
import { CANONICAL } from '../../core/saying/worded.ts'

/** Result of a chain's run. JSON. */
export interface ChainResult {
  readonly ok: boolean
  /** Output of the chain; null when it failed. */
  readonly output: unknown
  /** Failure that ended the chain, with its step. */
  readonly failure?: Failure
  /** Reports of the steps, in the order in which they are written. */
  readonly steps: readonly StepReport[]
  /** Calls made by this run so far, by outer and nested chains too. */
  readonly calls: number
  readonly ms: number
}

/** `failed`: the chain went on without it, or ended with it. `used_default`: it failed, and `use` stands for its result. */
export type StepOutcome = 'done' | 'failed' | 'skipped' | 'used_default'

export interface StepReport {
  readonly id: string
  readonly tool: string
  readonly outcome: StepOutcome
  /** Calls made, of all items together. */
  readonly attempts: number
  readonly ms: number
  /** Result of the tool; of a map a list with null for each item that failed. */
  readonly result?: unknown
  /** Failure of the step, also when a default replaced its result. */
  readonly error?: Failure
  /** Reason why it was skipped. */
  readonly reason?: string
  /** Reports of a map's items. */
  readonly items?: readonly ItemReport[]
}

export interface ItemReport {
  /** `skipped`: not begun, since an item before it failed. */
  readonly outcome: StepOutcome
  readonly attempts: number
  readonly error?: Failure
}

/**
 * The result as a tool's answer. Results of steps are left out: the chain's `output` is its result.
 * @param isInner a chain called it, and reports itself how its steps ended
 */
export function chainOutcome(
  { ok, output, failure, steps, calls, ms }: ChainResult,
  isInner = false,
): Extract<Outcome, { kind: 'done' | 'failed' }> {
  const data = {
    steps: steps.map(({ result: _, ...report }) =>
      inCoresNames({ ...report, ...(report.items && { items: report.items.map(inCoresNames) }) }),
    ),
    calls,
    ms,
  }
  if (!ok) {
    const reason: Failure = failure ?? {
      code: 'internal',
      message: 'internal error; try again, and report it if it stays',
    }
    // Changes by earlier steps remain: a reader of the message alone must know that before calling again.
    const message =
      isInner || steps.length === 0 ? messageParts(reason) : say`${messageParts(reason)}\n\n${outcomes(steps)}`
    return { kind: 'failed', failure: failureWith(reason.code, message, data) }
  }
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  return { kind: 'done', result: { text: `${text}\n\n${summary(steps)}`, data: { output, ...data } } }
}

/** Report as it stands in data, where an error has the core's names in all dialects. */
export const inCoresNames = <R extends { readonly error?: Failure }>(report: R): R =>
  report.error ? { ...report, error: failureIn(report.error, CANONICAL) } : report

/** "Steps: search done; pages done (2 of 5 items failed); note skipped: …" */
function summary(steps: readonly StepReport[]): string {
  return `Steps: ${steps.map(describeStep).join('; ')}`
}

function describeStep(step: StepReport): string {
  const why = step.reason ?? step.error?.message
  return `${ended(step)}${why ? `: ${why}` : ''}`
}

/** Outcomes without reasons: the message before them states what matters of those. */
const outcomes = (steps: readonly StepReport[]) => `Steps: ${steps.map(ended).join('; ')}`

function ended({ id, outcome, items }: StepReport): string {
  const failed = items?.filter((item) => item.outcome !== 'done').length ?? 0
  const ofItems = failed > 0 ? ` (${failed} of ${items?.length} items failed)` : ''
  return `${id} ${outcome.replace('_', ' ')}${ofItems}`
}
