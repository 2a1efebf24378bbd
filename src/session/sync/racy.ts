import { MAX_WORKSPACE_ENTRIES } from '../../core/limits/workspace.ts'
import type { Listed } from './listing.ts'

/**
 * Conditions under which the content of a file can change and its stamp stay the same: git calls such an entry of its index racy.
 *
 * - While a process has the file mapped for writing. The kernel notes the first store to each clean page; the next ones
 *   go by unnoted until the page was written to the disk, and a file system in memory notes none.
 * - When the file changed within the same tick of the kernel's clock in which it was listed: it may again, in that tick.
 */
export interface Race {
  /** Inodes that processes had mapped for writing when the listing began. */
  readonly mapped: ReadonlySet<string>
  /** Start of the listing by the sandbox's own clock, in milliseconds. */
  readonly lookedMs: number
}

/** Slowest tick of the kernel's clock for file times, 10 ms, and one more since listed times are cut to milliseconds. */
const TICK_MS = 11

export const isRacy = ({ kind, inode, changedMs }: Listed, { mapped, lookedMs }: Race): boolean =>
  kind === 'file' && (mapped.has(inode) || changedMs >= lookedMs - TICK_MS)

/** Reads the output of `print_race` of src/guest/bash/race.sh, among other lines. */
export function readRace(text: string): Race {
  const mapped = new Set<string>()
  for (const [, inode = ''] of text.matchAll(/^mapped (\d{1,20})$/gm)) {
    if (mapped.size < MAX_WORKSPACE_ENTRIES) mapped.add(inode)
  }
  const [, seconds, fraction = ''] = /^looked (\d+)[.,](\d+)$/m.exec(text) ?? []
  return {
    mapped,
    // A bash without the time is older than the kernels that allow changes this fast.
    lookedMs: seconds === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(`${seconds}.${fraction}`) * 1000),
  }
}
