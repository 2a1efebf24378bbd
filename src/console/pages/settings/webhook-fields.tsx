import { Checks, namesOf, textOf } from '../../parts/form.tsx'
import { ENDS, EVENTS, type Webhook } from './types.ts'

/** Fields of a webhook: where events are sent, and which. */
export function WebhookFields({ webhook }: { readonly webhook?: Webhook }) {
  return (
    <>
      <label class="field">
        Address
        <input
          name="url"
          type="url"
          required
          defaultValue={webhook?.url ?? ''}
          placeholder="https://example.org/events"
          spellcheck={false}
        />
        <span class="field-help">On the public internet. Events are sent to it by POST, as Standard Webhooks.</span>
      </label>
      <label class="field">
        Words for people
        <input name="description" maxLength={200} defaultValue={webhook?.description ?? ''} />
      </label>
      <Checks legend="Events" name="events" options={EVENTS} checked={webhook?.events ?? ['call.ended']} />
      <details open={Boolean(webhook?.states ?? webhook?.sessions ?? webhook?.tools)}>
        <summary>Some calls and sessions alone</summary>
        <div class="stack below-summary">
          <Checks
            legend="Calls that ended"
            name="states"
            options={ENDS}
            checked={webhook?.states ?? Object.keys(ENDS)}
          />
          <label class="field">
            Sessions
            <input name="sessions" defaultValue={webhook?.sessions?.join(', ') ?? ''} spellcheck={false} />
            <span class="field-help">Names, with commas between. Empty: all.</span>
          </label>
          <label class="field">
            Tools
            <input name="tools" defaultValue={webhook?.tools?.join(', ') ?? ''} spellcheck={false} />
            <span class="field-help">Empty: all.</span>
          </label>
        </div>
      </details>
    </>
  )
}

/** Input of the fields of {@link WebhookFields}, as the server takes it. */
export function webhookOf(fields: FormData) {
  const states = fields.getAll('states')
  return {
    url: textOf(fields, 'url'),
    description: textOf(fields, 'description'),
    events: fields.getAll('events'),
    states: states.length === Object.keys(ENDS).length ? null : states,
    sessions: namesOf(fields, 'sessions') ?? null,
    tools: namesOf(fields, 'tools') ?? null,
  }
}
