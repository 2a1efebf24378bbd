import { get, type Listed } from '../../api.ts'
import { addressOf, here } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Choice, Search } from '../../parts/search.tsx'
import { Badge, Empty, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { placeText } from './fields.tsx'
import { stateOf, TENANT_TONES, type Tenant } from './types.ts'

/** Tenants of the server, for its operator. */
export function TenantsPage() {
  const { query } = here.value
  const text = (query.get('q') ?? '').toLowerCase()
  const state = query.get('state') ?? ''
  const tenants = usePages<Tenant>(
    'tenants',
    (cursor, signal) => get<Listed<Tenant>>('/admin/tenants', { limit: 200, cursor }, signal),
    { idOf: ({ id }) => id },
  )
  const shown = tenants.items?.filter(
    (tenant) =>
      `${tenant.id} ${tenant.name}`.toLowerCase().includes(text) && (state === '' || stateOf(tenant) === state),
  )
  return (
    <div class="stack">
      <div class="page-head">
        <h1>Tenants</h1>
        <a class="button primary" href="/console/operator/new-tenant">
          New tenant
        </a>
      </div>
      <div class="filters">
        <Search label="Search tenants" />
        <Choice
          label="State"
          name="state"
          options={{ '': 'Any', active: 'Active', disabled: 'Disabled', deleting: 'Deleting' }}
        />
      </div>
      {tenants.problem && <ProblemView problem={tenants.problem} retry={() => void tenants.reload()} />}
      {!shown && !tenants.problem && <Loading />}
      {tenants.items?.length === 0 && (
        <Empty title="No tenants yet">
          <p>
            A tenant has sessions, tools and keys of its own.{' '}
            <a href="/console/operator/new-tenant">Make the first one</a>, or{' '}
            <a href="/console/operator/invitations">invite somebody</a> who makes one.
          </p>
        </Empty>
      )}
      {shown?.length === 0 && tenants.items?.length !== 0 && <p class="soft">No tenant fits.</p>}
      {shown && shown.length > 0 && (
        <section aria-label="Tenants of the server">
          <div class="row tenant-row row-head" aria-hidden="true">
            <span>Tenant</span>
            <span>State</span>
            <span>Data stays in</span>
            <span>Made</span>
          </div>
          <WindowList label="Tenants" items={shown} idOf={({ id }) => id} next={tenants.next}>
            {(tenant) => <TenantRow tenant={tenant} />}
          </WindowList>
        </section>
      )}
    </div>
  )
}

function TenantRow({ tenant }: { readonly tenant: Tenant }) {
  const state = stateOf(tenant)
  return (
    <a class="row tenant-row" href={addressOf(['operator', 'tenants', tenant.id])}>
      <span class="cut">
        <strong>{tenant.name || tenant.id}</strong> <code class="soft">{tenant.id}</code>
      </span>
      <span>
        <Badge tone={TENANT_TONES[state]}>{state}</Badge>
      </span>
      <span class="spare cut soft">{placeText(tenant.jurisdiction, 'anywhere')}</span>
      <span class="spare soft">
        <Ago at={tenant.created_at} />
      </span>
    </a>
  )
}
