import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { send, who } from '../api.ts'
import { Form, textOf } from '../parts/form.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'

interface SignedUp {
  readonly tenant: string
  readonly name: string
  readonly key: string
}

/** Makes a tenant by the invitation of the link, whose token is behind its `#`: no server saw it until now. */
export function SignUpPage() {
  const made = useSignal<SignedUp | null>(null)
  const token = useSignal(location.hash.slice(1))
  // Another link that is opened here differs behind its `#` alone, which loads no page.
  useEffect(() => {
    const anew = () => location.reload()
    addEventListener('hashchange', anew)
    return () => removeEventListener('hashchange', anew)
  }, [])
  if (made.value) {
    return (
      <main class="sign-in">
        <h1>{made.value.name} is made</h1>
        <p>
          Its id is <code>{made.value.tenant}</code>. This is its first key: programs call tools with it, and you sign
          in with it.
        </p>
        <ShownOnce label="Key" secret={made.value.key} onDone={() => location.assign('/console/sign-in')} />
      </main>
    )
  }
  return (
    <main class="sign-in">
      <h1>Sign up</h1>
      <p class="soft">You were invited to have tools, sessions and keys of your own on this server.</p>
      {who.value && <p class="soft">You are signed in already. Signing up makes another tenant beside that.</p>}
      <Form
        label="Sign up"
        submit="Sign up"
        run={async (fields) => {
          made.value = await send<SignedUp>('POST', '/v1/sign-up', {
            invitation: token.value || textOf(fields, 'invitation'),
            name: textOf(fields, 'name'),
            id: textOf(fields, 'id') || undefined,
          })
          history.replaceState(null, '', '/console/sign-up')
        }}
      >
        {!token.value && (
          <label class="field">
            Invitation
            <input name="invitation" required spellcheck={false} autocomplete="off" />
            <span class="field-help">What stands behind # in the link that you were given.</span>
          </label>
        )}
        <label class="field">
          Name
          <input name="name" required maxLength={200} autofocus />
          <span class="field-help">Who you are, such as your team.</span>
        </label>
        <label class="field">
          Id
          <input name="id" maxLength={64} spellcheck={false} autocomplete="off" placeholder="riverside" />
          <span class="field-help">a-z, 0-9 and -. It never changes. Empty: a random one.</span>
        </label>
      </Form>
    </main>
  )
}
