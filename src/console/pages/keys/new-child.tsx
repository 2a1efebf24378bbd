import { useSignal } from '@preact/signals'
import { send, who } from '../../api.ts'
import { Checks, Form, namesOf, numberOf, textOf } from '../../parts/form.tsx'
import { go } from '../../parts/location.ts'
import { forgetResources } from '../../parts/resource.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { SCOPES } from './types.ts'

const HOUR_SECONDS = 3_600

/** Mints a child key of the key that is signed in. */
export function NewChildKeyPage() {
  const key = useSignal('')
  const own = Object.entries(SCOPES).filter(([scope]) => who.value?.scopes.includes(scope))

  async function mint(fields: FormData) {
    const names = namesOf(fields, 'sessions')
    const prefixes = namesOf(fields, 'prefixes')
    const calls = numberOf(fields, 'calls')
    const cost = numberOf(fields, 'cost')
    const chosen = fields.getAll('scopes')
    const made = await send<{ readonly key: string }>('POST', '/v1/keys/current/children', {
      name: textOf(fields, 'name'),
      ...(chosen.length < own.length && { scopes: chosen }),
      ...((names || prefixes) && { sessions: { ...(names && { names }), ...(prefixes && { prefixes }) } }),
      tools: namesOf(fields, 'tools'),
      calls_per_minute: numberOf(fields, 'per_minute'),
      ...((calls !== undefined || cost !== undefined) && {
        budget: { calls, cost: cost === undefined ? undefined : Math.round(cost * 1_000_000) },
      }),
      expires_in_seconds: Math.round((numberOf(fields, 'hours') ?? 24) * HOUR_SECONDS),
    })
    forgetResources()
    key.value = made.key
  }

  if (key.value) {
    return (
      <div class="stack narrow-page">
        <h1>The child key is made</h1>
        <ShownOnce label="Child key" secret={key.value} onDone={() => go('/console/keys')} />
      </div>
    )
  }
  return (
    <div class="stack narrow-page">
      <h1>New child key</h1>
      <p class="soft">It may do what you may, less what you take away here.</p>
      <Form label="New child key" submit="Make the child key" run={mint}>
        <label class="field">
          Name
          <input name="name" required maxLength={128} autofocus />
        </label>
        <Checks
          legend="Scopes"
          name="scopes"
          options={Object.fromEntries(own)}
          checked={own.map(([scope]) => scope).filter((scope) => scope !== 'admin')}
        />
        <label class="field">
          Sessions
          <input name="sessions" spellcheck={false} placeholder="report, invoice" />
          <span class="field-help">Names, exactly. Empty here and below: all.</span>
        </label>
        <label class="field">
          Sessions whose names begin with
          <input name="prefixes" spellcheck={false} placeholder="job-" />
        </label>
        <label class="field">
          Tools
          <input name="tools" spellcheck={false} placeholder="file_read, file_write" />
          <span class="field-help">Empty: all. A key for some sessions or tools cannot have admin.</span>
        </label>
        <label class="field">
          Calls a minute
          <input name="per_minute" type="number" min={1} step={1} />
        </label>
        <label class="field">
          Calls in all
          <input name="calls" type="number" min={1} step={1} />
        </label>
        <label class="field">
          Cost in all
          <input name="cost" type="number" min={0.000001} step="any" />
        </label>
        <label class="field">
          Hours until it expires
          <input name="hours" type="number" min={0.1} max={720} step="any" defaultValue="24" />
        </label>
      </Form>
    </div>
  )
}
