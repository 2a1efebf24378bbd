import { useSignal } from '@preact/signals'
import { send, who } from '../../api.ts'
import { Checks, Form, namesOf, numberOf, textOf } from '../../parts/form.tsx'
import { go } from '../../parts/location.ts'
import { forgetResources } from '../../parts/resource.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { putLimits, readLimits } from '../usage/types.ts'
import { isAdministrator, NO_KEYS, needsNoKey, SCOPES, type TenantKey } from './types.ts'

/** Makes a key of the tenant, with limits of its own where some are given. */
export function NewKeyPage() {
  const made = useSignal<{ readonly id: string; readonly key: string } | null>(null)
  const unlimited = useSignal('')
  if (needsNoKey(who.value)) return <p>{NO_KEYS}</p>
  if (!isAdministrator(who.value)) return <p>Keys of the tenant are made by a key with the scope admin.</p>

  async function make(fields: FormData) {
    const key = await send<TenantKey & { readonly key: string }>('POST', '/v1/keys', {
      name: textOf(fields, 'name'),
      scopes: fields.getAll('scopes'),
      expires_in_days: numberOf(fields, 'days'),
      allowed_addresses: namesOf(fields, 'addresses'),
    })
    forgetResources()
    // Shown first: the key is there, whatever becomes of its limits.
    made.value = key
    const limits = {
      per_minute: numberOf(fields, 'per_minute'),
      per_day: numberOf(fields, 'per_day'),
      budget_per_day: millionthsOf(numberOf(fields, 'budget_per_day')),
    }
    if (Object.values(limits).every((limit) => limit === undefined)) return
    try {
      const known = await readLimits()
      const { rules, prices } = known.settings
      await putLimits({ rules: [{ scope: 'key', name: key.id, ...limits }, ...rules], prices }, known.tag)
    } catch (thrown) {
      unlimited.value = String(thrown instanceof Error ? thrown.message : thrown)
    }
  }

  return (
    <div class="stack narrow-page">
      <h1>{made.value ? 'The key is made' : 'New key'}</h1>
      {unlimited.value && (
        <p class="problem" role="alert">
          Its limits were not set: {unlimited.value} Set them on the page Usage, or revoke the key.
        </p>
      )}
      {made.value ? (
        <ShownOnce label="Key" secret={made.value.key} onDone={() => go('/console/keys')} />
      ) : (
        <Form label="New key" submit="Make the key" run={make}>
          <label class="field">
            Name
            <input name="name" required maxLength={128} autofocus />
            <span class="field-help">Words for people: who or what uses it.</span>
          </label>
          <Checks legend="Scopes" name="scopes" options={SCOPES} checked={['read', 'execute']} />
          <label class="field">
            Days until it expires
            <input name="days" type="number" min={1} step={1} />
            <span class="field-help">Empty: it stays until it is revoked.</span>
          </label>
          <label class="field">
            Addresses from which it is good
            <input name="addresses" placeholder="192.0.2.7, 10.0.0.0/8" spellcheck={false} />
            <span class="field-help">Empty: everywhere.</span>
          </label>
          <LimitFields />
        </Form>
      )}
    </div>
  )
}

function LimitFields() {
  return (
    <fieldset class="stack">
      <legend>Limits of its calls</legend>
      <label class="field">
        Calls a minute
        <input name="per_minute" type="number" min={1} step={1} />
      </label>
      <label class="field">
        Calls a day (UTC)
        <input name="per_day" type="number" min={1} step={1} />
      </label>
      <label class="field">
        Cost a day
        <input name="budget_per_day" type="number" min={0.000001} step="any" />
        <span class="field-help">In the unit of your prices. Empty: no limit but those of the tenant.</span>
      </label>
    </fieldset>
  )
}

/** Millionths of a unit. */
const millionthsOf = (units: number | undefined): number | undefined =>
  units === undefined ? undefined : Math.round(units * 1_000_000)
