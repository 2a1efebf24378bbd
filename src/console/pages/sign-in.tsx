import { useSignal } from '@preact/signals'
import { over, type Problem, problemOf, signIn } from '../api.ts'
import { here } from '../parts/location.ts'
import { ProblemView } from '../parts/problem.tsx'
import { useTitle } from '../parts/title.ts'

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
      // Nothing that was read or shown for somebody else is left.
      if (here.peek().path === '/console/sign-in') location.replace('/console/')
      else location.reload()
    } catch (thrown) {
      problem.value = problemOf(thrown)
      field.select()
    }
    busy.value = false
  }

  return (
    <main class="sign-in">
      <h1>Toolyard</h1>
      <form onSubmit={(event) => void submit(event)}>
        <label class="field">
          Key
          <input name="key" type="password" autocomplete="current-password" required spellcheck={false} autofocus />
        </label>
        <p class="soft">
          A key of your tenant, or the operator’s token. It is sent once: this browser gets a session of eight hours,
          which Settings lists and ends.
        </p>
        {problem.value && <ProblemView problem={problem.value} />}
        <button type="submit" class="primary" aria-busy={busy.value}>
          Sign in
        </button>
      </form>
    </main>
  )
}
