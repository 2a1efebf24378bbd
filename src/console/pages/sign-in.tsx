import { useSignal } from '@preact/signals'
import { isOpen, over, type Problem, problemOf, signIn } from '../api.ts'
import { Action } from '../parts/action.tsx'
import { here } from '../parts/location.ts'
import { ProblemView } from '../parts/problem.tsx'
import { useTitle } from '../parts/title.ts'

/** Shows the place that was asked for. Nothing that was read or shown for somebody else is left. */
function enter(): void {
  if (here.peek().path === '/console/sign-in') location.replace('/console/')
  else location.reload()
}

/** Signs in with a key. Afterwards the place that was asked for is shown. */
export function SignInPage() {
  useTitle('Sign in')
  const problem = useSignal<Problem | null>(over.peek())
  const busy = useSignal(false)

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('key') as HTMLInputElement
    busy.value = true
    problem.value = null
    try {
      await signIn(field.value.trim())
      field.value = ''
      enter()
    } catch (thrown) {
      problem.value = problemOf(thrown)
      field.select()
    }
    busy.value = false
  }

  return (
    <main class="sign-in">
      <h1>Toolyard</h1>
      {isOpen.value && (
        <div class="stack">
          <p>This server needs no key on its own machine.</p>
          <p>
            <Action tone="primary" run={() => signIn('').then(enter)}>
              Continue without a key
            </Action>
          </p>
        </div>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <label class="field">
          Key
          <input
            name="key"
            type="password"
            autocomplete="current-password"
            required
            spellcheck={false}
            autofocus={!isOpen.value}
          />
        </label>
        <p class="soft">
          A key of your tenant, or the operator’s token. It is sent once: this browser gets a session of eight hours,
          which Settings lists and ends.
        </p>
        {problem.value && <ProblemView problem={problem.value} />}
        <button type="submit" class={isOpen.value ? undefined : 'primary'} aria-busy={busy.value}>
          Sign in
        </button>
      </form>
    </main>
  )
}
