import { get, type Listed } from '../../api.ts'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Badge, Empty, Loading } from '../../parts/states.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { ToolsFrame } from './frame.tsx'
import type { ListedRegistered } from './types.ts'

/** Tools that were registered for the tenant: by definition, import, MCP server or installation. */
export function RegisteredPage() {
  const tools = usePages<ListedRegistered>(
    'registered tools',
    (cursor, signal) => get<Listed<ListedRegistered>>('/v1/tools/registered', { limit: 100, cursor }, signal),
    { idOf: ({ id }) => id },
  )
  return (
    <ToolsFrame tab="registered">
      {tools.problem && <ProblemView problem={tools.problem} retry={() => void tools.reload()} />}
      {!tools.items && !tools.problem && <Loading />}
      {tools.items?.length === 0 && (
        <Empty title="No tools of your own yet">
          <p>
            They come from an <a href="/console/tools/from/apis">API’s description</a>, an{' '}
            <a href="/console/tools/from/mcp-servers">MCP server</a>, the{' '}
            <a href="/console/tools/from/marketplace">marketplace</a>, or as a{' '}
            <a href="/console/tools/chains/draw">chain</a> of tools that are there.
          </p>
        </Empty>
      )}
      {tools.items && tools.items.length > 0 && (
        <WindowList label="Registered tools" items={tools.items} idOf={({ id }) => id} next={tools.next} rowHeight={64}>
          {(tool) => (
            <a class="row registered-row" href={addressOf(['tools', 'registered', tool.id])}>
              <span class="cut">
                <strong class="mono">{tool.id}</strong>
                <br />
                <span class="soft">{tool.description}</span>
              </span>
              <span class="spare">
                <Badge tone="plain">{tool.executor}</Badge>
              </span>
              <span class="number">
                version {tool.stable_version}
                {tool.latest_version !== tool.stable_version && <span class="soft"> of {tool.latest_version}</span>}
              </span>
              <span class="spare">{!tool.enabled && <Badge tone="warn">off</Badge>}</span>
            </a>
          )}
        </WindowList>
      )}
    </ToolsFrame>
  )
}
