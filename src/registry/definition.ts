import * as z from 'zod'
import { MAX_PYTHON_FILES, MAX_PYTHON_REQUIREMENTS, MAX_REQUIREMENT_CHARS } from '../core/limits/python.ts'
import {
  MAX_AGENT_CHARS,
  MAX_AGENT_PATTERNS,
  MAX_PART_NAME_CHARS,
  MAX_REGISTERED_TIMEOUT_SECONDS,
  MAX_TOOL_CREDENTIALS,
  MAX_TOOL_DESCRIPTION_CHARS,
  MAX_TOOL_ID_CHARS,
  REGISTERED_TIMEOUT_SECONDS,
} from '../core/limits/registry.ts'
import { MAX_URL_CHARS } from '../core/limits/web.ts'
import { fewEntries } from '../core/safe-read.ts'
import { chainDefinition } from './chain/definition.ts'
import { HttpRequestOf, originText } from './http-request.ts'
import { knownFields } from './known-fields.ts'
import { McpExecutor } from './mcp/mcp-executor.ts'

const JsonObject = z.record(z.string(), z.unknown())

/** Sends a request to a service. Without `request` as Toolcore does: POST with `{"args", "context"}` as JSON. */
const HttpExecutor = knownFields({
  kind: z.literal('http'),
  /** An address; with `request` it may have `{name}`s in its path, which arguments fill. */
  target: z.string().min(1).max(MAX_URL_CHARS),
  request: HttpRequestOf.optional(),
}).refine(
  ({ target, request }) => request === undefined || isTemplate(target),
  'target must be http:// or https:// with a host that no argument has a part in',
)

function isTemplate(target: string): boolean {
  const origin = originText(target)
  return /^https?:$/.test(URL.parse(origin)?.protocol ?? '') && !/[{}@]/.test(origin)
}

/** Calls a function in the session's sandbox, `func(**args, context=context)`. */
const PythonExecutor = knownFields({
  kind: z.literal('python'),
  /** `module.path:function_name`; behind the colon `Class.method` too. */
  target: z.string().min(1).max(MAX_URL_CHARS),
  /** The module. Without it, and without `files`, a requirement brings it. */
  source: z.string().optional(),
  /** Modules by path, e.g. `pkg/tool.py`, that import each other. */
  files: fewEntries(z.record(z.string(), z.string()), MAX_PYTHON_FILES, 'MAX_PYTHON_FILES').optional(),
  /** Requirements for pip. */
  requirements: z.array(z.string().max(MAX_REQUIREMENT_CHARS)).max(MAX_PYTHON_REQUIREMENTS).optional(),
  /** Names of the tenant's secrets that the tool gets in `context["secrets"]`. */
  secrets: z.array(z.string().max(MAX_PART_NAME_CHARS)).max(MAX_TOOL_CREDENTIALS).optional(),
}).refine(({ source, files }) => source === undefined || files === undefined, 'source or files, not both')

/** Calls other tools, step by step: docs/chains.md. */
const ChainExecutor = knownFields({ kind: z.literal('chain'), chain: chainDefinition })

const Executor = z.discriminatedUnion('kind', [HttpExecutor, PythonExecutor, ChainExecutor, McpExecutor])

/** @see isToolId */
const ToolId = z
  .string()
  .min(1)
  .max(MAX_TOOL_ID_CHARS)
  .refine(isToolId, 'must be text without "@" and control characters')
  .refine((id) => id !== '.' && id !== '..', 'must not be "." or "..": no path can name it')

/** Whether a text can be a tool's id: `@` separates an id from a version. */
export function isToolId(id: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  return id !== '' && id.length <= MAX_TOOL_ID_CHARS && !/[@\u0000-\u001f\u007f]/.test(id) && id.isWellFormed()
}

const SECONDS = `must be 1 to ${MAX_REGISTERED_TIMEOUT_SECONDS} seconds (MAX_REGISTERED_TIMEOUT_SECONDS)`

/**
 * Definition of a tool: one version of it. Plain JSON, kept whole. Fields and their defaults are those of Toolcore's config.yaml
 * (executor and target apart).
 */
export const ToolDefinition = z.object({
  id: ToolId,
  name: z.string().min(1).max(MAX_TOOL_ID_CHARS),
  description: z.string().max(MAX_TOOL_DESCRIPTION_CHARS),
  /** JSON Schemas of its arguments, and of its result. */
  input_schema: JsonObject,
  output_schema: JsonObject.default({}),
  executor: Executor,
  /** Time for the whole call, in seconds. */
  timeout: z.int().min(1, SECONDS).max(MAX_REGISTERED_TIMEOUT_SECONDS, SECONDS).default(REGISTERED_TIMEOUT_SECONDS),
  /** Name of its set: an env of XAgent, a toolkit of Lagent. */
  toolkit: z.string().min(1).max(MAX_TOOL_ID_CHARS).nullable().default(null),
  /** True for a tool hidden from lists, but found by a question or by name. */
  hidden: z.boolean().default(false),
  /** Whether arguments and results must fit the schemas. */
  checks: z
    .strictObject({ input: z.boolean().default(false), output: z.boolean().default(false) })
    .default({ input: false, output: false }),
})
export type ToolDefinition = z.output<typeof ToolDefinition>
export type Executor = ToolDefinition['executor']

/** A definition whose tool may be run by its source, where none of the executors runs it. */
export type SourcedDefinition = Omit<ToolDefinition, 'executor'> & {
  readonly executor: Executor | { readonly kind: 'source'; readonly source: string }
}

/** Permission to call a tool, in every version: going back to an older one admits nobody again. */
export const ToolPolicy = z.object({
  enabled: z.boolean().default(true),
  /** Names of permitted agents, `*` for any run of characters; null: all; empty: nobody. */
  allowed_agents: z.array(z.string().max(MAX_AGENT_CHARS)).max(MAX_AGENT_PATTERNS).nullable().default(null),
})
export type ToolPolicy = z.output<typeof ToolPolicy>
