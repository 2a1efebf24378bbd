import {
  MAX_MCP_DESCRIBED_TOOLS,
  MAX_MCP_FOUND_TOOLS,
  MAX_MCP_STATUS_WAIT_SECONDS,
} from '../../../../../core/limits/mcp.ts'
import { STUB_LANGUAGES } from '../../../../callable-tools/stubs/stub.ts'
import type { OfferedTool } from './offered-tool.ts'

export type MetaToolName = 'search_tools' | 'describe_tools' | 'call_tool' | 'tool_status' | 'session_create'

const text = { type: 'string' } as const

/** Tools by which any tool is found and called, registered ones too, and that make a session. */
export const META_TOOLS: Readonly<Record<MetaToolName, OfferedTool>> = {
  search_tools: {
    name: 'search_tools',
    title: 'Search tools',
    description: 'Find tools by what they should do. Returns names and what each does.',
    inputSchema: {
      type: 'object',
      properties: { query: text, limit: { type: 'integer', minimum: 1, maximum: MAX_MCP_FOUND_TOOLS } },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  describe_tools: {
    name: 'describe_tools',
    title: 'Describe tools',
    description: 'Get descriptions and argument schemas of tools by name, or stubs for code_run_tools.',
    inputSchema: {
      type: 'object',
      properties: {
        names: { type: 'array', items: text, maxItems: MAX_MCP_DESCRIBED_TOOLS },
        as: { enum: ['schema', ...STUB_LANGUAGES] },
      },
      required: ['names'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  call_tool: {
    name: 'call_tool',
    title: 'Call tool',
    description: 'Call a tool that search_tools found.',
    inputSchema: {
      type: 'object',
      properties: { name: text, arguments: { type: 'object' } },
      required: ['name', 'arguments'],
    },
    annotations: { readOnlyHint: false, openWorldHint: true },
  },
  tool_status: {
    name: 'tool_status',
    title: 'Tool status',
    description: 'See how a call goes on, and its result once it has ended.',
    inputSchema: {
      type: 'object',
      properties: {
        call_id: text,
        wait_seconds: { type: 'number', minimum: 0, maximum: MAX_MCP_STATUS_WAIT_SECONDS },
      },
      required: ['call_id'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  session_create: {
    name: 'session_create',
    title: 'Create session',
    description:
      'Make a session with files and a sandbox of its own; give its handle to other tools as session. Without one all calls share a session.',
    inputSchema: { type: 'object', properties: { title: text } },
    outputSchema: { type: 'object', properties: { session: text }, required: ['session'] },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
}

export const isMetaTool = (name: string): name is MetaToolName => Object.hasOwn(META_TOOLS, name)

/** Meta-tools that work in a session. */
const IN_A_SESSION: ReadonlySet<MetaToolName> = new Set(['call_tool', 'tool_status'])

export const isInSession = (name: MetaToolName): boolean => IN_A_SESSION.has(name)
