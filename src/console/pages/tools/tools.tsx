import { get, type Listed } from '../../api.ts'
import { plural } from '../../parts/format.ts'
import { here } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Choice, Search } from '../../parts/search.tsx'
import { Badge, Empty, Loading } from '../../parts/states.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { ToolsFrame, toolAddress } from './frame.tsx'
import { EFFECTS, type ListedTool } from './types.ts'

/** Tools that agents may call: the server's and the tenant's. */
export function ToolsPage() {
  const q = here.value.query.get('q')
  const effect = here.value.query.get('effect')
  const tools = usePages<ListedTool>(
    `tools ${JSON.stringify(q)}`,
    (cursor, signal) => get<Listed<ListedTool>>('/v1/tools', { limit: 100, cursor, q }, signal),
    { idOf: ({ name }) => name },
  )
  const shown = tools.items?.filter((tool) => !effect || (tool.effect ?? 'own') === effect)
  return (
    <ToolsFrame tab="all">
      <div class="filters">
        <Search label="Search by what it does" />
        <Choice label="Does" name="effect" options={{ '': 'Anything', ...EFFECTS, own: 'Registered' }} />
        {shown && (
          <span class="soft">
            {plural(shown.length, 'tool')}
            {tools.next ? ' or more' : ''}
          </span>
        )}
      </div>
      {tools.problem && <ProblemView problem={tools.problem} retry={() => void tools.reload()} />}
      {!shown && !tools.problem && <Loading />}
      {shown?.length === 0 && (
        <Empty title="No tool fits">
          <p>
            <a href="/console/tools">Show all tools</a>, or bring new ones: from an{' '}
            <a href="/console/tools/from/apis">API</a>, an <a href="/console/tools/from/mcp-servers">MCP server</a>, the{' '}
            <a href="/console/tools/from/marketplace">marketplace</a>.
          </p>
        </Empty>
      )}
      {shown && shown.length > 0 && (
        <WindowList label="Tools" items={shown} idOf={({ name }) => name} next={tools.next} rowHeight={64}>
          {(tool) => (
            <a class="row tool-row" href={toolAddress(tool.name)}>
              <span class="cut">
                <strong class="mono">{tool.name}</strong>
                <br />
                <span class="soft">{tool.description}</span>
              </span>
              <span>
                <Badge tone="plain">{tool.effect ? EFFECTS[tool.effect] : 'Registered'}</Badge>
              </span>
            </a>
          )}
        </WindowList>
      )}
    </ToolsFrame>
  )
}
