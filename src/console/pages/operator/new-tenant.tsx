import { send } from '../../api.ts'
import { say } from '../../parts/action.tsx'
import { Form, textOf } from '../../parts/form.tsx'
import { addressOf, go } from '../../parts/location.ts'
import { forgetResources } from '../../parts/resource.ts'
import { givenOf, InternetField, internetOf, PlaceFields } from './fields.tsx'
import type { Tenant } from './types.ts'

/** Makes a tenant. Its first key is made on its own page. */
export function NewTenantPage() {
  async function make(fields: FormData) {
    const tenant = await send<Tenant>('POST', '/admin/tenants', {
      name: textOf(fields, 'name'),
      id: givenOf(fields, 'id'),
      jurisdiction: givenOf(fields, 'jurisdiction'),
      location_hint: givenOf(fields, 'location_hint'),
      internet: internetOf(fields, 'internet') === true ? undefined : { ceiling: internetOf(fields, 'internet') },
    })
    forgetResources()
    say(`${tenant.name} is made. Make its first key now.`)
    go(addressOf(['operator', 'tenants', tenant.id]))
  }
  return (
    <div class="stack narrow-page">
      <p>
        <a href="/console/operator/tenants">Tenants</a>
      </p>
      <h1>New tenant</h1>
      <Form label="New tenant" submit="Make the tenant" run={make}>
        <label class="field">
          Name
          <input name="name" required maxLength={200} autofocus />
          <span class="field-help">Words for people: who it is.</span>
        </label>
        <label class="field">
          Id
          <input name="id" maxLength={64} spellcheck={false} autocomplete="off" placeholder="acme" />
          <span class="field-help">
            a-z, 0-9 and -. It never changes and is never given again. Empty: a random one.
          </span>
        </label>
        <InternetField label="The most that its sandboxes reach" name="internet" value={true} />
        <details>
          <summary>Where its data is</summary>
          <div class="stack below-summary">
            <PlaceFields />
          </div>
        </details>
      </Form>
    </div>
  )
}
