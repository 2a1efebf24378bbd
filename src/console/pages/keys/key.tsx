import { useSignal } from '@preact/signals'
import { get, send, who } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { Form, namesOf, numberOf, textOf } from '../../parts/form.tsx'
import { addressOf } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { type Resource, useResource } from '../../parts/resource.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { useNameInTitle } from '../../parts/title.ts'
import { ChildKeys } from './children.tsx'
import { pathOfKey, revoke, stateOf, type TenantKey } from './types.ts'

/** One key of the tenant: its use, another secret, its name and addresses, its end. */
export function KeyPage({ params }: PageProps) {
  const id = params.key ?? ''
  const key = useResource(`key ${id}`, (signal) => get<TenantKey>(pathOfKey(id), {}, signal))
  return (
    <div class="stack narrow-page">
      <p>
        <a href="/console/keys">Keys</a>
      </p>
      {key.problem && <ProblemView problem={key.problem} retry={() => void key.reload()} />}
      {!key.value && !key.problem && <Loading />}
      {key.value && <KeyView item={key.value} resource={key} />}
    </div>
  )
}

function KeyView({ item, resource }: { readonly item: TenantKey; readonly resource: Resource<TenantKey> }) {
  useNameInTitle('name', item.name)
  const secret = useSignal('')
  const state = stateOf(item)
  const isOwn = item.id === who.value?.key_id
  return (
    <>
      <div class="page-head">
        <h1>{item.name}</h1>
        <Badge tone={state === 'good' ? 'good' : 'plain'}>{state}</Badge>
      </div>
      {secret.value && <ShownOnce label="Key" secret={secret.value} onDone={() => (secret.value = '')} />}
      <KeyFacts item={item} />
      <p>
        <a href={addressOf(['usage'], { by: 'tool', key: item.id })}>What it used</a>
      </p>
      <ChildKeys of={item.id} />
      {state === 'good' && (
        <>
          <section class="panel stack">
            <h2>Another secret</h2>
            <p class="soft">Its id, child keys, links and sessions stay. The old secret is good for a while longer.</p>
            <Form
              label="Rotate"
              submit="Rotate"
              run={async (fields) => {
                const hours = numberOf(fields, 'hours') ?? 24
                const body = { overlap_seconds: Math.round(hours * 3_600) }
                secret.value = (await send<{ key: string }>('POST', `${pathOfKey(item.id)}/rotate`, body)).key
                await resource.reload()
              }}
            >
              <label class="field">
                Hours for which the old one stays good
                <input name="hours" type="number" min={0} max={168} step="any" defaultValue="24" />
                <span class="field-help">
                  0 ends it at once{isOwn && ', and signs you out here, since you signed in by it'}.
                </span>
              </label>
            </Form>
          </section>
          <ChangeKey item={item} resource={resource} />
          <section class="panel stack">
            <h2>End</h2>
            <p class="soft">Its child keys and links end with it. A revoked key never comes back.</p>
            <div class="row-actions">
              <Action
                tone="danger"
                confirm={`Revoke ${item.name}?${isOwn ? ' You signed in by it, and will be signed out.' : ''}`}
                run={async () => {
                  await revoke(item.id)
                  say(`${item.name} is revoked.`)
                  await resource.reload()
                }}
              >
                Revoke
              </Action>
            </div>
          </section>
        </>
      )}
    </>
  )
}

function ChangeKey({ item, resource }: { readonly item: TenantKey; readonly resource: Resource<TenantKey> }) {
  return (
    <section class="panel stack">
      <h2>Name and addresses</h2>
      <Form
        label="Change"
        submit="Save"
        run={async (fields) => {
          const name = textOf(fields, 'name')
          const addresses = namesOf(fields, 'addresses') ?? []
          await send('PATCH', pathOfKey(item.id), { name, allowed_addresses: addresses })
          await resource.reload()
          say('Saved.')
        }}
      >
        <label class="field">
          Name
          <input name="name" required defaultValue={item.name} maxLength={128} />
        </label>
        <label class="field">
          Addresses from which it is good
          <input name="addresses" defaultValue={item.allowed_addresses?.join(', ') ?? ''} spellcheck={false} />
          <span class="field-help">Empty: everywhere.</span>
        </label>
      </Form>
    </section>
  )
}

function KeyFacts({ item }: { readonly item: TenantKey }) {
  return (
    <dl class="facts">
      <div>
        <dt>Id</dt>
        <dd class="mono">{item.id}</dd>
      </div>
      <div>
        <dt>Scopes</dt>
        <dd>{item.scopes.join(', ')}</dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>{item.last_used_at ? <Ago at={item.last_used_at} /> : 'never'}</dd>
      </div>
      <div>
        <dt>Made</dt>
        <dd>
          <Ago at={item.created_at} />
        </dd>
      </div>
      <div>
        <dt>Expires</dt>
        <dd>{item.expires_at ? <Ago at={item.expires_at} /> : 'never'}</dd>
      </div>
      {item.old_secret_until && (
        <div>
          <dt>Old secret good until</dt>
          <dd>
            <Ago at={item.old_secret_until} />
          </dd>
        </div>
      )}
      {item.revoked_at && (
        <div>
          <dt>Revoked</dt>
          <dd>
            <Ago at={item.revoked_at} />
          </dd>
        </div>
      )}
    </dl>
  )
}
