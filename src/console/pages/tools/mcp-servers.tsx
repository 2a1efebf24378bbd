import { useSignal } from '@preact/signals'
import { get, type Listed, type Problem, problemOf, send, who } from '../../api.ts'
import { addressOf, go } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { ToolsFrame } from './frame.tsx'
import type { McpServer } from './types.ts'

/** Remote MCP servers whose tools are the tenant's, and a form for one more. */
export function McpServersPage() {
  const servers = useResource('MCP servers', (signal) =>
    get<Listed<McpServer>>('/v1/mcp-servers', { limit: 50 }, signal),
  )
  return (
    <ToolsFrame tab="servers">
      <div class="tool-call">
        <div class="stack">
          <h2>Servers</h2>
          {servers.problem && <ProblemView problem={servers.problem} retry={() => void servers.reload()} />}
          {!servers.value && !servers.problem && <Loading lines={3} />}
          {servers.value?.data.length === 0 && (
            <p class="soft">None yet. A server that is added here has its tools among yours, pinned as they are.</p>
          )}
          <ul class="plain-rows">
            {servers.value?.data.map((server) => (
              <li key={server.name}>
                <a class="cut" href={addressOf(['tools', 'from', 'mcp-servers', server.name])}>
                  <strong>{server.name}</strong>
                  <br />
                  <span class="soft">{server.url}</span>
                </a>
                <ServerState server={server} />
              </li>
            ))}
          </ul>
        </div>
        {who.value?.scopes.includes('admin') && (servers.value || servers.problem) && <NewServer />}
      </div>
    </ToolsFrame>
  )
}

/** How many tools of a server can be called, and how many wait for somebody to look at them. */
export function ServerState({ server }: { readonly server: McpServer }) {
  return (
    <span class="row-actions">
      <Badge tone={server.active > 0 ? 'good' : 'plain'}>{server.active} active</Badge>
      {server.quarantined > 0 && <Badge tone="warn">{server.quarantined} to look at</Badge>}
      {server.refused > 0 && <Badge tone="bad">{server.refused} refused</Badge>}
      <span class="soft">{server.refreshed_at ? <Ago at={server.refreshed_at} /> : 'never asked'}</span>
    </span>
  )
}

function NewServer() {
  const busy = useSignal(false)
  const problem = useSignal<Problem | null>(null)
  const add = async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const text = (name: string) => String(given.get(name) ?? '').trim()
    const secret = text('secret')
    busy.value = true
    problem.value = null
    try {
      await send('POST', '/v1/mcp-servers', {
        name: text('name'),
        url: text('url'),
        ...(secret && { auth: [{ type: 'bearer', secret }] }),
      })
      go(addressOf(['tools', 'from', 'mcp-servers', text('name')]))
    } catch (thrown) {
      problem.value = problemOf(thrown)
    }
    busy.value = false
  }
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault()
        void add(event.currentTarget)
      }}
    >
      <h2>Add a server</h2>
      <label class="field">
        Name
        <input name="name" required placeholder="weather" />
      </label>
      <label class="field">
        Address
        <input name="url" type="url" required placeholder="https://mcp.example/mcp" />
      </label>
      <label class="field">
        Secret for it
        <input name="secret" placeholder="none" />
        <span class="field-help">
          The name of one of your <a href="/console/secrets">secrets</a>, sent as a bearer token.
        </span>
      </label>
      {problem.value && <ProblemView problem={problem.value} />}
      <button type="submit" class="primary" aria-busy={busy.value}>
        Add and ask for its tools
      </button>
    </form>
  )
}
