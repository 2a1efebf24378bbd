import { SHELL_COMMAND_MS } from '../../core/limits/consoles.ts'
import type { LagentParser, Python } from '../../ports/python.ts'
import type { PythonActions, SessionAction } from '../../ports/python-actions.ts'
import { PythonAction } from './action.ts'
import type { DescribedAction } from './described.ts'
import { moduleOf } from './module-of.ts'

/** An action as it can be called. */
export function actionOf({ described, source }: SessionAction, python: Python, parser?: LagentParser): PythonAction {
  return new PythonAction(
    {
      module: moduleOf(source),
      // The cast: it was described by `describeActions` when it came.
      described: described as unknown as DescribedAction,
      timeoutMs: SHELL_COMMAND_MS,
      ...(parser && { parser }),
    },
    python,
  )
}

export const allActions = (actions: PythonActions, python: Python): PythonAction[] =>
  actions.list().map((action) => actionOf(action, python))
