import { readdirSync, readFileSync } from 'node:fs'
import { errnoOf } from '../json.ts'

/**
 * Stops or continues a process and all its descendants, where there is no freezer group. Parents stop first and continue
 * last, so that none sees a stopped child; repeated until no new process turns up.
 */
export function signalTree(root: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  const done = new Set<number>()
  for (;;) {
    const fresh = descendants(root).filter((pid) => !done.has(pid))
    if (fresh.length === 0) return
    for (const pid of signal === 'SIGSTOP' ? fresh : fresh.reverse()) {
      done.add(pid)
      sendSignal(pid, signal)
    }
  }
}

/** Sends a signal to one process. An ended process is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error
  }
}

/** The direct children. */
export function childrenOf(pid: number): number[] {
  return allProcesses().filter((child) => parentOf(child) === pid)
}

/** Arguments of a process; none when it has ended. */
export function commandOf(pid: number): string[] {
  return ofProcess(pid, 'cmdline')?.split('\0') ?? []
}

function allProcesses(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

/** Descendants of `root`, with itself, parents before children. Linux only: read from /proc. */
function descendants(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const pid of allProcesses()) {
    const parent = parentOf(pid)
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  const found = [root]
  for (const pid of found) found.push(...(children.get(pid) ?? []))
  return found
}

function parentOf(pid: number): number | null {
  // The command name in parentheses may hold spaces and parentheses itself: fields count from the last one.
  const stat = ofProcess(pid, 'stat')
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** File of a process in /proc. @returns null when it has ended */
function ofProcess(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return null
  }
}
