import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { MAX_NAMED_TOOLS, MAX_TOOLS_PAGE_CHARS } from '../../../../core/limits/tool-search.ts'
import { exportedName } from '../../../callable-tools/exported-name.ts'
import type { ToolEntry } from '../../../callable-tools/tool-entries.ts'
import { toolNamed, wantedTools } from '../../../callable-tools/wanted-tools.ts'
import type { AppEnv } from '../../../dialect.ts'
import { encodePage, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { exportTool, type Format } from './exports/formats.ts'
import { CallableTool, ExportedTools, ToolDescription, ToolQuery, ToolsQuery } from './tool-answers.ts'
import { synonymsOf, usageOf } from './tool-usage.ts'

/** `GET /v1/tools`: tools that can be called, searched and exported. */
export function addTools(app: Hono<AppEnv>): void {
  route(app, 'get', '/v1/tools', LIST, async (c, { services, query }) => {
    const { limit, cursor, q, toolkit, agent, format, strict } = query
    if (strict && format !== 'openai' && format !== 'openai_responses') {
      fail('invalid_input', 'strict: goes with format=openai and format=openai_responses alone')
    }
    const tools = await wantedTools(services, { q, toolkit, agent, names: namesOf(query.names) })
    const { page, next } = pageOf(tools, limit, cursor)
    return c.json(
      format === undefined ? encodePage(page.map(encodeTool), next) : encodeExport(page, next, format, strict),
    )
  })
}

/** `GET /v1/tools/{tool}`: one tool, and how it is called. Its route stands behind those with names of their own below `/v1/tools`. */
export function addTool(app: Hono<AppEnv>): void {
  route(app, 'get', '/v1/tools/:tool', GET, async (c, { services, query: { agent } }) => {
    const entry = await toolNamed(services, c.req.param('tool'), { agent })
    const output =
      entry.kind === 'server' ? {} : (await services.tenant.tools.find(entry.name)).definition.output_schema
    return c.json({
      ...encodeTool(entry),
      output_schema: Object.keys(output).length > 0 ? output : null,
      exported_name: exportedName(entry.name),
      synonyms: synonymsOf(services, entry.name),
      call: usageOf(entry),
    })
  })
}

const encodeTool = ({ inputSchema, ...tool }: ToolEntry): z.input<typeof CallableTool> => ({
  ...tool,
  input_schema: inputSchema,
})

function encodeExport(page: readonly ToolEntry[], next: string | null, format: Format, isStrict: boolean) {
  const exported = page.map((entry) => ({ tool: entry.name, ...exportTool(entry, format, isStrict) }))
  return {
    ...encodePage(
      exported.map(({ definition }) => definition),
      next,
    ),
    format,
    names: Object.fromEntries(exported.map(({ name, tool }) => [name, tool])),
    notes: exported.flatMap(({ tool, notes }) => notes.map((note) => ({ tool, note }))),
  }
}

function namesOf(given: string | undefined): string[] | undefined {
  if (given === undefined) return undefined
  const names = given.split(',').filter((name) => name !== '')
  if (names.length === 0 || names.length > MAX_NAMED_TOOLS) {
    fail('invalid_input', `names: give 1 to ${MAX_NAMED_TOOLS} names (MAX_NAMED_TOOLS) with commas between them`)
  }
  return names
}

/** Tools behind the one that a cursor names, as many as one answer holds. */
function pageOf(tools: readonly ToolEntry[], limit: number, cursor: string | undefined) {
  const start = cursor === undefined ? 0 : placeAfter(tools, cursor)
  let end = start
  for (
    let chars = 0;
    end < Math.min(tools.length, start + limit) && (end === start || chars < MAX_TOOLS_PAGE_CHARS);
    end++
  ) {
    chars += JSON.stringify(tools[end]).length
  }
  return { page: tools.slice(start, end), next: end < tools.length ? (tools[end - 1]?.name ?? null) : null }
}

function placeAfter(tools: readonly ToolEntry[], cursor: string): number {
  const at = tools.findIndex(({ name }) => name === cursor)
  if (at === -1) fail('invalid_input', 'cursor: it is none of this list, or its tool is gone; begin without a cursor')
  return at + 1
}

const LIST = {
  id: 'listTools',
  tag: 'tools',
  summary: 'Find tools',
  description:
    "Tools that the caller can call: the server's own and those registered, or those that fit a question, a toolkit, or names. With `format` the answer has their definitions as a provider of models takes them, and the names that they have there; calls take these as well.",
  scope: 'read',
  query: ToolsQuery,
  answers: {
    200: {
      description: 'A page of tools, or of their definitions. Long ones make it shorter than its limit.',
      content: z.union([PageOf(CallableTool), ExportedTools]),
    },
  },
  problems: [404],
  example: { query: { q: 'find text in files', limit: '3', format: 'openai' }, status: 200 },
} as const

const GET = {
  id: 'getTool',
  tag: 'tools',
  summary: 'Get a tool, and how it is called',
  scope: 'read',
  params: { tool: 'Name of the tool; a slash in it is sent as %2F.' },
  query: ToolQuery,
  answers: { 200: { description: 'The tool.', content: ToolDescription } },
  problems: [404],
  example: { params: { tool: 'file_read' }, status: 200 },
} as const
