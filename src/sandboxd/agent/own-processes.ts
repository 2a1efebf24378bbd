import { readdirSync, readFileSync } from 'node:fs'
import { errnoOf } from '../json.ts'

/**
 * Ends the processes of this machine that have the variable in their environment, in whichever group and of whichever parent:
 * repeated until no new one turns up. Without /proc none is found.
 */
export function endProcessesWith(variable: string): void {
  const ended = new Set<number>()
  for (;;) {
    const fresh = processesWith(variable).filter((pid) => !ended.has(pid))
    if (fresh.length === 0) return
    for (const pid of fresh) {
      ended.add(pid)
      kill(pid)
    }
  }
}

/** Sends SIGKILL to a process, or to the group of a negative number. An ended process is no error. */
export function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL')
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error
  }
}

function processesWith(variable: string): number[] {
  return pids().filter((pid) => environmentOf(pid).split('\0').includes(variable))
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return []
  }
}

/** Environment that a process began with; empty when the process has ended, or belongs to another user. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return ''
  }
}
