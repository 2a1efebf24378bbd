import { CliError } from '../failure.ts'
import type { Step, StepReport, StepState } from './step.ts'

/** Listener of a run of steps. */
export interface StepListener {
  /** A step begins. */
  onStart(step: Step): Promise<void>
  /** A step is over, or is planned. */
  onReport(report: StepReport): Promise<void>
}

/**
 * Runs steps in their order, those that are done being left out. All are asked first: where one could not run, none does.
 * @throws CliError of the first step that fails, which ends the run
 */
export async function runSteps(steps: readonly Step[], listener: StepListener, signal: AbortSignal): Promise<void> {
  const blocked = (await planned(steps)).filter(({ blocker }) => blocker !== null)
  for (const { step, blocker } of blocked) await listener.onReport(reportOf(step, 'blocked', blocker ?? ''))
  if (blocked.length > 0) throw new CliError('nothing was changed', 'do what is said above, then run this again')
  for (const step of steps) {
    signal.throwIfAborted()
    const { isDone, found } = await step.isDone()
    if (isDone) {
      await listener.onReport(reportOf(step, 'done', found))
      continue
    }
    await listener.onStart(step)
    await listener.onReport(await ranStep(step, listener, signal))
  }
}

/** Tells of each step what a run would do, and changes nothing. @returns whether all could run */
export async function planSteps(steps: readonly Step[], listener: StepListener): Promise<boolean> {
  const plan = await planned(steps)
  for (const { step, state, blocker } of plan) {
    if (state.isDone) await listener.onReport(reportOf(step, 'done', state.found))
    else await listener.onReport(reportOf(step, blocker ? 'blocked' : 'planned', blocker ?? state.found))
  }
  return plan.every(({ blocker }) => blocker === null)
}

interface PlannedStep {
  readonly step: Step
  readonly state: StepState
  readonly blocker: string | null
}

async function planned(steps: readonly Step[]): Promise<readonly PlannedStep[]> {
  const plan: PlannedStep[] = []
  for (const step of steps) {
    const state = await step.isDone()
    plan.push({ step, state, blocker: state.isDone ? null : ((await step.blocker?.()) ?? null) })
  }
  return plan
}

/** Runs a step. What a run that was killed still did meanwhile makes a failure none: it is there. */
async function ranStep(step: Step, listener: StepListener, signal: AbortSignal): Promise<StepReport> {
  try {
    return reportOf(step, 'changed', await step.run())
  } catch (failure) {
    signal.throwIfAborted()
    const state = await step.isDone().catch(() => null)
    if (state?.isDone) return reportOf(step, 'done', state.found)
    const message = failure instanceof Error ? failure.message : String(failure)
    await listener.onReport(reportOf(step, 'failed', message))
    const hint = failure instanceof CliError && failure.hint !== '' ? `${failure.hint}; ` : ''
    const advice = `${hint}then run this again: what is done stays, and it goes on here`
    throw new CliError(`step "${step.name}" failed: ${message}`, advice)
  }
}

const reportOf = (step: Step, state: StepReport['state'], found: string): StepReport => ({
  name: step.name,
  state,
  does: step.describe(),
  found,
  commands: step.commands(),
})
