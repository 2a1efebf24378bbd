import type { Outcome, ToolCall } from '../../core/outcome.ts'
import { isLong } from '../../tools/define.ts'
import type { PreparedCall, Registry } from '../../tools/registry.ts'
import type { CallFailures } from './call-failures.ts'

/** Finds the tool of a call and checks its arguments, or gives the outcome that says what is wrong with them. */
export function prepareCall(
  registry: Registry,
  failures: CallFailures,
  call: ToolCall,
): PreparedCall | { readonly refused: Outcome } {
  try {
    return registry.prepare(call)
  } catch (thrown) {
    return { refused: failures.refused(thrown) }
  }
}

/** Whether a call answers at once from the files alone. */
export const isOfFilesAlone = ({ effect, uses }: PreparedCall): boolean =>
  !isLong(effect) && uses.every((port) => port === 'workspace')
