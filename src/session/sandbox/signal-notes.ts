import type { Ended } from './exec-script.ts'

/** Names of signals that end a process, by their numbers on Linux. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [3, 'SIGQUIT'],
  [4, 'SIGILL'],
  [6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [8, 'SIGFPE'],
  [9, 'SIGKILL'],
  [10, 'SIGUSR1'],
  [11, 'SIGSEGV'],
  [12, 'SIGUSR2'],
  [13, 'SIGPIPE'],
  [14, 'SIGALRM'],
  [15, 'SIGTERM'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [31, 'SIGSYS'],
])

/** Signals that a process gets for its own doing, rather than from `kill`. */
const FAULTS: ReadonlySet<number> = new Set([4, 6, 7, 8, 11, 31])

/** Notes on the signal that ended a command, and what most likely sent it: none where no signal did. */
export function signalNotes({ signal, memoryMb, fileMb }: Ended): string[] {
  if (memoryMb !== undefined)
    return [`${ended(signal, 9)} because memory ran out${limit(memoryMb, 'of the sandbox')}; let it hold less at once`]
  if (fileMb !== undefined)
    return [
      `${ended(signal, 25)} because a file grew to the limit of one file${limit(fileMb, 'or what ulimit -f set')}; write several smaller ones`,
    ]
  if (signal === undefined) return []
  const why = FAULTS.has(signal)
    ? 'its shell crashed'
    : 'by itself, or by a kill or pkill that matched its own shell (bash)'
  return [`${ended(signal, signal)}: ${why}; what it printed and wrote until then is kept`]
}

/** @param signal of the command's shell; undefined when it was a program in the command that ended so */
const ended = (signal: number | undefined, number: number) =>
  `${signal === undefined ? 'a program in the command' : 'the command'} was ended by ${NAMES.get(number) ?? `signal ${number}`}`

const limit = (limitMb: number, more: string) => (limitMb === 0 ? '' : ` (${limitMb} MB, ${more})`)
