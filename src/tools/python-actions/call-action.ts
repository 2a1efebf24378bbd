import { SHELL_COMMAND_MS } from '../../core/limits/consoles.ts'
import type { Result } from '../../core/outcome.ts'
import { ActionReturn } from '../../lagent/action-return.ts'
import { ActionExecutor } from '../../lagent/executor.ts'
import { toStr } from '../../lagent/python/to-text.ts'
import type { LagentParser, Python } from '../../ports/python.ts'
import type { ActionSource, ActionTool } from '../../ports/toolbox.ts'
import { PythonAction } from './action.ts'
import type { DescribedAction } from './described.ts'
import { moduleOf } from './module-of.ts'
import { fromWire } from './python-values.ts'

/** Arguments of `python_action_call`. */
interface ActionCall {
  /** Name of the API: `Toolkit.api` for a toolkit. */
  readonly name: string
  readonly inputs?: unknown
  readonly parser?: LagentParser
}

/** Calls an action as Lagent's executor does; `data` is the ActionReturn with the outcome. */
export async function callAction(
  python: Python,
  { described, source }: Pick<ActionTool, 'described'> & { readonly source: ActionSource },
  args: Readonly<Record<string, unknown>>,
): Promise<Result> {
  const { name, inputs, parser } = args as unknown as ActionCall // checked by the tool with this schema
  const action = new PythonAction(
    {
      module: moduleOf(source),
      // The cast: `describeActions` made this description when the module was registered.
      described: described as unknown as DescribedAction,
      timeoutMs: SHELL_COMMAND_MS,
      ...(parser && { parser }),
    },
    python,
  )
  const answer = await new ActionExecutor({ actions: action }).call(name, fromWire(inputs))
  return { text: textOf(answer) || String(answer.errmsg ?? ''), data: { ...answer.toJSON() } }
}

/** Text of a result as Lagent joins it, but never refused: an item that is no text is shown as Python prints it. */
const textOf = ({ result }: ActionReturn) =>
  new ActionReturn({
    result: result?.map((one) => ({ ...one, content: toStr(one.content) })) ?? null,
  }).formatResult()
