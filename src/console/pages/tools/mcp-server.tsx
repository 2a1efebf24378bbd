import { get, send, who } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { go } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { toolAddress } from './frame.tsx'
import { ServerState } from './mcp-servers.tsx'
import { TextDiff } from './text-diff.tsx'
import { MCP_TONES, type McpServer, type McpTool } from './types.ts'

const LIST = '/console/tools/from/mcp-servers'

/** A remote MCP server: its tools, and what changed in those that wait for somebody to accept them. */
export function McpServerPage({ params }: PageProps) {
  const name = params.server ?? ''
  const path = `/v1/mcp-servers/${encodeURIComponent(name)}`
  const server = useResource(`MCP server ${name}`, (signal) =>
    get<McpServer & { tools: readonly McpTool[] }>(path, {}, signal),
  )
  const { value } = server
  const isAdmin = who.value?.scopes.includes('admin') ?? false
  return (
    <>
      <p class="filters">
        <a href={LIST}>← MCP servers</a>
      </p>
      <div class="page-head">
        <h1>{name}</h1>
        {value && <ServerState server={value} />}
        {isAdmin && value && (
          <Action
            run={async () => {
              await send('POST', `${path}/refresh`)
              await server.reload()
              say('Asked again.')
            }}
          >
            Ask again
          </Action>
        )}
        {isAdmin && value && (
          <Action
            tone="danger"
            confirm={`Delete ${name} with its tools?`}
            run={async () => {
              await send('DELETE', path)
              go(LIST)
            }}
          >
            Delete
          </Action>
        )}
      </div>
      {server.problem && <ProblemView problem={server.problem} retry={() => void server.reload()} />}
      {!value && !server.problem && <Loading />}
      {value && (
        <div class="stack">
          <p class="soft mono file-name">{value.url}</p>
          {value.tools.length === 0 && <p class="soft">It has told of no tools yet.</p>}
          {value.tools.map((tool) => (
            <RemoteTool key={tool.name} path={path} tool={tool} isAdmin={isAdmin} reload={server.reload} />
          ))}
        </div>
      )}
    </>
  )
}

interface RemoteToolProps {
  readonly path: string
  readonly tool: McpTool
  readonly isAdmin: boolean
  readonly reload: () => Promise<void>
}

function RemoteTool({ path, tool, isAdmin, reload }: RemoteToolProps) {
  return (
    <article class="panel stack">
      <div class="row-actions">
        <Badge tone={MCP_TONES[tool.state]}>{tool.state}</Badge>
        {tool.id && tool.state === 'active' ? (
          <a class="mono file-name" href={toolAddress(tool.id)}>
            {tool.name}
          </a>
        ) : (
          <code class="file-name">{tool.name}</code>
        )}
        {isAdmin && tool.state === 'quarantined' && tool.pin && (
          <Action
            name={`Accept ${tool.name}`}
            confirm={`Let agents call ${tool.name} as it is described now?`}
            run={async () => {
              await send('POST', `${path}/tools/${encodeURIComponent(tool.name)}/accept`, { pin: tool.pin })
              await reload()
            }}
          >
            Accept
          </Action>
        )}
      </div>
      {tool.why && <p>{tool.why}</p>}
      {tool.description && <p class="prose soft file-name">{tool.description}</p>}
      {tool.changes?.map((change) => (
        <section key={change.field}>
          <h3>{change.field}</h3>
          <TextDiff before={change.before.split('\n')} after={change.after.split('\n')} />
        </section>
      ))}
    </article>
  )
}
