/** Exit codes of the command line. `exec` gives the exit code of its command, and its own as {@link EXIT.notRun} says. */
export const EXIT = {
  good: 0,
  /** Any failure without a code of its own. */
  failed: 1,
  /** Unknown command or option, or arguments that do not fit. */
  usage: 2,
  /** No key, or one that the server does not know. */
  notSignedIn: 3,
  notFound: 4,
  /** The key may not do that, or something stands against it, such as a name that is taken. */
  refused: 5,
  /** No answer: the server is not there, or not now. */
  unreachable: 6,
  /** A limit was met: too much, too often, or no room. */
  limited: 7,
  /** Not done in its time; as `timeout` of coreutils has it. */
  timedOut: 124,
  /** `exec` alone: the command did not run, or its end is not known; as `docker exec` has it. */
  notRun: 125,
  /** Ctrl-C: 128 and the number of the signal. */
  interrupted: 130,
  /** End of whoever read stdout: 128 and the number of SIGPIPE, as shells have it. */
  closedPipe: 141,
} as const

/** An exit code: one of {@link EXIT}, or that of a command in a session, from 0 to 255. */
export type ExitCode = number
