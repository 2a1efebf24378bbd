import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { FailureError, fail, failureIn } from '../../../../../core/failure.ts'
import { newSessionName } from '../../../../../core/ids.ts'
import { isObject } from '../../../../../core/json-object.ts'
import {
  MAX_MCP_DESCRIBED_CHARS,
  MAX_MCP_DESCRIBED_TOOLS,
  MAX_MCP_FOUND_TOOLS,
  MAX_MCP_STATUS_WAIT_SECONDS,
  MCP_FOUND_TOOLS,
} from '../../../../../core/limits/mcp.ts'
import { MAX_SESSION_TITLE_CHARS } from '../../../../../core/limits/sessions.ts'
import { MAX_TOOL_QUESTION_CHARS } from '../../../../../core/limits/tool-search.ts'
import { callOfHandle } from '../../../../../core/result-handle.ts'
import { safeRead } from '../../../../../core/safe-read.ts'
import { describeIssues } from '../../../../../tools/registry.ts'
import { endWithin, outcomeOf } from '../../../../call-end.ts'
import { STUB_LANGUAGES, stubOf } from '../../../../callable-tools/stubs/stub.ts'
import type { ToolEntry } from '../../../../callable-tools/tool-entries.ts'
import { wantedTools } from '../../../../callable-tools/wanted-tools.ts'
import { parseExactJson } from '../../../../json.ts'
import type { McpContext } from '../../context.ts'
import { vocabularyOf } from '../failures.ts'
import { type Answer, callIn, inWords, sayNext } from './call-tool.ts'
import { objectSchema } from './input-schema.ts'
import { isMetaTool, type MetaToolName } from './meta-tools.ts'
import { findTool } from './named-call.ts'
import type { Schema } from './offered-tool.ts'
import { resultOf, textChars } from './result.ts'
import { sessionIn } from './session-argument.ts'

type MetaCall = (context: McpContext, given: Schema, request: ServerContext) => Promise<Answer>

/** Calls one of the tools by which others are found and called. What goes wrong is a result. */
export const callMetaTool = (
  name: MetaToolName,
  context: McpContext,
  given: Schema,
  request: ServerContext,
): Promise<Answer> => inWords(context, () => META_CALLS[name](context, given, request))

const META_CALLS: Readonly<Record<MetaToolName, MetaCall>> = {
  search_tools: searchTools,
  describe_tools: describeTools,
  call_tool: callFoundTool,
  tool_status: toolStatus,
  session_create: createSession,
}

const Search = z.object({
  query: z.string().trim().min(1).max(MAX_TOOL_QUESTION_CHARS),
  limit: z.coerce.number().int().min(1).max(MAX_MCP_FOUND_TOOLS).default(MCP_FOUND_TOOLS),
})

async function searchTools({ services }: McpContext, given: Schema): Promise<CallToolResult> {
  const { query, limit } = read(Search, given)
  const found = (await wantedTools(services, { q: query })).slice(0, limit)
  if (found.length === 0) return textResult('no tool fits; say in other words what it should do')
  return textResult(found.map(line).join('\n'))
}

/** Length of what a search says of one tool. */
const LINE_CHARS = 200

const line = ({ name, description }: ToolEntry) => {
  const sentence = /^.*?[.!?](?=\s|$)/s.exec(description.slice(0, 4 * LINE_CHARS))?.[0] ?? description
  const short = sentence.replaceAll(/\s+/g, ' ')
  return `${name}: ${short.length > LINE_CHARS ? `${short.slice(0, LINE_CHARS).toWellFormed()}…` : short}`
}

const Describe = z.object({
  names: z.array(z.string().min(1)).min(1).max(MAX_MCP_DESCRIBED_TOOLS),
  as: z.enum(['schema', ...STUB_LANGUAGES]).default('schema'),
})

async function describeTools({ services }: McpContext, given: Schema): Promise<CallToolResult> {
  const { names, as } = read(Describe, typeof given.names === 'string' ? { ...given, names: [given.names] } : given)
  const described = await Promise.all(
    names.map(async (name) => {
      try {
        const entry = await findTool(services, name)
        if (as !== 'schema') return stubOf(entry, as)
        const { name: id, description, inputSchema } = entry
        return JSON.stringify({ name: id, description, inputSchema: objectSchema(inputSchema) })
      } catch (thrown) {
        if (!(thrown instanceof FailureError)) throw thrown
        return failureIn(thrown.failure, vocabularyOf(services)).message
      }
    }),
  )
  const texts = described.map((text, at) =>
    text.length > MAX_MCP_DESCRIBED_CHARS ? `${names[at]}: its schema is too long to be shown` : text,
  )
  const shown: string[] = []
  for (let chars = 0; shown.length < texts.length; ) {
    const text = texts[shown.length] ?? ''
    chars += text.length
    if (chars > MAX_MCP_DESCRIBED_CHARS) break
    shown.push(text)
  }
  const left = texts.length - shown.length
  return textResult([...shown, ...(left > 0 ? [`${left} more left out: describe fewer at once`] : [])].join('\n'))
}

const Call = z.object({ name: z.string().min(1) })

async function callFoundTool(context: McpContext, given: Schema, request: ServerContext): Promise<Answer> {
  const { session, args: rest } = sessionIn(context, given, {})
  const { name } = read(Call, rest)
  const args = argumentsOf(rest)
  if (isMetaTool(name)) {
    if (name === 'call_tool') fail('invalid_input', 'name: call_tool calls other tools; give the name of one')
    return callMetaTool(name, context, args, request)
  }
  const entry = await findTool(context.services, name)
  return callIn(context, session, { entry, args }, request)
}

/** The arguments of a call; models give them as JSON in a text, too, and leave them out where a tool takes none. */
function argumentsOf({ arguments: given = {} }: Schema): Schema {
  if (typeof given !== 'string') return isObject(given) ? given : fail('invalid_input', 'arguments: give an object')
  const parsed = parseExactJson(given)
  if (!parsed.ok) fail('invalid_input', `arguments: give an object; the text is no JSON: ${parsed.message}`)
  return isObject(parsed.value) ? parsed.value : fail('invalid_input', 'arguments: give an object')
}

const Status = z.object({
  call_id: z.string().min(1),
  wait_seconds: z.coerce.number().min(0).max(MAX_MCP_STATUS_WAIT_SECONDS).default(0),
})

async function toolStatus(context: McpContext, given: Schema): Promise<CallToolResult> {
  const { services } = context
  const { session, args } = sessionIn(context, given, {})
  const { call_id, wait_seconds } = read(Status, args)
  const { calls } = services.session(session)
  const callId = callOfHandle(call_id)
  const ended = await endWithin(
    calls,
    callId,
    wait_seconds * 1_000,
    () => services.now(),
    ({ running }) => !running,
  )
  const view = ended ?? (await calls.find(callId))
  const { call, running, progress } = view
  const outcome = outcomeOf(view)
  if (outcome) {
    const sayHow = (next: Parameters<typeof sayNext>[2]) => sayNext(context, session, next)
    const form = { session, vocabulary: vocabularyOf(services), chars: textChars({}), isStructured: false }
    return resultOf(outcome, { ...form, sayNext: sayHow })
  }
  const lines = progress.lines.length > 0 ? `\n${progress.lines.join('\n')}` : ''
  if (running) return textResult(`${call.tool} runs; call tool_status again to wait on${lines}`)
  return textResult(`${call.tool}: ${call.state}\n${call.answer}`)
}

const NewSession = z.object({ title: z.string().max(MAX_SESSION_TITLE_CHARS).optional() })

async function createSession({ services, endpoint }: McpContext, given: Schema): Promise<CallToolResult> {
  const { title } = read(NewSession, given)
  if (endpoint.session !== null) {
    fail('invalid_input', 'calls at this address work in its own session; call tools without making one')
  }
  const session = newSessionName()
  const spec = { title: title ?? session, requirements: [], directories: [], files: [] }
  const made = await services.session(session).create(spec)
  if ('failure' in made) throw new FailureError(made.failure)
  return { ...textResult(`session: ${session}`), structuredContent: { session } }
}

function read<T extends z.ZodType>(schema: T, given: Schema): z.output<T> {
  const parsed = safeRead(schema, given)
  if (!parsed.success) fail('invalid_input', describeIssues(parsed.error))
  return parsed.data
}

const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })
