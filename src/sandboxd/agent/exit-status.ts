/** Go's words for the signals that end commands: E2B's agent is written in Go, and its clients see them. */
const SIGNAL_WORDS = new Map<string, string>([
  ['SIGHUP', 'hangup'],
  ['SIGINT', 'interrupt'],
  ['SIGQUIT', 'quit'],
  ['SIGILL', 'illegal instruction'],
  ['SIGABRT', 'aborted'],
  ['SIGBUS', 'bus error'],
  ['SIGFPE', 'floating point exception'],
  ['SIGKILL', 'killed'],
  ['SIGSEGV', 'segmentation fault'],
  ['SIGPIPE', 'broken pipe'],
  ['SIGALRM', 'alarm clock'],
  ['SIGTERM', 'terminated'],
  ['SIGXCPU', 'CPU time limit exceeded'],
  ['SIGXFSZ', 'file size limit exceeded'],
])

/** The `EndEvent` of a process: exit code -1 when a signal ended it. */
export function exitEvent(code: number | null, signal: string | null) {
  if (signal !== null) {
    const status = `signal: ${SIGNAL_WORDS.get(signal) ?? signal}`
    return { exitCode: -1, exited: false, status, error: status }
  }
  const status = `exit status ${code ?? 0}`
  return { exitCode: code ?? 0, exited: true, status, ...(code === 0 ? {} : { error: status }) }
}
