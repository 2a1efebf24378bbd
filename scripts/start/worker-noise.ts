/**
 * Line of workerd for a name that a tool's request leads to and no DNS server knows: workerd takes it for a defect of its
 * own.
 */
const FAILED_LOOK_UP = /^workerd\/\S+: error: .*\bfailed to lookup address information\b/
/** Line of workerd for an alarm that was due before its own start: the alarm runs then, as it should. */
const OVERDUE_ALARM = /^workerd\/\S+: warning: NOSENTRY SQLite alarm overdue\b/
const STACK = 'stack: '

/** Tells which lines of workerd's output say nothing about the server: a late alarm; a failed DNS look-up, and the stack below it. */
export class WorkerNoise {
  #isStackNext = false

  /** Whether a line is noise. Each line must be passed, in order. */
  has(line: string): boolean {
    const isStack = this.#isStackNext && line.startsWith(STACK)
    this.#isStackNext = FAILED_LOOK_UP.test(line)
    return isStack || this.#isStackNext || OVERDUE_ALARM.test(line)
  }
}
