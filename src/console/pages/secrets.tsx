import { get, type Listed, send } from '../api.ts'
import { Action, say } from '../parts/action.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { ProblemView } from '../parts/problem.tsx'
import { usePages } from '../parts/resource.ts'
import { Empty, Loading } from '../parts/states.tsx'
import { Ago } from '../parts/time.tsx'

interface Secret {
  readonly name: string
  readonly changed_at: string
}

const pathOf = (name: string) => `/v1/secrets/${encodeURIComponent(name)}`

/** Characters of the name of a secret at most. */
const NAME_MAX = 64

/** Makes what is typed into a field capital, and leaves the cursor where it is. */
function capitals(field: HTMLInputElement): void {
  const { value, selectionStart, selectionEnd } = field
  if (value === value.toUpperCase()) return
  field.value = value.toUpperCase()
  field.setSelectionRange(selectionStart, selectionEnd)
}

/** Secrets of the tenant by their names; a value is sent, and never read back. */
export function SecretsPage() {
  const secrets = usePages<Secret>(
    'secrets',
    (cursor, signal) => get<Listed<Secret>>('/v1/secrets', { limit: 100, cursor }, signal),
    { idOf: ({ name }) => name },
  )
  return (
    <div class="stack narrow-page">
      <h1>Secrets</h1>
      {secrets.problem && <ProblemView problem={secrets.problem} retry={() => void secrets.reload()} />}
      {!secrets.items && !secrets.problem && <Loading lines={3} />}
      {secrets.items?.length === 0 && (
        <Empty title="No secrets yet">
          <p>A secret is a key of some service that tools use for you. Agents see its name, never its value.</p>
        </Empty>
      )}
      {secrets.items && secrets.items.length > 0 && (
        <ul class="stack" aria-label="Secrets">
          {secrets.items.map(({ name, changed_at }) => (
            <li key={name} class="panel row-actions">
              <code class="child-words">{name}</code>
              <span class="soft">
                set <Ago at={changed_at} />
              </span>
              <Action
                tone="danger"
                name={`Delete ${name}`}
                confirm={`Delete ${name}? Tools that use it fail from now on.`}
                run={async () => {
                  await send('DELETE', pathOf(name))
                  await secrets.reload()
                  say(`${name} is deleted.`)
                }}
              >
                Delete
              </Action>
            </li>
          ))}
        </ul>
      )}
      {secrets.next && (
        <button type="button" onClick={secrets.next}>
          More
        </button>
      )}
      {secrets.items && (
        <section class="panel stack">
          <h2>Set a secret</h2>
          <Form
            label="Set a secret"
            submit="Set"
            run={async (fields, form) => {
              const name = textOf(fields, 'name')
              await send('PUT', pathOf(name), { value: String(fields.get('value') ?? '') })
              form.reset()
              await secrets.reload()
              say(`${name} is set.`)
            }}
          >
            <label class="field">
              Name
              <input
                name="name"
                required
                pattern="[A-Z][A-Z0-9_]*"
                maxLength={NAME_MAX}
                title="Letters, digits and _, a letter first"
                autocapitalize="characters"
                spellcheck={false}
                autocomplete="off"
                placeholder="SEARCH_KEY"
                aria-describedby="rule-of-names"
                onInput={(event) => capitals(event.currentTarget)}
              />
              <span id="rule-of-names" class="field-help">
                Capital letters, digits and _, a letter first; small letters become capital. A name that is there gets
                the new value.
              </span>
            </label>
            <label class="field">
              Value
              <input name="value" type="password" required autocomplete="new-password" spellcheck={false} />
            </label>
          </Form>
        </section>
      )}
    </div>
  )
}
