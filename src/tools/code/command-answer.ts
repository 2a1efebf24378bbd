import { fail } from '../../core/failure.ts'
import type { Result } from '../../core/outcome.ts'
import type { Ports } from '../../ports/index.ts'
import type { CommandResult } from '../../ports/runner.ts'
import { networkAdvice, placeAdvice, wordAdvice } from '../command-advice.ts'
import { commandData, commandText } from '../command-result.ts'
import { filesChanged } from '../files-changed.ts'

/** Part of an answer about a command that is not in its result. A session keeps it as JSON over restarts, those of a new version too. */
export interface CommandAnswer {
  readonly subject: 'Command' | 'Execution'
  /** Time that it was granted. */
  readonly seconds: number
  /** Notes on its arguments. */
  readonly notes: readonly string[]
  /** Words on how to start in the root, for a command that started in code_run/ by default; null for any other. */
  readonly rootHint: string | null
  readonly hasInput: boolean
  /** Fields of the answer that are known before it runs. */
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Answer about an ended command.
 * @throws FailureError `timeout` for one that was ended at its deadline
 */
export function answerCommand(
  { subject, seconds, notes: before, rootHint, hasInput, data: known }: CommandAnswer,
  result: CommandResult,
  { workspace }: Pick<Ports, 'workspace'>,
): Result {
  const changed = filesChanged(result)
  const missed = rootHint === null ? [] : placeAdvice(workspace, result, rootHint)
  const notes = [...before, ...missed, ...networkAdvice(result), ...wordAdvice(result, hasInput), ...changed.notes]
  const data = { ...commandData(result, notes), ...changed.data, ...known }
  if (result.timedOut) {
    const message = `${subject} timeout after ${seconds} seconds; give a larger timeout, or run it in the background`
    fail('timeout', message, { data })
  }
  return { text: [commandText(result, notes), ...changed.lines].join('\n'), data }
}
