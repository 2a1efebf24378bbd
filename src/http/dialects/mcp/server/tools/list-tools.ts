import type { ListToolsResult } from '@modelcontextprotocol/server'
import { fail } from '../../../../../core/failure.ts'
import { MCP_TOOLS_PAGE } from '../../../../../core/limits/mcp.ts'
import type { McpContext } from '../../context.ts'
import type { OfferedTool } from './offered-tool.ts'
import { offeredTools } from './toolsets.ts'

/**
 * A page of the tools that the address offers.
 * @param cursor name of the last tool of the page before
 * @throws FailureError `invalid_input` for another cursor
 */
export async function listTools(context: McpContext, cursor: string | undefined): Promise<ListToolsResult> {
  const tools = await offeredTools(context)
  if (context.serialised && cursor === undefined && tools.length <= MCP_TOOLS_PAGE) {
    context.serialised.take(tools)
    return { tools: [] }
  }
  const start = cursor === undefined ? 0 : placeAfter(tools, cursor)
  const page = tools.slice(start, start + MCP_TOOLS_PAGE)
  const last = start + page.length < tools.length ? page.at(-1) : undefined
  return { tools: page as ListToolsResult['tools'], ...(last && { nextCursor: last.name }) }
}

function placeAfter(tools: readonly OfferedTool[], cursor: string): number {
  const at = tools.findIndex(({ name }) => name === cursor)
  if (at === -1) fail('invalid_input', 'cursor: it is none of this list, or its tool is gone; begin without a cursor')
  return at + 1
}
