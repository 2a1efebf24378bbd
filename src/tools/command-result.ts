import { STREAM_CHARS } from '../core/limits/answers.ts'
import { MAX_OUTPUT_BYTES } from '../core/limits/sandbox.ts'
import type { CommandResult } from '../ports/runner.ts'
import { maxChars } from './answer-budget.ts'

/** The argument `max_chars` of a tool that runs a command: `maxChars` of the command. */
export const streamChars = maxChars(STREAM_CHARS, { most: MAX_OUTPUT_BYTES, of: 'stdout, and of stderr' })

/** Named fields of an ended command. Beyond the original's three, only those with something to say: each costs tokens. */
export function commandData(result: CommandResult, notes: readonly string[] = []): Record<string, unknown> {
  const { exitCode, stdout, stderr } = result
  return { exit_code: exitCode, stdout: stdout.text, stderr: stderr.text, ...commandNotices(result, notes) }
}

/** Notices beside the output: cut output, conflicting changes, a new sandbox. */
export function commandNotices(
  result: Omit<CommandResult, 'exitCode' | 'timedOut'>,
  more: readonly string[] = [],
): Record<string, unknown> {
  const { stdout, stderr, conflicts, generation, restored } = result
  const notes = [...more, ...result.notes]
  const full = { ...(stdout.file && { stdout: stdout.file }), ...(stderr.file && { stderr: stderr.file }) }
  return {
    ...((stdout.isCut || stderr.isCut) && { truncated: true }),
    ...(Object.keys(full).length > 0 && { full_output: full }),
    ...(conflicts.length > 0 && { conflicts }),
    ...(notes.length > 0 && { notes }),
    ...(restored && { generation, restored }),
  }
}

/** Text of an ended command for a model: its output, and how it ended. */
export function commandText(result: CommandResult, notes: readonly string[] = []): string {
  const { exitCode, stdout, stderr, restored } = result
  const whole = [stdout.file, stderr.file].filter((file) => file !== undefined)
  return [
    stdout.text.trimEnd(),
    stderr.text.trim() && `stderr:\n${stderr.text.trimEnd()}`,
    `exit code ${exitCode}`,
    whole.length > 0 && `the whole output is in ${whole.join(' and ')}`,
    result.conflicts.length > 0 && `changed on both sides, the later change won: ${result.conflicts.join(', ')}`,
    restored && `the sandbox is a new one: ${restored.files} files and ${restored.packages.length} packages put back`,
    ...notes,
    ...result.notes,
  ]
    .filter(Boolean)
    .join('\n')
}
