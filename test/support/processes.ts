import { readdirSync, readFileSync } from 'node:fs'

/** Children of `root` and theirs, at any depth. */
export function descendantsOf(root: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const found = [root]
  for (const pid of found) found.push(...pids.filter((child) => parentOf(child) === pid))
  return found.slice(1)
}

/** Whether it runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  const state = statFields(pid)[0]
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/** Resident memory in MiB. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

export function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

function parentOf(pid: number): number {
  return Number(statFields(pid)[1])
}

function statFields(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // it ended in between
  }
}
