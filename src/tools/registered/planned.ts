import { fail } from '../../core/failure.ts'
import { MAX_TEST_RESULT_CHARS } from '../../core/limits/sessions.ts'
import type { Result } from '../../core/outcome.ts'
import type { DryRun, PlannedStep } from '../../registry/chain/dry-run.ts'
import { issuesText } from '../../registry/chain/issues.ts'

/**
 * Result of a dry run of a tool, for its maker.
 * @param plan null for a tool that is no chain
 * @throws FailureError `invalid_input` with what is wrong
 */
export function plannedResult(plan: DryRun | null): Result {
  if (!plan) return { text: `${NOTHING_DONE} No mistake was found without a call.`, data: { dry_run: true } }
  if (!plan.ok) fail('invalid_input', `${NOTHING_DONE} ${issuesText(plan.issues)}`)
  const steps = plan.steps.map((step) => ({ ...step, input: shown(step.input) }))
  const output = shown(plan.output)
  const lines = [`${NOTHING_DONE} It would call:`, ...steps.map(lineOf), `output: ${JSON.stringify(output)}`]
  return { text: lines.join('\n'), data: { dry_run: true, steps, output } }
}

const NOTHING_DONE = 'Nothing was called and nothing made.'

function lineOf({ id, tool, runs, calls, input }: PlannedStep): string {
  if (runs === 'no') return `${id}: nothing, since its condition is false`
  const condition = runs === 'perhaps' ? ', if its condition holds' : ''
  const times = calls === 1 ? '' : calls === null ? ', once for each item' : `, ${calls} times, first`
  return `${id}: ${tool}${condition}${times} with ${JSON.stringify(input)}`
}

/** Input as shown, long texts cut: it may have the same long argument in each step. */
const shown = (value: unknown): unknown =>
  (JSON.stringify(value) ?? '').length > MAX_TEST_RESULT_CHARS ? '<too large to show>' : value
