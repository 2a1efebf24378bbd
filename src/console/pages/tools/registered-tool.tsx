import { get, type Listed, send, who } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { plural } from '../../parts/format.ts'
import { here, withQuery } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages, useResource } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { ChainPicture } from './chain-picture.tsx'
import { SchemaChanges } from './changes.tsx'
import { toolAddress } from './frame.tsx'
import { linesOf, TextDiff } from './text-diff.tsx'
import type { Registered, SchemaChange, ToolVersion } from './types.ts'

/** A registered tool: its definition in each version, and what a version changed. */
export function RegisteredToolPage({ params }: PageProps) {
  const id = params.tool ?? ''
  const path = `/v1/tools/registered/${encodeURIComponent(id)}`
  const versions = usePages<ToolVersion>(
    `versions of ${id}`,
    (cursor, signal) => get<Listed<ToolVersion>>(`${path}/versions`, { limit: 100, cursor }, signal),
    { idOf: ({ version }) => String(version) },
  )
  const asked = Number(here.value.query.get('version')) || null
  const tool = useResource(`registered ${JSON.stringify([id, asked])}`, (signal) =>
    get<Registered>(path, { version: asked }, signal),
  )
  const { value } = tool
  const isAdmin = who.value?.scopes.includes('admin') ?? false
  const reload = async () => {
    await Promise.all([tool.reload(), versions.reload()])
  }
  return (
    <>
      <p class="filters">
        <a href="/console/tools/registered">← Registered tools</a>
      </p>
      <div class="page-head">
        <h1 class="mono tool-name">{id}</h1>
        {value && !value.enabled && <Badge tone="warn">off</Badge>}
        <a class="button primary" href={toolAddress(id)}>
          Call it
        </a>
        {isAdmin && value && (
          <Action
            run={async () => {
              await send('PATCH', path, { enabled: !value.enabled })
              await reload()
            }}
          >
            Turn {value.enabled ? 'off' : 'on'}
          </Action>
        )}
      </div>
      {tool.problem && <ProblemView problem={tool.problem} retry={() => void reload()} />}
      {!value && !tool.problem && <Loading />}
      {value && (
        <div class="split">
          <nav aria-label="Versions" class="stack">
            <h2>Versions</h2>
            <ul class="versions">
              {versions.items?.map((one) => (
                <li key={one.version}>
                  <a
                    class="version"
                    href={withQuery({ version: String(one.version) })}
                    aria-current={one.version === value.version ? 'page' : undefined}
                  >
                    <span>
                      <strong>{one.version}</strong> {one.stable && <Badge tone="good">in use</Badge>}{' '}
                      {one.breaking && <Badge tone="warn">breaking</Badge>}
                    </span>
                    <span class="soft">
                      <Ago at={one.made_at} />
                      {one.changes > 0 && `, ${plural(one.changes, 'change')}`}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
            {versions.next && (
              <button type="button" onClick={versions.next}>
                Older ones
              </button>
            )}
          </nav>
          <Version key={value.version} path={path} tool={value} isAdmin={isAdmin} reload={reload} />
        </div>
      )}
    </>
  )
}

interface VersionProps {
  readonly path: string
  readonly tool: Registered
  readonly isAdmin: boolean
  readonly reload: () => Promise<void>
}

function Version({ path, tool, isAdmin, reload }: VersionProps) {
  const { version } = tool
  const changes = useResource(`changes ${path} ${version}`, (signal) =>
    get<{ since: number | null; changes: readonly SchemaChange[] }>(`${path}/versions/${version}/changes`, {}, signal),
  )
  const since = changes.value?.since ?? null
  const before = useResource(since === null ? null : `registered ${JSON.stringify([tool.id, since])}`, (signal) =>
    get<Registered>(path, { version: since }, signal),
  )
  const areChangesThere = changes.problem !== null || changes.value !== undefined
  const isWhole = areChangesThere && (since === null || before.problem !== null || before.value !== undefined)
  return (
    <section class="stack" aria-label={`Version ${version}`}>
      <div class="row-actions">
        <h2>Version {version}</h2>
        {isAdmin && version !== tool.stable_version && (
          <Action
            confirm={`Use version ${version} in calls from now on?`}
            run={async () => {
              await send('POST', `${path}/rollback`, { version })
              await reload()
              say(`Version ${version} is in use.`)
            }}
          >
            Use this version
          </Action>
        )}
      </div>
      <p class="prose">{tool.description}</p>
      {tool.executor.kind === 'chain' && <ChainPicture steps={tool.executor.chain.steps} />}
      {!isWhole && <Loading />}
      {isWhole && since !== null && (
        <>
          <h3>Since version {since}</h3>
          <SchemaChanges changes={changes.value?.changes ?? []} />
          {before.value && (
            <TextDiff before={linesOf(definitionOf(before.value))} after={linesOf(definitionOf(tool))} />
          )}
        </>
      )}
      {isWhole && (
        <details open={since === null}>
          <summary>Definition</summary>
          <pre class="text">{JSON.stringify(definitionOf(tool), null, 2)}</pre>
        </details>
      )}
    </section>
  )
}

/** What of a tool belongs to one version. */
function definitionOf(tool: Registered) {
  const { version: _, stable_version: __, latest_version: ___, enabled: ____, ...definition } = tool
  return definition
}
