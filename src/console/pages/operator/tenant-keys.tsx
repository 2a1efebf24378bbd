import { useSignal } from '@preact/signals'
import { get, type Listed, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { Checks, Form, numberOf, textOf } from '../../parts/form.tsx'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { SCOPES, stateOf, type TenantKey } from '../keys/types.ts'
import { pathOfTenant } from './types.ts'

/** Keys of a tenant, its first one above all. */
export function TenantKeys({ tenant }: { readonly tenant: string }) {
  const secret = useSignal('')
  const path = pathOfTenant(tenant, 'keys')
  const keys = usePages<TenantKey>(
    `keys of ${tenant}`,
    (cursor, signal) => get<Listed<TenantKey>>(path, { limit: 100, cursor }, signal),
    { idOf: ({ id }) => id },
  )
  const isFirst = keys.items?.length === 0
  const make = async (fields: FormData, form: HTMLFormElement) => {
    const made = await send<{ readonly key: string }>('POST', path, {
      name: textOf(fields, 'name'),
      scopes: fields.getAll('scopes'),
      expires_in_days: numberOf(fields, 'days'),
    })
    secret.value = made.key
    form.reset()
    await keys.reload()
  }
  return (
    <section class="stack" aria-label="Keys">
      <h2>Keys</h2>
      {secret.value && <ShownOnce label="Key" secret={secret.value} onDone={() => (secret.value = '')} />}
      {keys.problem && <ProblemView problem={keys.problem} retry={() => void keys.reload()} />}
      {!keys.items && !keys.problem && <Loading lines={2} />}
      {keys.items && keys.items.length > 0 && (
        <ul class="stack" aria-label="Keys of the tenant">
          {keys.items.map((key) => (
            <KeyRow key={key.id} item={key} path={path} reload={keys.reload} />
          ))}
        </ul>
      )}
      {keys.next && (
        <button type="button" onClick={keys.next}>
          More
        </button>
      )}
      {keys.items && (
        <details open={isFirst}>
          <summary>{isFirst ? 'Make its first key' : 'Make another key'}</summary>
          <div class="panel below-summary">
            <Form label="New key" submit="Make the key" run={make}>
              <label class="field">
                Name
                <input name="name" required maxLength={200} defaultValue={isFirst ? 'first key' : ''} />
              </label>
              <Checks
                legend="Scopes"
                name="scopes"
                options={SCOPES}
                checked={isFirst ? Object.keys(SCOPES) : ['read', 'execute']}
              />
              <label class="field">
                Days until it expires
                <input name="days" type="number" min={1} step={1} />
                <span class="field-help">Empty: it stays until it is revoked.</span>
              </label>
            </Form>
          </div>
        </details>
      )}
    </section>
  )
}

interface KeyRowProps {
  readonly item: TenantKey
  readonly path: string
  readonly reload: () => Promise<void>
}

function KeyRow({ item, path, reload }: KeyRowProps) {
  const state = stateOf(item)
  return (
    <li class="panel row-actions">
      <div class="child-words">
        <strong>{item.name}</strong> <code class="soft">{item.id}</code>
        <br />
        <span class="soft">
          {item.scopes.join(', ')} · made <Ago at={item.created_at} /> · last used{' '}
          {item.last_used_at ? <Ago at={item.last_used_at} /> : 'never'}
        </span>
      </div>
      <Badge tone={state === 'good' ? 'good' : 'plain'}>{state}</Badge>
      {state === 'good' && (
        <Action
          tone="danger"
          name={`Revoke ${item.name}`}
          confirm={`Revoke ${item.name}? What uses it is refused from now on; a revoked key never comes back.`}
          run={async () => {
            await send('DELETE', `${path}/${encodeURIComponent(item.id)}`)
            await reload()
            say(`${item.name} is revoked.`)
          }}
        >
          Revoke
        </Action>
      )}
    </li>
  )
}
