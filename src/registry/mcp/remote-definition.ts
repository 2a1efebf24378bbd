import { MAX_TOOL_ID_CHARS } from '../../core/limits/registry.ts'
import { schemaProblem } from '../check/check-schema.ts'
import { ToolDefinition } from '../definition.ts'
import type { McpExecutor } from './mcp-executor.ts'
import type { RemoteTool } from './remote-tool.ts'

/** Settings of a server that its tools' definitions have. */
export interface RemoteSettings {
  readonly url: string
  readonly auth: McpExecutor['auth']
  /** Seconds for one call. */
  readonly timeout: number
}

/** Registered tool for a remote one. A quarantined one is hidden, and says so. */
export function remoteDefinition(
  {
    id,
    server,
    tool,
    pin,
  }: { readonly id: string; readonly server: string; readonly tool: string; readonly pin: string },
  { title, description, inputSchema, outputSchema }: RemoteTool,
  { url, auth, timeout }: RemoteSettings,
  quarantined: boolean,
): ToolDefinition {
  const origin = `From the MCP server ${server}: ${description === '' ? title : description}`
  return ToolDefinition.parse({
    id,
    name: title.slice(0, MAX_TOOL_ID_CHARS),
    description: quarantined
      ? `Cannot be called: it changed at its server, and nobody accepted that. ${origin}`
      : origin,
    input_schema: inputSchema,
    output_schema: outputSchema ?? {},
    executor: { kind: 'mcp', server, target: url, tool, auth, pin, quarantined },
    timeout,
    toolkit: server,
    hidden: quarantined,
    checks: {
      input: schemaProblem(inputSchema) === null,
      output: outputSchema !== null && schemaProblem(outputSchema) === null,
    },
  })
}
