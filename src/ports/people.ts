/** Human tasks of one session. A task is kept until the session is removed, or newer ones take its place. */
export interface People {
  /**
   * Asks a person. An open task with the same words is the same task, and takes the new due time.
   * @param dueAt end of waiting for the task, in milliseconds since 1970; null for never
   * @throws FailureError `limit_exceeded` when too many are open
   */
  ask(words: string, dueAt: number | null): HumanTask
  find(id: string): HumanTask | null
  /** Changes a task's due time. */
  postpone(id: string, dueAt: number): void
  /** Waits until the task is completed, for `ms` at most, or until `signal` aborts. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<void>
}

/** Words for a person's answer; null where they have only done what they were asked for. */
export const wordsOfAnswer = (result: string | null): string =>
  result === null ? 'the person has done it' : `the person answered: ${result}`

export interface HumanTask {
  readonly id: string
  /** Text of the task: what a person is to do or to say. */
  readonly words: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** End of waiting, as in {@link People.ask}. */
  readonly dueAt: number | null
  /** Time when a person completed the task; null while it is open. */
  readonly completedAt: number | null
  /** The person's answer; null when there is none. */
  readonly result: string | null
}
