import { useSignal } from '@preact/signals'
import { type Problem, problemOf, send } from '../../api.ts'
import { say } from '../../parts/action.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { pathOf } from './types.ts'

interface SnapshotProps {
  readonly session: string
  /** The commit whose files get the name; left out: the present ones. */
  readonly commit?: number
}

/** Gives files a name, under which they are found again. The name is asked for in a dialog. */
export function SnapshotAction({ session, commit }: SnapshotProps) {
  const asking = useSignal(false)
  const close = () => {
    asking.value = false
  }
  return (
    <>
      <button
        type="button"
        onClick={() => {
          asking.value = true
        }}
      >
        Snapshot
      </button>
      {asking.value && (
        <Dialog title="Take a snapshot" onClose={close}>
          <NameForm session={session} {...(commit !== undefined && { commit })} done={close} />
        </Dialog>
      )}
    </>
  )
}

function NameForm({ session, commit, done }: SnapshotProps & { readonly done: () => void }) {
  const problem = useSignal<Problem | null>(null)
  const busy = useSignal(false)

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (busy.value) return
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim()
    busy.value = true
    problem.value = null
    try {
      await send('PUT', pathOf(session, 'snapshots', name), commit === undefined ? {} : { commit })
      say(`Snapshot ${name} is made.`, addressOf(['sessions', session, 'files'], { as_of: name }))
      done()
    } catch (thrown) {
      problem.value = problemOf(thrown)
      busy.value = false
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <label class="field">
        Name
        <input name="name" required autofocus defaultValue={`s-${new Date().toISOString().slice(0, 10)}`} />
        <span class="field-help">
          Letters, digits and . _ - : the files are found under it, whatever happens later.
        </span>
      </label>
      {problem.value && <ProblemView problem={problem.value} />}
      <button type="submit" class="primary" aria-busy={busy.value}>
        Take it
      </button>
    </form>
  )
}
