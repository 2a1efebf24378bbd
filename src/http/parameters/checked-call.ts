import { type Failure, fail, failureWith, messageParts } from '../../core/failure.ts'
import type { Outcome, ToolCall } from '../../core/outcome.ts'
import { say } from '../../core/saying/saying.ts'
import type { Services } from '../dialect.ts'
import { redirected } from './other-tool.ts'
import type { Params } from './params.ts'
import { ToolParameters } from './tool-parameters.ts'

type Tools = Pick<Services, 'tools' | 'toolkits'>

/** Parameters of the tools, by name: made once for a list of tools, which all requests share. */
const plans = new WeakMap<Tools['tools'], ReadonlyMap<string, ToolParameters>>()

/** Parameters of the server's tools that a caller can call, listed or in a toolkit. */
export function parametersOf({ tools, toolkits }: Tools): ReadonlyMap<string, ToolParameters> {
  let found = plans.get(tools)
  if (!found) {
    const all = [...toolkits.flatMap((kit) => kit.tools), ...tools]
    found = new Map(all.map((tool) => [tool.name, new ToolParameters(tool)]))
    plans.set(tools, found)
  }
  return found
}

/**
 * Makes a call of a tool of the server in a dialect that has the tools' own names, and ignores parameters that a tool does not
 * have, as published servers do: {@link noting}.
 */
export async function callNoting(tools: Tools, given: ToolCall, make: Make): Promise<Outcome> {
  const call = redirected(given)
  const parameters = parametersOf(tools).get(call.tool)
  return parameters ? noting(parameters, call.args as Params, (args) => make({ tool: call.tool, args })) : make(call)
}

/**
 * Makes a call with arguments by any plain synonym of their names. A parameter that the tool does not have refuses the call where the
 * tool would do something else without it; else the answer's `notes` name it. The answer of a call that lacks an argument says what
 * the tool takes.
 */
export async function noting(
  parameters: ToolParameters,
  params: Params,
  make: (args: Params) => Promise<Outcome>,
): Promise<Outcome> {
  const { args, unknown, notes } = parameters.read(params)
  // A call that lacks an argument is refused by the tool, and that says more.
  const lacks = parameters.lacksRequired(args)
  if (!lacks && unknown.some(({ isMissed }) => isMissed)) {
    return { kind: 'refused', failure: { code: 'invalid_input', message: parameters.say(unknown) } }
  }
  const outcome = await make(args)
  const sentences = [...notes, ...(unknown.length > 0 ? [parameters.say(unknown)] : lacks ? [parameters.takes] : [])]
  return sentences.length === 0 ? outcome : withNotes(outcome, sentences)
}

/**
 * Makes a call as {@link callNoting}, but refuses each unknown parameter, and says what the tool takes in the refusal itself.
 * @throws FailureError `invalid_input` for unknown parameters
 */
export async function callStrictly(tools: Tools, call: ToolCall, make: Make): Promise<Outcome> {
  const checked = strictCall(tools, call)
  return checked.answer(await make(checked.call))
}

/** A call whose arguments have their names, and what its answer says of them. */
export interface StrictCall {
  readonly call: ToolCall
  readonly notes: readonly string[]
  answer(outcome: Outcome): Outcome
}

/** The call that {@link callStrictly} makes. @throws FailureError `invalid_input` for unknown parameters */
export function strictCall(tools: Tools, given: ToolCall): StrictCall {
  const call = redirected(given)
  const parameters = parametersOf(tools).get(call.tool)
  if (!parameters) return { call, notes: [], answer: (outcome) => outcome }
  const { args, unknown, notes } = parameters.read(call.args as Params, false)
  if (unknown.length > 0) fail('invalid_input', parameters.say(unknown))
  return {
    call: { tool: call.tool, args },
    notes,
    answer(outcome) {
      if (outcome.kind === 'refused' && outcome.failure.code === 'invalid_input' && parameters.lacksRequired(args)) {
        return { ...outcome, failure: withSentence(outcome.failure, parameters.takes) }
      }
      return notes.length === 0 ? outcome : withNotes(outcome, notes)
    },
  }
}

type Make = (call: ToolCall) => Promise<Outcome>

const withSentence = ({ code, data, ...words }: Failure, sentence: string): Failure =>
  failureWith(code, say`${messageParts({ code, ...words })}. ${sentence}`, data)

/** The outcome with notes beside those that its data has. */
export function withNotes(outcome: Outcome, notes: readonly string[]): Outcome {
  const noted = (data: Readonly<Record<string, unknown>> = {}) => ({
    ...data,
    notes: [...(Array.isArray(data.notes) ? data.notes : []), ...notes],
  })
  switch (outcome.kind) {
    case 'done':
      return { ...outcome, result: { ...outcome.result, data: noted(outcome.result.data) } }
    case 'pending':
      return { ...outcome, soFar: { ...outcome.soFar, data: noted(outcome.soFar.data) } }
    case 'failed':
    case 'refused':
      return { ...outcome, failure: { ...outcome.failure, data: noted(outcome.failure.data) } }
  }
}
