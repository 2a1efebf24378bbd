import { useSignal } from '@preact/signals'
import { get, send, who } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { plural } from '../../parts/format.ts'
import { addressOf } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import type { Package } from './types.ts'

/** A published tool: what it says of itself, what it needs, and the way to have it. */
export function PackagePage({ params }: PageProps) {
  const { publisher = '', tool = '' } = params
  const path = `/v1/marketplace/tools/${encodeURIComponent(publisher)}/${encodeURIComponent(tool)}`
  const found = useResource(`package ${path}`, (signal) => get<Package>(path, {}, signal))
  const { value } = found
  return (
    <>
      <p class="filters">
        <a href="/console/tools/from/marketplace">← Marketplace</a>
      </p>
      <div class="page-head">
        <h1>{value?.name ?? tool}</h1>
        <code class="soft">
          {publisher}/{tool}
        </code>
        {value && <Badge tone="plain">version {value.version}</Badge>}
      </div>
      {found.problem && <ProblemView problem={found.problem} retry={() => void found.reload()} />}
      {!value && !found.problem && <Loading />}
      {value && (
        <div class="tool-call">
          <div class="stack">
            <p class="prose">{value.description}</p>
            {value.readme && <pre class="text">{value.readme}</pre>}
            {value.examples.map((example, at) => (
              <section key={at} class="stack">
                <h3>Example</h3>
                <pre class="text">{JSON.stringify(example, null, 2)}</pre>
              </section>
            ))}
          </div>
          <div class="stack">
            <Needs needs={value.needs} />
            {who.value?.scopes.includes('admin') && <Install path={path} needs={value.needs} />}
            <h3>Versions</h3>
            <ul class="plain-rows">
              {value.versions.map((one) => (
                <li key={one.version}>
                  <span>
                    {one.version} {one.breaking && <Badge tone="warn">breaking</Badge>}
                  </span>
                  <span class="soft">
                    <Ago at={one.published_at} />
                  </span>
                </li>
              ))}
            </ul>
            <p class="soft">{plural(value.installs, 'install')}</p>
          </div>
        </div>
      )}
    </>
  )
}

function Needs({ needs }: { readonly needs: Package['needs'] }) {
  const { secrets, hosts, tools, packages, code } = needs
  const lists = { Secrets: secrets, Hosts: hosts, Tools: tools, Packages: packages }
  const given = Object.entries(lists).filter(([, names]) => names.length > 0)
  return (
    <section class="panel stack" aria-label="What it needs">
      <h2>What it needs</h2>
      {given.length === 0 && !code && <p class="soft">Nothing.</p>}
      {code && <p>It runs code of its publisher in your sandbox.</p>}
      {given.map(([name, names]) => (
        <div key={name}>
          <h3>{name}</h3>
          <p class="mono file-name">{names.join(', ')}</p>
        </div>
      ))}
    </section>
  )
}

function Install({ path, needs }: { readonly path: string; readonly needs: Package['needs'] }) {
  const id = useSignal('')
  const allowed = useSignal(false)
  const install = async () => {
    const made = await send<{ id: string; missing_secrets: readonly string[] }>('POST', `${path}/install`, {
      ...(id.peek() && { id: id.peek() }),
      ...(allowed.peek() && { allow_secrets: needs.secrets }),
    })
    const missing = made.missing_secrets.length > 0 ? ` It still needs ${made.missing_secrets.join(', ')}.` : ''
    say(`${made.id} is among your tools.${missing}`, addressOf(['tools', 'registered', made.id]))
  }
  return (
    <section class="stack" aria-label="Install">
      <div class="call-line">
        <label class="field">
          Name among your tools
          <input
            value={id.value}
            placeholder="as its publisher calls it"
            onInput={(event) => (id.value = event.currentTarget.value.trim())}
          />
        </label>
        <Action tone="primary" run={install}>
          Install
        </Action>
      </div>
      {needs.secrets.length > 0 && (
        <label class="field-inline">
          <input
            type="checkbox"
            checked={allowed.value}
            onChange={(event) => (allowed.value = event.currentTarget.checked)}
          />
          It may use these secrets of mine: {needs.secrets.join(', ')}
        </label>
      )}
      <p class="soft">
        The tool is a copy that runs with your permissions; nothing that its publisher does changes it.
      </p>
    </section>
  )
}
