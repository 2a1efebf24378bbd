import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Children of `root` and theirs, at any depth. */
export function descendantsOf(root: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const childrenOf = Map.groupBy(pids, parentOf)
  const found = [root]
  for (const pid of found) found.push(...(childrenOf.get(pid) ?? []))
  return found.slice(1)
}

/** Processes whose environment has the text in it, whoever their parents are. */
export function processesMentioning(text: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => read(`/proc/${pid}/environ`).includes(text))
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

/** Memory in MiB, of which each page is counted by the number of processes that share it; 0 where it may not be read. */
export function proportionalMb(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024
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

/** Sockets that a process has open, each by the kernel's name for it. */
export const socketsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`)
    .map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
    .filter((link) => link.startsWith('socket:'))

/** Addresses that a process listens on by TCP, as `127.0.0.1:8001`. */
export function listeningOf(pid: number): string[] {
  const sockets = socketsOf(pid)
  return ['tcp', 'tcp6'].flatMap((table) =>
    read(`/proc/${pid}/net/${table}`)
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , status, , , , , , inode]) => status === LISTENS && sockets.includes(`socket:[${inode}]`))
      .map(([, address = '']) => readableAddress(address)),
  )
}

const LISTENS = '0A'

/** Address of IPv4 in the kernel's order of bytes; IPv6 is left unchanged. */
function readableAddress(address: string): string {
  const [host = '', port = ''] = address.split(':')
  const bytes =
    host.length === 8 ? [6, 4, 2, 0].map((at) => Number.parseInt(host.slice(at, at + 2), 16)).join('.') : host
  return `${bytes}:${Number.parseInt(port, 16)}`
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // it was closed in between
  }
}
