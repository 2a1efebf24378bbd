import { useSignal } from '@preact/signals'
import { get, type Listed, send, who } from '../../api.ts'
import { Form } from '../../parts/form.tsx'
import { addressOf, go } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { Badge, Empty, Loading } from '../../parts/states.tsx'
import { isAdministrator } from '../keys/types.ts'
import { stateOf, type Webhook } from './types.ts'
import { WebhookFields, webhookOf } from './webhook-fields.tsx'

/** Most webhooks that a tenant has. */
const PAGE = 16

/** Receivers of the tenant's events, and a new one. */
export function WebhooksPage() {
  const made = useSignal<{ readonly id: string; readonly secret: string } | null>(null)
  const webhooks = usePages<Webhook>(
    isAdministrator(who.value) ? 'webhooks' : null,
    (cursor, signal) => get<Listed<Webhook>>('/v1/webhooks', { limit: PAGE, cursor }, signal),
    { idOf: ({ id }) => id },
  )
  if (!isAdministrator(who.value)) return <p>Webhooks are for a key with the scope admin.</p>
  if (made.value) {
    const { id, secret } = made.value
    return (
      <div class="stack narrow-page">
        <h1>The webhook is made</h1>
        <p class="soft">Its events are signed with this secret: the receiver checks them by it.</p>
        <ShownOnce label="Secret" secret={secret} onDone={() => go(addressOf(['settings', 'webhooks', id]))} />
      </div>
    )
  }
  return (
    <div class="stack narrow-page">
      <p>
        <a href="/console/settings">Settings</a>
      </p>
      <h1>Webhooks</h1>
      {webhooks.problem && <ProblemView problem={webhooks.problem} retry={() => void webhooks.reload()} />}
      {!webhooks.items && !webhooks.problem && <Loading lines={2} />}
      {webhooks.items?.length === 0 && (
        <Empty title="No webhooks yet">
          <p>A webhook tells a program of yours when calls end, agents ask, or a budget is used up.</p>
        </Empty>
      )}
      {webhooks.items && webhooks.items.length > 0 && (
        <ul class="stack" aria-label="Webhooks">
          {webhooks.items.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      {webhooks.next && (
        <button type="button" onClick={webhooks.next}>
          More
        </button>
      )}
      {webhooks.items && (
        <section class="panel stack">
          <h2>New webhook</h2>
          <Form
            label="New webhook"
            submit="Make the webhook"
            run={async (fields) => {
              made.value = await send<Webhook & { readonly secret: string }>('POST', '/v1/webhooks', webhookOf(fields))
              await webhooks.reload()
            }}
          >
            <WebhookFields />
          </Form>
        </section>
      )}
    </div>
  )
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const [words, tone] = stateOf(webhook)
  return (
    <li class="panel row-actions">
      <div class="child-words">
        <a href={addressOf(['settings', 'webhooks', webhook.id])}>{webhook.description || webhook.url}</a>
        <br />
        <span class="soft">
          {webhook.description && `${webhook.url} · `}
          {webhook.events.join(', ')}
        </span>
      </div>
      <Badge tone={tone}>{words}</Badge>
    </li>
  )
}
