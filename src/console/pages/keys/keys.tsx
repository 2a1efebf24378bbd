import { get, type Listed, who } from '../../api.ts'
import { addressOf, here } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Choice, Search } from '../../parts/search.tsx'
import { Badge, Empty, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { ChildKeys } from './children.tsx'
import { isAdministrator, NO_KEYS, needsNoKey, stateOf, type TenantKey } from './types.ts'

/** Keys of the tenant, and the child keys of the key that is signed in; those of another key are on its page. */
export function KeysPage() {
  const isOpen = needsNoKey(who.value)
  const administers = isAdministrator(who.value) && !isOpen
  return (
    <div class="stack">
      <div class="page-head">
        <h1>Keys</h1>
        {administers && (
          <a class="button primary" href="/console/keys/new">
            New key
          </a>
        )}
        <a class="button" href="/console/keys/new-child">
          New child key
        </a>
      </div>
      {isOpen && <p class="soft">{NO_KEYS}</p>}
      {administers && <TenantKeys />}
      <ChildKeys of="current" />
    </div>
  )
}

function TenantKeys() {
  const { query } = here.value
  const text = (query.get('q') ?? '').toLowerCase()
  const state = query.get('state') ?? ''
  const keys = usePages<TenantKey>(
    'keys',
    (cursor, signal) => get<Listed<TenantKey>>('/v1/keys', { limit: 100, cursor }, signal),
    { idOf: ({ id }) => id },
  )
  const shown = keys.items?.filter(
    (key) => `${key.name} ${key.id}`.toLowerCase().includes(text) && (state === '' || stateOf(key) === state),
  )
  return (
    <section aria-label="Keys of the tenant">
      <div class="filters">
        <Search label="Search keys" />
        <Choice
          label="State"
          name="state"
          options={{ '': 'Any', good: 'Good', revoked: 'Revoked', expired: 'Expired' }}
        />
      </div>
      {keys.problem && <ProblemView problem={keys.problem} retry={() => void keys.reload()} />}
      {!shown && !keys.problem && <Loading lines={3} />}
      {keys.items?.length === 0 && (
        <Empty title="The tenant has no keys">
          <p>
            A program that calls tools signs in with a key. <a href="/console/keys/new">Make the first one.</a>
          </p>
        </Empty>
      )}
      {shown?.length === 0 && keys.items?.length !== 0 && <p class="soft">No key fits.</p>}
      {shown && shown.length > 0 && (
        <>
          <div class="row key-row row-head" aria-hidden="true">
            <span>Key</span>
            <span>Scopes</span>
            <span>State</span>
            <span>Last used</span>
            <span>Expires</span>
          </div>
          <WindowList label="Keys" items={shown} idOf={({ id }) => id} next={keys.next}>
            {(key) => <KeyRow item={key} />}
          </WindowList>
        </>
      )}
    </section>
  )
}

function KeyRow({ item }: { readonly item: TenantKey }) {
  const state = stateOf(item)
  return (
    <a class="row key-row" href={addressOf(['keys', item.id])}>
      <span class="cut">
        <strong>{item.name}</strong> <code class="soft">{item.id}</code>
      </span>
      <span class="spare cut soft">{item.scopes.join(', ')}</span>
      <span>
        <Badge tone={state === 'good' ? 'good' : 'plain'}>{state}</Badge>
        {item.id === who.value?.key_id && <Badge tone="busy">this one</Badge>}
      </span>
      <span class="spare soft">{item.last_used_at ? <Ago at={item.last_used_at} /> : 'never'}</span>
      <span class="spare soft">{item.expires_at ? <Ago at={item.expires_at} /> : 'never'}</span>
    </a>
  )
}
