import { get, type Listed, problemOf, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { Form, textOf } from '../../parts/form.tsx'
import { countText } from '../../parts/format.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import type { Plan } from './types.ts'

const pathOf = (plan: string) => `/admin/plans/${encodeURIComponent(plan)}`
const METERS = '[{"meter": "calls", "included": 10000, "price": "0.50", "per": 1000}]'

/** Plans that are sold: the price of a month, and of what is used beyond. */
export function Plans() {
  const plans = useResource('plans', (signal) => get<Listed<Plan>>('/admin/plans', { limit: 100 }, signal))
  return (
    <section class="stack" aria-label="Plans">
      <h2>Plans</h2>
      {plans.problem && <ProblemView problem={plans.problem} retry={() => void plans.reload()} />}
      {plans.value?.data.length === 0 && (
        <p class="soft">None. Tenants have invoices’ data by the plan that they have.</p>
      )}
      <ul class="plain-rows" aria-label="Plans that are sold">
        {plans.value?.data.map((plan) => (
          <li key={plan.name}>
            <span>
              <strong>{plan.name}</strong>{' '}
              <span class="soft">
                {plan.month} {plan.currency} a month
                {plan.meters.length > 0 && `, and ${countText(plan.meters.length)} metered`}
              </span>
            </span>
            <Action
              tone="danger"
              name={`Delete ${plan.name}`}
              confirm={`Delete the plan ${plan.name}? Months that are still to be billed by it are not any more.`}
              run={async () => {
                await send('DELETE', pathOf(plan.name))
                await plans.reload()
                say(`The plan ${plan.name} is deleted.`)
              }}
            >
              Delete
            </Action>
          </li>
        ))}
      </ul>
      <details>
        <summary>Make or change a plan</summary>
        <div class="panel below-summary narrow-page">
          <Form
            label="Plan"
            submit="Save the plan"
            run={async (fields) => {
              const name = textOf(fields, 'name')
              await send('PUT', pathOf(name), {
                currency: textOf(fields, 'currency'),
                month: textOf(fields, 'month'),
                meters: parsed(textOf(fields, 'meters') || '[]'),
              })
              await plans.reload()
              say(`The plan ${name} is saved.`)
            }}
          >
            <label class="field">
              Name
              <input name="name" required spellcheck={false} autocomplete="off" placeholder="team" />
              <span class="field-help">A name that is there is changed, for months that are billed from now on.</span>
            </label>
            <label class="field">
              Currency
              <input name="currency" required pattern="[A-Z]{3}" placeholder="EUR" spellcheck={false} />
            </label>
            <label class="field">
              Price of a month
              <input name="month" required inputMode="decimal" placeholder="49.00" />
            </label>
            <label class="field">
              Meters, as JSON
              <textarea name="meters" rows={4} spellcheck={false} placeholder={METERS} />
              <span class="field-help">
                Each has meter (calls, sandbox_running_seconds, sandbox_paused_seconds, sandbox_seconds, bytes_in,
                bytes_out, tool_cost), included, price, per. Empty: none.
              </span>
            </label>
          </Form>
        </div>
      </details>
    </section>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw problemOf(new Error(`Meters: this is no JSON: ${thrown instanceof Error ? thrown.message : ''}`))
  }
}
