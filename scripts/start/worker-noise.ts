/** workerd's line for a name that a request of a tool leads to and no DNS server knows: it takes it for a defect of its own. */
const FAILED_LOOK_UP = /^workerd\/\S+: error: .*\bfailed to lookup address information\b/
/** workerd's line for an alarm whose time was before its own start: it runs then, as it should. */
const OVERDUE_ALARM = /^workerd\/\S+: warning: NOSENTRY SQLite alarm overdue\b/
const STACK = 'stack: '

/** Tells which lines of workerd's output say nothing about the server: a late alarm; a failed DNS look-up, and the stack below it. */
export class WorkerNoise {
  #isStackNext = false

  /** True for a line that is noise. Each line must be asked for, in order. */
  has(line: string): boolean {
    const isStack = this.#isStackNext && line.startsWith(STACK)
    this.#isStackNext = FAILED_LOOK_UP.test(line)
    return isStack || this.#isStackNext || OVERDUE_ALARM.test(line)
  }
}
