import * as z from 'zod'
import { KEPT } from '../../guest/bash/programs.ts'
import { bashCall } from '../../guest/bash-program.ts'
import type { Ended } from '../sandbox/exec-script.ts'
import { STATE_DIRECTORY } from '../sandbox/place.ts'
import { readReply } from '../supervisor/reply.ts'

/** File in the sandbox with the end of a command, which its supervisor keeps. */
export const keptFile = (id: string) => `${STATE_DIRECTORY}/${id}.kept`

/** Bash that waits in the sandbox for the end of a command, and prints it for {@link readKept}. */
export const keptScript = (id: string, waitMs: number) =>
  `exec 2>/dev/null\n${KEPT}${bashCall('print_kept', keptFile(id), Math.ceil(waitMs / 1000))}`

/** End of a command, as its sandbox kept it. */
export interface KeptEnd {
  readonly ended: Ended
  /** True when it was ended at its deadline. */
  readonly isLate: boolean
  /** Time that it ran, in milliseconds. */
  readonly ms: number
}

const Kept = z.looseObject({ late: z.boolean(), ms: z.int().min(0) })

/** Reads the output of {@link keptScript}, to be taken as hostile. @returns null when nobody keeps the command's end any more */
export function readKept(stdout: string): KeptEnd | 'running' | null {
  if (stdout.trim() === 'running') return 'running'
  const kept = Kept.safeParse(parsed(stdout))
  if (!kept.success) return null
  const { late: isLate, ms } = kept.data
  const ended = readReply({ ...kept.data, late: false }, null)
  return ended !== null && typeof ended === 'object' ? { ended, isLate, ms } : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
