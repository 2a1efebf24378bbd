import { useSignal } from '@preact/signals'
import { get, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { Form } from '../../parts/form.tsx'
import { countText } from '../../parts/format.ts'
import { go } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { forgetResources, type Resource, useResource } from '../../parts/resource.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { useNameInTitle } from '../../parts/title.ts'
import { Deliveries } from './deliveries.tsx'
import { pathOfWebhook, stateOf, type Webhook } from './types.ts'
import { WebhookFields, webhookOf } from './webhook-fields.tsx'

/** One webhook: what was sent to it, its settings, another secret, its end. */
export function WebhookPage({ params }: PageProps) {
  const id = params.webhook ?? ''
  const webhook = useResource(`webhook ${id}`, (signal) => get<Webhook>(pathOfWebhook(id), {}, signal))
  return (
    <div class="stack narrow-page" key={id}>
      <p>
        <a href="/console/settings/webhooks">Webhooks</a>
      </p>
      {webhook.problem && <ProblemView problem={webhook.problem} retry={() => void webhook.reload()} />}
      {!webhook.value && !webhook.problem && <Loading />}
      {webhook.value && <WebhookView webhook={webhook.value} resource={webhook} />}
    </div>
  )
}

interface WebhookViewProps {
  readonly webhook: Webhook
  readonly resource: Resource<Webhook>
}

function WebhookView({ webhook, resource }: WebhookViewProps) {
  useNameInTitle('name', webhook.description || undefined)
  const secret = useSignal('')
  const [words, tone] = stateOf(webhook)
  const change = async (changes: object, said: string) => {
    await send('PATCH', pathOfWebhook(webhook.id), changes)
    forgetResources()
    await resource.reload()
    say(said)
  }
  return (
    <>
      <div class="page-head">
        <h1>{webhook.description || 'A webhook'}</h1>
        <Badge tone={tone}>{words}</Badge>
      </div>
      {secret.value && <ShownOnce label="Secret" secret={secret.value} onDone={() => (secret.value = '')} />}
      <Facts webhook={webhook} />
      <Deliveries webhook={webhook.id} />
      <section class="panel stack">
        <h2>What is sent to it</h2>
        <Form
          key={JSON.stringify(webhook)}
          label="Change"
          submit="Save"
          run={(fields) => change(webhookOf(fields), 'Saved.')}
        >
          <WebhookFields webhook={webhook} />
        </Form>
      </section>
      <section class="panel stack">
        <h2>Another secret</h2>
        <p class="soft">For a day events are signed with the old one too.</p>
        <div class="row-actions">
          <Action
            confirm="Give the webhook another secret? Its receiver has to know it within a day."
            run={async () => {
              const path = pathOfWebhook(webhook.id, 'rotate')
              secret.value = (await send<{ readonly secret: string }>('POST', path)).secret
              await resource.reload()
            }}
          >
            Rotate
          </Action>
        </div>
      </section>
      <section class="panel stack">
        <h2>End</h2>
        <p class="soft">What waits to be sent is dropped, when it is switched off or deleted.</p>
        <div class="row-actions">
          <Action
            run={() =>
              change({ enabled: !webhook.enabled }, webhook.enabled ? 'It is switched off.' : 'It is switched on.')
            }
          >
            {webhook.enabled ? 'Switch it off' : 'Switch it on'}
          </Action>
          <Action
            tone="danger"
            confirm="Delete the webhook? Its receiver gets nothing from now on."
            run={async () => {
              await send('DELETE', pathOfWebhook(webhook.id))
              forgetResources()
              say('The webhook is deleted.')
              go('/console/settings/webhooks')
            }}
          >
            Delete
          </Action>
        </div>
      </section>
    </>
  )
}

function Facts({ webhook }: { readonly webhook: Webhook }) {
  return (
    <dl class="facts">
      <div>
        <dt>Address</dt>
        <dd class="mono file-name">{webhook.url}</dd>
      </div>
      <div>
        <dt>Id</dt>
        <dd class="mono">{webhook.id}</dd>
      </div>
      <div>
        <dt>Made</dt>
        <dd>
          <Ago at={webhook.created_at} />
        </dd>
      </div>
      {webhook.failing_since && (
        <div>
          <dt>Fails since</dt>
          <dd>
            <Ago at={webhook.failing_since} />
          </dd>
        </div>
      )}
      {webhook.dropped > 0 && (
        <div>
          <dt>Dropped, since too many waited</dt>
          <dd>{countText(webhook.dropped)}</dd>
        </div>
      )}
      {webhook.old_secret_until && (
        <div>
          <dt>Old secret signs too until</dt>
          <dd>
            <Ago at={webhook.old_secret_until} />
          </dd>
        </div>
      )}
    </dl>
  )
}
