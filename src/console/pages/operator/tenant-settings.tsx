import { get, type Listed, send } from '../../api.ts'
import { say } from '../../parts/action.tsx'
import { Form, numberOf, textOf } from '../../parts/form.tsx'
import { ProblemView } from '../../parts/problem.tsx'
import { type Resource, useResource } from '../../parts/resource.ts'
import { InternetField, internetOf, Options } from './fields.tsx'
import { type Plan, pathOfTenant, type Tenant } from './types.ts'

const DAY_SECONDS = 86_400

interface TenantSettingsProps {
  readonly tenant: Tenant
  readonly resource: Resource<Tenant>
}

/** Settings of a tenant: its name, internet, warm sandboxes, lifetimes of its sessions, and its plan. */
export function TenantSettings({ tenant, resource }: TenantSettingsProps) {
  return (
    <>
      <section class="panel stack">
        <h2>Name, internet and warm sandboxes</h2>
        <Form
          key={JSON.stringify(tenant)}
          label="Settings"
          submit="Save"
          run={async (fields) => {
            await send('PATCH', pathOfTenant(tenant.id), {
              name: textOf(fields, 'name'),
              warm_sandboxes: numberOf(fields, 'warm_sandboxes') ?? 0,
              internet: { ceiling: internetOf(fields, 'ceiling'), default: internetOf(fields, 'default') },
            })
            await resource.reload()
            say('Saved.')
          }}
        >
          <label class="field">
            Name
            <input name="name" required maxLength={200} defaultValue={tenant.name} />
          </label>
          <label class="field">
            Warm sandboxes
            <input name="warm_sandboxes" type="number" min={0} step={1} defaultValue={String(tenant.warm_sandboxes)} />
            <span class="field-help">
              Kept booted for first commands of its sessions. Their time is counted for it.
            </span>
          </label>
          <InternetField
            label="The most that any of its sandboxes reaches"
            name="ceiling"
            value={tenant.internet.ceiling}
          />
          <InternetField
            label="What sessions reach that say nothing themselves"
            name="default"
            value={tenant.internet.default}
          />
          <p class="field-help">Sandboxes that reach more than is allowed now end, with what runs in them.</p>
        </Form>
      </section>
      <Lifetimes tenant={tenant.id} />
      <PlanOf tenant={tenant.id} />
    </>
  )
}

interface SessionDefaults {
  readonly lifetime_seconds: number | null
  readonly idle_lifetime_seconds: number | null
}

function Lifetimes({ tenant }: { readonly tenant: string }) {
  const path = pathOfTenant(tenant, 'session-defaults')
  const defaults = useResource(`session defaults ${tenant}`, (signal) => get<SessionDefaults>(path, {}, signal))
  const { value } = defaults
  const daysOf = (seconds: number | null) => (seconds === null ? '' : String(seconds / DAY_SECONDS))
  const secondsOf = (fields: FormData, name: string) => {
    const days = numberOf(fields, name)
    return days === undefined ? null : Math.round(days * DAY_SECONDS)
  }
  return (
    <section class="panel stack">
      <h2>Lifetime of new sessions</h2>
      {defaults.problem && <ProblemView problem={defaults.problem} retry={() => void defaults.reload()} />}
      {value && (
        <Form
          key={JSON.stringify(value)}
          label="Lifetime of new sessions"
          submit="Save"
          run={async (fields) => {
            await send('PUT', path, {
              lifetime_seconds: secondsOf(fields, 'total'),
              idle_lifetime_seconds: secondsOf(fields, 'idle'),
            })
            await defaults.reload()
            say('Saved. Sessions that are there stay as they are.')
          }}
        >
          <label class="field">
            Days after which a session is deleted
            <input name="total" type="number" min={0} step="any" defaultValue={daysOf(value.lifetime_seconds)} />
            <span class="field-help">With its files. Empty: never. A request may bring its own.</span>
          </label>
          <label class="field">
            Days without use after which it is deleted
            <input name="idle" type="number" min={0} step="any" defaultValue={daysOf(value.idle_lifetime_seconds)} />
            <span class="field-help">Empty: never.</span>
          </label>
        </Form>
      )}
    </section>
  )
}

function PlanOf({ tenant }: { readonly tenant: string }) {
  const path = pathOfTenant(tenant, 'plan')
  const plan = useResource(`plan of ${tenant}`, (signal) => get<{ readonly plan: string | null }>(path, {}, signal))
  const plans = useResource('plans', (signal) => get<Listed<Plan>>('/admin/plans', { limit: 100 }, signal))
  const problem = plan.problem ?? plans.problem
  return (
    <section class="panel stack">
      <h2>Plan</h2>
      {problem && <ProblemView problem={problem} />}
      {plans.value?.data.length === 0 && (
        <p class="soft">
          There are no plans. <a href="/console/operator/usage">Make one</a> to have invoices’ data.
        </p>
      )}
      {plan.value && plans.value && plans.value.data.length > 0 && (
        <Form
          key={plan.value.plan ?? ''}
          label="Plan"
          submit="Save"
          run={async (fields) => {
            await send('PUT', path, { plan: textOf(fields, 'plan') || null })
            await plan.reload()
            say('The plan holds for this month too.')
          }}
        >
          <Options
            label="Plan"
            name="plan"
            value={plan.value.plan ?? ''}
            options={{ '': 'None', ...Object.fromEntries(plans.value.data.map(({ name }) => [name, name])) }}
            help="It holds for whole months, and limits nothing."
          />
        </Form>
      )}
    </section>
  )
}
