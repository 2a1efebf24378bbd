import { FailureError, failureIn } from '../../../core/failure.ts'
import type { Outcome, ToolCall } from '../../../core/outcome.ts'
import type { Vocabulary } from '../../../core/saying/worded.ts'
import { ActionReturn } from '../../../lagent/action-return.ts'
import { ActionStatusCode } from '../../../lagent/codes.ts'
import { type ActionDescription, apisOf, flattened, isToolkitDescription } from '../../../lagent/description.ts'
import { fromLagent, functionName, toAnthropic, toOpenAi } from '../../../lagent/formats.ts'
import { JSON_FORMAT } from '../../../lagent/parameter-description.ts'
import type { BroughtTool } from '../../../ports/toolbox.ts'
import type { DescribedAction } from '../../../tools/python-actions/described.ts'
import { toWire } from '../../../tools/python-actions/python-values.ts'
import type { Execution } from './codec.ts'

type Described = Pick<DescribedAction, 'description' | 'instance'>

/** Python actions that clients added to a session, as they describe themselves. */
export const listPython = (tools: readonly BroughtTool[]): ActionDescription[] => listBrought(tools).map(asCalled)

const listBrought = (tools: readonly BroughtTool[]): Described[] =>
  // The cast: actions were described when they came.
  tools.flatMap((tool) => (tool.kind === 'action' ? [tool.described as unknown as Described] : []))

const asCalled = ({ instance, description }: Described) => instance ?? description

export function encodePython(
  actions: readonly ActionDescription[],
  format: 'lagent' | 'openai' | 'anthropic',
): unknown[] {
  if (format === 'lagent') return actions.flatMap(flattened)
  return actions.flatMap(fromLagent).map((tool) => (format === 'openai' ? toOpenAi(tool) : toAnthropic(tool)))
}

export interface FoundPython {
  readonly description: ActionDescription
  /** Requested api; the action may not have it. */
  readonly api: string
  /** True when the action's own parser reads JSON alone, so that a tuple can only be meant for the other. */
  readonly readsJson: boolean
}

/** Finds an action of the session, by its name or as {@link functionName} writes it. */
export function callablePython(tools: readonly BroughtTool[], name: string): FoundPython | null {
  const brought = listBrought(tools)
  const actions = brought.map(asCalled)
  const known = flattenedAll(actions).find((api) => functionName(api.name) === name)?.name ?? name
  const [first, ...rest] = known.split('.')
  const found = brought.find((one) => asCalled(one).name === first)
  return found ? { description: asCalled(found), api: rest.join('.') || 'run', readsJson: readsJson(found) } : null
}

const flattenedAll = (actions: readonly ActionDescription[]) => actions.flatMap(flattened)

/** Whether the action's parser is JSON's: a function's is, a class's description tells. */
const readsJson = ({ instance }: Described) =>
  !instance || apisOf(instance).every(([, api]) => FORMATS.includes(api.parameter_description ?? ''))

const FORMATS = Object.values(JSON_FORMAT)

/** Finds an action of the list of {@link encodePython} by its name, or a toolkit as a whole. */
export function findPython(actions: readonly ActionDescription[], name: string): ActionDescription | null {
  const whole = actions.find((action) => action.name === name)
  if (whole) return whole
  return flattenedAll(actions).find((api) => api.name === name || functionName(api.name) === name) ?? null
}

export function encodeFoundPython(found: ActionDescription, format: 'lagent' | 'openai' | 'anthropic'): unknown {
  if (format === 'lagent') return found
  const encoded = encodePython([found], format)
  return isToolkitDescription(found) ? { tools: encoded } : encoded[0]
}

/** The core's call of a Python action. Without a parser the action's own reads the inputs, but for tuples that it cannot read. */
export function pythonCall(
  { description, api, readsJson }: FoundPython,
  inputs: unknown,
  { requestedParser, kind }: Pick<Execution, 'requestedParser' | 'kind'>,
): ToolCall {
  const parser = requestedParser ?? (kind === 'tuple' && readsJson ? 'tuple' : null)
  return {
    tool: 'python_action_call',
    args: {
      name: isToolkitDescription(description) ? `${description.name}.${api}` : description.name,
      inputs: toWire(inputs),
      ...(parser && { parser: parser === 'tuple' ? 'TupleParser' : 'JsonParser' }),
    },
  }
}

/** Python's answer in Lagent's form, or why Python could not be called. */
export function encodePythonOutcome(outcome: Outcome, name: string, vocabulary: Vocabulary): ActionReturn {
  if (outcome.kind === 'done') return Object.assign(new ActionReturn(), outcome.result.data)
  const errmsg = 'failure' in outcome ? failureIn(outcome.failure, vocabulary).message : 'it goes on'
  return new ActionReturn({ type: name, state: ActionStatusCode.API_ERROR, errmsg })
}

/** Descriptions of a source's actions. @throws FailureError why the source was refused */
export function encodeBrought(outcome: Outcome): { readonly actions: readonly ActionDescription[] } {
  if ('failure' in outcome) throw new FailureError(outcome.failure)
  // The cast: python_actions_register has this answer, and never pending work.
  return outcome.kind === 'done' ? (outcome.result.data as { actions: ActionDescription[] }) : { actions: [] }
}
