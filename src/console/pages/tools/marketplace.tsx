import { get, type Listed } from '../../api.ts'
import { plural } from '../../parts/format.ts'
import { addressOf, here } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Search } from '../../parts/search.tsx'
import { Empty, Loading } from '../../parts/states.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { ToolsFrame } from './frame.tsx'
import type { ListedPackage } from './types.ts'

/** Tools that others have published. */
export function MarketplacePage() {
  const q = here.value.query.get('q')
  const found = usePages<ListedPackage>(
    `marketplace ${JSON.stringify(q)}`,
    (cursor, signal) => get<Listed<ListedPackage>>('/v1/marketplace/tools', { limit: 50, cursor, q }, signal),
    { idOf: ({ publisher, tool }) => `${publisher}/${tool}` },
  )
  return (
    <ToolsFrame tab="marketplace">
      <div class="filters">
        <Search label="Search the marketplace" />
      </div>
      {found.problem && <ProblemView problem={found.problem} retry={() => void found.reload()} />}
      {!found.items && !found.problem && <Loading />}
      {found.items?.length === 0 && (
        <Empty title={q ? 'No published tool fits' : 'Nothing is published yet'}>
          <p>
            Whoever has a registered tool on this server can publish it: <code>POST /v1/marketplace/tools</code>.
          </p>
        </Empty>
      )}
      {found.items && found.items.length > 0 && (
        <WindowList
          label="Published tools"
          items={found.items}
          idOf={({ publisher, tool }) => `${publisher}/${tool}`}
          next={found.next}
          rowHeight={64}
        >
          {(one) => (
            <a class="row tool-row" href={addressOf(['tools', 'from', 'marketplace', one.publisher, one.tool])}>
              <span class="cut">
                <strong>{one.name}</strong>{' '}
                <code class="soft">
                  {one.publisher}/{one.tool}
                </code>
                <br />
                <span class="soft">{one.description}</span>
              </span>
              <span class="soft number">{plural(one.installs, 'install')}</span>
            </a>
          )}
        </WindowList>
      )}
    </ToolsFrame>
  )
}
