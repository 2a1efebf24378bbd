/** State of a step, as the account or the machine says it. */
export interface StepState {
  readonly isDone: boolean
  /** Finding: the thing that is there or is missing, as half a sentence. */
  readonly found: string
}

/** A piece of a deployment. Repeating it does no harm, and what was cut off is done by the next run. */
export interface Step {
  /** Name, unique among the steps, such as `database toolyard`. */
  readonly name: string
  /** Whether it only looks: it changes nothing, and each run does it. */
  readonly isLook?: boolean
  /** Work of the step, as a sentence without a full stop. */
  describe(): string
  /** Commands that {@link run} runs, as they would be typed. None has a secret. */
  commands(): readonly string[]
  /** Asks whether there is anything to do, and changes nothing. @throws CliError where nobody says */
  isDone(): Promise<StepState>
  /** Reason that keeps it from running, with what to do; null for none. Looked for before the first step runs. */
  blocker?(): Promise<string | null>
  /** Does it. @returns what there is now, as half a sentence @throws CliError */
  run(): Promise<string>
}

/** Report of a step: `done` before, `changed` now, `planned` or `blocked` in a dry run, `failed`. */
export interface StepReport {
  readonly name: string
  readonly state: 'done' | 'changed' | 'planned' | 'blocked' | 'failed'
  readonly does: string
  readonly found: string
  readonly commands: readonly string[]
}
