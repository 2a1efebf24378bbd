import { FailureError } from '../../../core/failure.ts'
import type { Outcome, ToolCall } from '../../../core/outcome.ts'
import { ActionReturn } from '../../../lagent/action-return.ts'
import { ActionStatusCode } from '../../../lagent/codes.ts'
import { type ActionDescription, flattened, isToolkitDescription } from '../../../lagent/description.ts'
import { fromLagent, functionName, toAnthropic, toOpenAi } from '../../../lagent/formats.ts'
import type { SessionApi } from '../../../session/api.ts'
import type { DescribedAction } from '../../../tools/python-actions/described.ts'
import { toWire } from '../../../tools/python-actions/python-values.ts'

type Described = Pick<DescribedAction, 'description' | 'instance'>

/** Actions that clients brought to a session as Python, as they describe themselves. */
export async function listPython(session: Pick<SessionApi, 'pythonActions'>): Promise<ActionDescription[]> {
  const actions = (await session.pythonActions()) ?? []
  // The cast: they were described when they came.
  return actions.map(({ described }) => described as unknown as Described).map((one) => one.instance ?? one.description)
}

export function encodePython(
  actions: readonly ActionDescription[],
  format: 'lagent' | 'openai' | 'anthropic',
): unknown[] {
  if (format === 'lagent') return actions.flatMap(flattened)
  return actions.flatMap(fromLagent).map((tool) => (format === 'openai' ? toOpenAi(tool) : toAnthropic(tool)))
}

/** @returns the name by which Python knows it, for one as it is or as {@link functionName} writes it */
export function pythonName(actions: readonly ActionDescription[], name: string): string | null {
  const [first] = name.split('.')
  if (actions.some((action) => action.name === first)) return name
  const apis = actions.flatMap(flattened).map((api) => api.name)
  return apis.find((api) => functionName(api) === name) ?? null
}

/** What {@link encodePython} lists, one of it by its name, or a toolkit as a whole. */
export function findPython(actions: readonly ActionDescription[], name: string): ActionDescription | null {
  const whole = actions.find((action) => action.name === name)
  if (whole) return whole
  return actions.flatMap(flattened).find((api) => api.name === name || functionName(api.name) === name) ?? null
}

export function encodeFoundPython(found: ActionDescription, format: 'lagent' | 'openai' | 'anthropic'): unknown {
  if (format === 'lagent') return found
  const encoded = encodePython([found], format)
  return isToolkitDescription(found) ? { tools: encoded } : encoded[0]
}

/** The call of the core that calls it. Without a parser the action's own reads the inputs. */
export const pythonCall = (name: string, inputs: unknown, parser: 'json' | 'tuple' | null): ToolCall => ({
  tool: 'python_action_call',
  args: {
    name,
    inputs: toWire(inputs),
    ...(parser && { parser: parser === 'tuple' ? 'TupleParser' : 'JsonParser' }),
  },
})

/** What Python answered, or why it could not be asked. */
export function encodePythonOutcome(outcome: Outcome, name: string): ActionReturn {
  if (outcome.kind === 'done') return Object.assign(new ActionReturn(), outcome.result.data)
  const errmsg = 'failure' in outcome ? outcome.failure.message : 'it goes on'
  return new ActionReturn({ type: name, state: ActionStatusCode.API_ERROR, errmsg })
}

/** What a source brought: the descriptions. @throws FailureError why it was refused */
export function encodeBrought(outcome: Outcome): unknown {
  if ('failure' in outcome) throw new FailureError(outcome.failure)
  return outcome.kind === 'done' ? outcome.result.data : {}
}
