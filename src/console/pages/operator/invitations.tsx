import { useSignal } from '@preact/signals'
import { get, type Listed, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { Form, numberOf, textOf } from '../../parts/form.tsx'
import { plural } from '../../parts/format.ts'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages, useResource } from '../../parts/resource.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { Badge, Empty, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import type { Tone } from '../../parts/tone.ts'
import { givenOf, InternetField, internetOf, Options, PlaceFields } from './fields.tsx'
import type { Invitation, Plan } from './types.ts'

const PATH = '/admin/invitations'
const DAY_SECONDS = 86_400
/** Tenants of an invitation that are named; the others are counted. */
const NAMED_MAX = 5

/** Links by which somebody makes a tenant of their own. */
export function InvitationsPage() {
  const link = useSignal('')
  const invitations = usePages<Invitation>(
    'invitations',
    (cursor, signal) => get<Listed<Invitation>>(PATH, { limit: 20, cursor }, signal),
    { idOf: ({ id }) => id },
  )
  const make = async (fields: FormData, form: HTMLFormElement) => {
    const internet = internetOf(fields, 'internet')
    const made = await send<{ readonly token: string }>('POST', PATH, {
      name: textOf(fields, 'name'),
      plan: givenOf(fields, 'plan'),
      uses: numberOf(fields, 'uses'),
      expires_in_seconds: Math.round((numberOf(fields, 'days') ?? 7) * DAY_SECONDS),
      jurisdiction: givenOf(fields, 'jurisdiction'),
      location_hint: givenOf(fields, 'location_hint'),
      internet: internet === true ? undefined : { ceiling: internet },
    })
    // As a fragment: no browser sends it to a server, and no log has it.
    link.value = `${location.origin}/console/sign-up#${made.token}`
    form.reset()
    await invitations.reload()
    scrollTo(0, 0)
  }
  return (
    <div class="stack narrow-page">
      <h1>Invitations</h1>
      <p class="soft">
        A sign-up link lets somebody make a tenant with its first key, without a key of yours. Send it to whom it is
        for.
      </p>
      {link.value && <ShownOnce label="Sign-up link" secret={link.value} onDone={() => (link.value = '')} />}
      {invitations.problem && <ProblemView problem={invitations.problem} retry={() => void invitations.reload()} />}
      {!invitations.items && !invitations.problem && <Loading lines={3} />}
      {invitations.items?.length === 0 && <Empty title="Nobody is invited">Make a sign-up link below.</Empty>}
      {invitations.items && invitations.items.length > 0 && (
        <ul class="stack" aria-label="Invitations">
          {invitations.items.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} reload={invitations.reload} />
          ))}
        </ul>
      )}
      {invitations.next && (
        <button type="button" onClick={invitations.next}>
          More
        </button>
      )}
      {invitations.items && <NewInvitation make={make} />}
    </div>
  )
}

interface NewInvitationProps {
  readonly make: (fields: FormData, form: HTMLFormElement) => Promise<void>
}

function NewInvitation({ make }: NewInvitationProps) {
  const plans = useResource('plans', (signal) => get<Listed<Plan>>('/admin/plans', { limit: 100 }, signal))
  const names = plans.value?.data.map(({ name }) => name) ?? []
  return (
    <section class="panel stack">
      <h2>Invite somebody</h2>
      <Form label="Invite somebody" submit="Make the link" run={make}>
        <label class="field">
          Name
          <input name="name" required maxLength={200} />
          <span class="field-help">For yourself: whom you invite. The invited do not see it.</span>
        </label>
        <label class="field">
          Days for which it is good
          <input name="days" type="number" min={1} max={90} step="any" defaultValue="7" />
        </label>
        <label class="field">
          Tenants that it makes
          <input name="uses" type="number" min={1} max={1000} step={1} defaultValue="1" />
        </label>
        {names.length > 0 && (
          <Options
            label="Plan"
            name="plan"
            options={{ '': 'None', ...Object.fromEntries(names.map((name) => [name, name])) }}
          />
        )}
        <details>
          <summary>Internet and place of its tenants</summary>
          <div class="stack below-summary">
            <InternetField label="The most that their sandboxes reach" name="internet" value={true} />
            <PlaceFields />
          </div>
        </details>
      </Form>
    </section>
  )
}

interface InvitationRowProps {
  readonly invitation: Invitation
  readonly reload: () => Promise<void>
}

function InvitationRow({ invitation, reload }: InvitationRowProps) {
  const [words, tone] = stateOf(invitation)
  const { id, name, plan, uses, uses_left, tenants } = invitation
  return (
    <li class="panel row-actions">
      <div class="child-words">
        <strong>{name}</strong> <code class="soft">{id}</code>
        <br />
        <span class="soft">
          {tenants.length} of {plural(uses, 'tenant')} made{plan && ` · plan ${plan}`} · ends{' '}
          <Ago at={invitation.revoked_at ?? invitation.expires_at} />
        </span>
        {tenants.length > 0 && (
          <>
            <br />
            {tenants.slice(0, NAMED_MAX).map((tenant) => (
              <span key={tenant}>
                <a href={addressOf(['operator', 'tenants', tenant])}>{tenant}</a>{' '}
              </span>
            ))}
            {tenants.length > NAMED_MAX && <span class="soft">and {tenants.length - NAMED_MAX} more</span>}
          </>
        )}
      </div>
      <Badge tone={tone}>{words}</Badge>
      {uses_left > 0 && (
        <Action
          tone="danger"
          name={`Withdraw ${name}`}
          confirm={`Withdraw the invitation ${name}? Its link makes no tenant from now on; those that it made stay.`}
          run={async () => {
            await send('DELETE', `${PATH}/${encodeURIComponent(id)}`)
            await reload()
            say(`The invitation ${name} is withdrawn.`)
          }}
        >
          Withdraw
        </Action>
      )}
    </li>
  )
}

function stateOf({ revoked_at, uses_left, uses, tenants }: Invitation): [words: string, tone: Tone] {
  if (revoked_at) return ['withdrawn', 'plain']
  if (uses_left > 0) return ['good', 'good']
  return [tenants.length >= uses ? 'used up' : 'expired', 'plain']
}
