import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { get, type Listed, type Problem, problemOf, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { countText, plural } from '../../parts/format.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge } from '../../parts/states.tsx'
import { ToolsFrame, toolAddress } from './frame.tsx'
import type { ImportedApi } from './types.ts'

/** Ids of an import that are listed; their number is always said. */
const LISTED_MAX = 200

/** APIs whose operations are tools: those that are there, and one to import, with a look before anything is made. */
export function ApisPage() {
  const apis = useResource('imported APIs', (signal) =>
    get<Listed<{ env: string; tools: number }>>('/v1/apis', { limit: 100 }, signal),
  )
  const preview = useSignal<{ body: object; imported: ImportedApi } | null>(null)
  const problem = useSignal<Problem | null>(null)
  const busy = useSignal(false)
  const look = async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const text = (name: string) => String(given.get(name) ?? '').trim()
    const body = { env: text('env'), openapi: text('openapi'), ...(text('base_url') && { base_url: text('base_url') }) }
    busy.value = true
    problem.value = null
    preview.value = null
    try {
      preview.value = { body, imported: await send<ImportedApi>('POST', '/v1/apis', { ...body, dry_run: true }) }
    } catch (thrown) {
      problem.value = problemOf(thrown)
    }
    busy.value = false
  }
  const make = async () => {
    const made = await send<ImportedApi>('POST', '/v1/apis', preview.peek()?.body)
    preview.value = null
    await apis.reload()
    say(`${made.env} has ${plural(made.tools, 'tool')} now.`, '/console/tools/registered')
  }
  return (
    <ToolsFrame tab="apis">
      <div class="tool-call">
        <form
          class="panel"
          onSubmit={(event) => {
            event.preventDefault()
            void look(event.currentTarget)
          }}
        >
          <h2>Import an API</h2>
          <label class="field">
            Name
            <input name="env" required pattern="[A-Za-z][A-Za-z0-9]*" placeholder="Zoo" />
            <span class="field-help">Letters and digits. It stands before the name of each tool.</span>
          </label>
          <label class="field">
            OpenAPI description
            <textarea name="openapi" required rows={8} spellcheck={false} placeholder="https://… or JSON or YAML" />
            <span class="field-help">Its address, or its text. OpenAPI 3.0 and 3.1.</span>
          </label>
          <label class="field">
            Server
            <input name="base_url" type="url" placeholder="as the description says" />
          </label>
          {problem.value && <ProblemView problem={problem.value} />}
          <button type="submit" class="primary" aria-busy={busy.value}>
            Preview
          </button>
        </form>
        <div class="stack">
          {preview.value && <Preview imported={preview.value.imported} make={make} />}
          <h2>Imported</h2>
          {apis.problem && <ProblemView problem={apis.problem} retry={() => void apis.reload()} />}
          {apis.value?.data.length === 0 && <p class="soft">None yet.</p>}
          <ul class="plain-rows">
            {apis.value?.data.map(({ env, tools }) => (
              <li key={env}>
                <span>
                  <strong>{env}</strong> <span class="soft">{plural(tools, 'tool')}</span>
                </span>
                <Action
                  tone="danger"
                  name={`Delete ${env}`}
                  confirm={`Delete ${env} with its ${plural(tools, 'tool')}?`}
                  run={async () => {
                    await send('DELETE', `/v1/apis/${encodeURIComponent(env)}`)
                    await apis.reload()
                  }}
                >
                  Delete
                </Action>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </ToolsFrame>
  )
}

function Preview({ imported, make }: { readonly imported: ImportedApi; readonly make: () => Promise<void> }) {
  const missing = imported.secrets.filter(({ kept }) => !kept)
  return (
    <section class="panel stack" aria-label="Preview">
      <div class="row-actions">
        <h2>What it would do</h2>
        <Badge tone="plain">{plural(imported.tools, 'tool')}</Badge>
      </div>
      <Ids title="New" ids={imported.created} />
      <Ids title="Changed" ids={imported.updated} />
      <Ids title="Changed so that callers may have to" ids={imported.breaking} />
      <Ids title="Deleted" ids={imported.deleted} />
      {imported.unchanged > 0 && <p class="soft">{countText(imported.unchanged)} stay as they are.</p>}
      {missing.length > 0 && (
        <Part title="Secrets that are not there yet">
          {missing.map(({ name, of }) => (
            <li key={name}>
              <code>{name}</code> <span class="soft">{of}</span>
            </li>
          ))}
        </Part>
      )}
      {imported.skipped.length > 0 && (
        <Part title={`Left out: ${countText(imported.skipped_count)}`}>
          {imported.skipped.map(({ operation, reason }, at) => (
            <li key={at}>
              <code>{operation}</code> <span class="soft">{reason}</span>
            </li>
          ))}
        </Part>
      )}
      <div class="row-actions">
        <Action tone="primary" run={make}>
          Import
        </Action>
        <span class="soft">nothing was made yet</span>
      </div>
    </section>
  )
}

function Ids({ title, ids }: { readonly title: string; readonly ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <Part title={`${title}: ${countText(ids.length)}`}>
      {ids.slice(0, LISTED_MAX).map((id) => (
        <li key={id}>
          <a class="mono" href={toolAddress(id)}>
            {id}
          </a>
        </li>
      ))}
    </Part>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul class="names">{children}</ul>
    </section>
  )
}
