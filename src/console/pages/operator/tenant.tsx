import { get, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { addressOf } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { forgetResources, type Resource, useResource } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { useNameInTitle } from '../../parts/title.ts'
import { TypedConfirm } from '../../parts/typed-confirm.tsx'
import { DeletionView } from './deletion.tsx'
import { internetText, placeText } from './fields.tsx'
import { TenantKeys } from './tenant-keys.tsx'
import { TenantSettings } from './tenant-settings.tsx'
import { pathOfTenant, stateOf, TENANT_TONES, type Tenant } from './types.ts'

/** One tenant: its keys, what it is given, its export, and its end. */
export function TenantPage({ params }: PageProps) {
  const id = params.tenant ?? ''
  const tenant = useResource(`tenant ${id}`, (signal) => get<Tenant>(pathOfTenant(id), {}, signal))
  return (
    <div class="stack narrow-page" key={id}>
      <p>
        <a href="/console/operator/tenants">Tenants</a>
      </p>
      {tenant.problem && <ProblemView problem={tenant.problem} retry={() => void tenant.reload()} />}
      {!tenant.value && !tenant.problem && <Loading />}
      {tenant.value && <TenantView tenant={tenant.value} resource={tenant} />}
    </div>
  )
}

interface TenantViewProps {
  readonly tenant: Tenant
  readonly resource: Resource<Tenant>
}

function TenantView({ tenant, resource }: TenantViewProps) {
  useNameInTitle('name', tenant.name || tenant.id)
  const state = stateOf(tenant)
  const isThere = tenant.deleted_at === null
  return (
    <>
      <div class="page-head">
        <h1>{tenant.name || tenant.id}</h1>
        <Badge tone={TENANT_TONES[state]}>{state}</Badge>
      </div>
      <Facts tenant={tenant} />
      {isThere ? (
        <>
          <div class="row-actions">
            <a class="button" href={addressOf(['operator', 'usage'], { tenant: tenant.id })}>
              What it used
            </a>
            <a class="button" href={pathOfTenant(tenant.id, 'export')} download={`${tenant.id}.tar`}>
              Export all of it
            </a>
            <span class="soft">Its sessions, files, calls and use, as a tar.</span>
          </div>
          <TenantKeys tenant={tenant.id} />
          <TenantSettings tenant={tenant} resource={resource} />
          <End tenant={tenant} resource={resource} />
        </>
      ) : (
        <DeletionView tenant={tenant.id} ended={resource.reload} />
      )}
    </>
  )
}

function Facts({ tenant }: { readonly tenant: Tenant }) {
  return (
    <dl class="facts">
      <div>
        <dt>Id</dt>
        <dd class="mono">{tenant.id}</dd>
      </div>
      <div>
        <dt>Made</dt>
        <dd>
          <Ago at={tenant.created_at} />
        </dd>
      </div>
      <div>
        <dt>Data stays in</dt>
        <dd>{placeText(tenant.jurisdiction, 'anywhere')}</dd>
      </div>
      <div>
        <dt>Made near</dt>
        <dd>{placeText(tenant.location_hint, 'no given place')}</dd>
      </div>
      <div>
        <dt>Sandboxes reach</dt>
        <dd>{internetText(tenant.internet.ceiling)}</dd>
      </div>
      <div>
        <dt>Warm sandboxes</dt>
        <dd>{tenant.warm_sandboxes}</dd>
      </div>
    </dl>
  )
}

function End({ tenant, resource }: TenantViewProps) {
  const change = async (disabled: boolean) => {
    await send('PATCH', pathOfTenant(tenant.id), { disabled })
    forgetResources()
    await resource.reload()
    say(disabled ? `${tenant.id} is disabled.` : `${tenant.id} is enabled again.`)
  }
  return (
    <>
      <section class="panel stack">
        <h2>{tenant.disabled ? 'Enable' : 'Disable'}</h2>
        <p class="soft">
          {tenant.disabled
            ? 'Its keys are good again within 30 seconds.'
            : 'Its keys are refused within 30 seconds, and its sandboxes end with what runs in them. Files stay, and it can be enabled again.'}
        </p>
        <div class="row-actions">
          {tenant.disabled ? (
            <Action run={() => change(false)}>Enable it again</Action>
          ) : (
            <TypedConfirm label="Disable the tenant" name={tenant.id} run={() => change(true)}>
              <p>
                Programs of <strong>{tenant.name}</strong> are refused from now on, and commands that run in its
                sandboxes are ended.
              </p>
            </TypedConfirm>
          )}
        </div>
      </section>
      <section class="panel stack">
        <h2>Delete</h2>
        <p class="soft">
          All it has goes: sessions, files, history, tools, keys, secrets, use. There is no way back, and its id is
          never given again. Export it first.
        </p>
        <div class="row-actions">
          <TypedConfirm
            label="Delete the tenant"
            name={tenant.id}
            run={async () => {
              await send('DELETE', pathOfTenant(tenant.id))
              forgetResources()
              await resource.reload()
            }}
          >
            <p>
              <strong>{tenant.name}</strong> and all it has are removed for good, beginning now. Its keys, links and
              connections are refused at once.
            </p>
          </TypedConfirm>
        </div>
      </section>
    </>
  )
}
