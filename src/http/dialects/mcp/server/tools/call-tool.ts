import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { failureIn, toFailure } from '../../../../../core/failure.ts'
import type { SessionName } from '../../../../../core/ids.ts'
import type { ToolCall } from '../../../../../core/outcome.ts'
import type { ToolEntry } from '../../../../callable-tools/tool-entries.ts'
import type { McpContext } from '../../context.ts'
import { runCall } from '../calls/run-call.ts'
import { taskOf } from '../calls/session-tasks.ts'
import { failedResult, vocabularyOf } from '../failures.ts'
import { asksBack, callPerson, isForPerson } from '../people/ask-person.ts'
import { CORE_TOOLS } from './core-tools.ts'
import { callOf, findTool } from './named-call.ts'
import type { Schema } from './offered-tool.ts'
import { outputSchema } from './output-schemas.ts'
import { type ResultForm, resultOf, textChars } from './result.ts'
import { sessionIn } from './session-argument.ts'

/** Result of a call, or a question to the client's person before there is one. */
export type Answer = CallToolResult | InputRequiredResult

/**
 * Calls a tool by the name that a list has for it, whether or not this address lists it.
 * @throws FailureError `not_found` when there is no such tool; what else goes wrong is a result
 */
export async function callTool(
  context: McpContext,
  name: string,
  given: Schema,
  request: ServerContext,
): Promise<Answer> {
  const { services, endpoint } = context
  const entry = await (context.findTool?.(name) ?? findTool(services, name))
  const isListed = endpoint.tools.kind === 'toolkits' && entry.kind === 'registered'
  return inWords(context, async () => {
    const schema = isListed ? await outputSchema(entry.name, services) : null
    const { session, args } = sessionIn(context, given, entry.inputSchema)
    return callIn(context, session, { entry, args, isStructured: schema !== null }, request)
  })
}

interface FoundCall {
  readonly entry: ToolEntry
  readonly args: Schema
  /** Whether the caller has a schema of the result. */
  readonly isStructured?: boolean
}

/** Calls a tool in a session. @throws FailureError for arguments that it does not have */
export async function callIn(
  context: McpContext,
  session: SessionName,
  { entry, args, isStructured = false }: FoundCall,
  request: ServerContext,
): Promise<Answer> {
  const checked = callOf(context.services, entry, args)
  const answer = isForPerson(context, checked.call, request)
    ? await callPerson(context, session, checked.call, request)
    : await runCall(context, session, checked.call, request)
  if (asksBack(answer)) return answer
  const outcome = checked.answer(answer)
  const form = { ...taskForm(context, session), chars: textChars(args), isStructured }
  return taskOf(context, session, outcome, request) ?? resultOf(outcome, form)
}

/** How the result of a call is shown that was made by another request. */
export const taskForm = (context: McpContext, session: SessionName): ResultForm => ({
  ...{ session, chars: textChars({}), isStructured: false },
  vocabulary: vocabularyOf(context.services),
  sayNext: (next) => sayNext(context, session, next),
})

/** A result of what is done, or of why it cannot be, in the words of MCP. @throws ProtocolError for what is no matter of the model */
export async function inWords({ services, report }: McpContext, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown
    const failure = toFailure(thrown)
    if (failure.code === 'internal') report?.(thrown)
    return failedResult(failure, failureIn(failure, vocabularyOf(services)).message)
  }
}

/** How a caller waits on for work that is not done: by the tool itself where its list has it, else by `call_tool`. */
export function sayNext({ endpoint, usualSession }: McpContext, session: SessionName, next: ToolCall): string {
  const { kind } = endpoint.tools
  const isListed = kind === 'all' || (kind === 'core' && CORE_TOOLS.has(next.tool))
  const place = endpoint.session === null && session !== usualSession ? { session } : {}
  const [name, args] = isListed
    ? [next.tool, { ...Object(next.args), ...place }]
    : ['call_tool', { name: next.tool, arguments: next.args, ...place }]
  return `It is not done yet; to wait on call ${name} with ${JSON.stringify(args)}`
}
