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

/** The kernel's clock for times of files ticks every 10 ms at the slowest, and what is listed is cut to milliseconds. */
const TICK_MS = 11

export const isRacy = ({ kind, inode, changedMs }: Listed, { mapped, lookedMs }: Race): boolean =>
  kind === 'file' && (mapped.has(inode) || changedMs >= lookedMs - TICK_MS)

/**
 * Reads the maps of the processes that are named, and `smaps` where those do not tell: what is mapped for reading may be
 * made writable (`mw`) when its file was opened so. A process that ends meanwhile has let go of everything.
 */
const MAPPED = `function say(inode) { if (inode > 0 && !said[inode]++) print "mapped " inode }
BEGIN { for (at = 1; at < ARGC; at++) {
  file = "/proc/" ARGV[at]; unsure = 0
  while ((getline line < (file "/maps")) > 0) if (line ~ /^[^ ]+ ...s /) {
    split(line, field, " ")
    if (field[2] ~ /w/) say(field[5]); else if (field[6] !~ /^\\/(usr|lib|opt|etc)\\//) unsure = 1 }
  close(file "/maps")
  if (!unsure) continue
  while ((getline line < (file "/smaps")) > 0) if (line ~ /^[^ ]+ [r-][w-][x-][sp] /) { split(line, field, " "); inode = field[2] ~ /s$/ ? field[5] : 0 }
    else if (line ~ /^VmFlags:.* mw/) say(inode)
  close(file "/smaps") } }`

/**
 * Bash that prints on stdout when it runs, and then the inodes that the processes in `found` may store into through
 * memory. Nothing is started when no process is there.
 */
export const PRINT_RACE = `echo "looked $EPOCHREALTIME"
[ \${#found[@]} = 0 ] || awk '${MAPPED}' "\${found[@]}" 2>/dev/null`

/** Reads what {@link PRINT_RACE} printed, among other lines. */
export function readRace(text: string): Race {
  const mapped = new Set<string>()
  for (const [, inode = ''] of text.matchAll(/^mapped (\d{1,20})$/gm)) {
    if (mapped.size < MAX_WORKSPACE_ENTRIES) mapped.add(inode)
  }
  const [, seconds, fraction = ''] = /^looked (\d+)[.,](\d+)$/m.exec(text) ?? []
  return {
    mapped,
    // A bash that cannot tell the time is older than the kernels that let anybody be this fast.
    lookedMs: seconds === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(`${seconds}.${fraction}`) * 1000),
  }
}
