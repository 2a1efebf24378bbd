import { fail } from '../../core/failure.ts'
import { MAX_OUTPUT_FILE_BYTES } from '../../core/limits/sandbox.ts'
import { MAX_COMMAND_OUTPUT_BYTES } from '../../core/limits/shells.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import type { Ended, Unable, Wrapped } from './exec-script.ts'
import { DIRECTORY_GONE } from './place.ts'
import { NOTHING } from './printed.ts'
import { signalNotes } from './signal-notes.ts'

/** Way in which one command is run. */
export interface Way {
  /** True while the supervisor is the one to run the command, false once a process of the command's own does. */
  isSupervised: boolean
  /** True when the supervisor was lost while the command ran. */
  wasLost: boolean
}

/**
 * End of a command for its caller.
 * @throws SandboxGone when the sandbox cannot run commands any more; FailureError `invalid_input` for a missing directory
 */
export function endOf(report: Ended | Unable, { cwd }: Wrapped): Ended {
  switch (report) {
    case 'gone':
      throw new SandboxGone(DIRECTORY_GONE)
    case 'full':
      throw new SandboxGone('the disk of the sandbox is full')
    case 'cwd':
      return fail(
        'invalid_input',
        say`the directory ${cwd} cannot be entered; is it a file? ${tool('dir_list')} shows what is there`,
      )
    case 'unbegun':
      return { exitCode: 137, stdout: NOTHING, stderr: NOTHING, background: false, changed: false }
    default:
      return report
  }
}

/** Notes for the answer on how a command ended. */
export function notesOn(ended: Ended, isEnd: boolean, { wasLost }: Way): string[] {
  const { exitCode, stdout, stderr, flooded } = ended
  if (wasLost) return [LOST]
  if (flooded) return [FLOODED]
  const bytes = stdout.bytes + stderr.bytes
  if (!isEnd) return []
  if (exitCode !== 137 || bytes <= MAX_OUTPUT_FILE_BYTES) return signalNotes(ended)
  return [
    `the command was killed after it had printed ${bytes} bytes, which lie on the disk of the sandbox while it runs; let it print less, or only the end of it`,
  ]
}

const FLOODED = `the command was ended because one of its outputs grew to ${MAX_COMMAND_OUTPUT_BYTES} bytes (MAX_COMMAND_OUTPUT_BYTES), or to the most that its sandbox allows a file; let it print less, or write into a file of the workspace`
const LOST =
  'the process that ran the command was killed while the command ran, so the command was ended; what it printed and wrote until then is kept'
