import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, type Listed, send } from '../../../api.ts'
import { say } from '../../../parts/action.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Form } from '../../../parts/form.tsx'
import { goToSession } from '../frame.tsx'
import { type ListedSession, pathOf } from '../types.ts'

/** Newest sessions whose names are not proposed. */
const SEEN_SESSIONS = 100

interface ForkProps {
  readonly session: string
  /** Commit whose files it gets; null for the present ones. */
  readonly asOf: number | null
}

/** Makes a session with these files, whose name is asked for in a dialog, and goes there. */
export function ForkAction({ session, asOf }: ForkProps) {
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
        Fork{asOf === null ? '' : ' from here'}
      </button>
      {asking.value && (
        <Dialog title="Fork this session" onClose={close}>
          <ForkForm session={session} asOf={asOf} done={close} />
        </Dialog>
      )}
    </>
  )
}

function ForkForm({ session, asOf, done }: ForkProps & { readonly done: () => void }) {
  const name = useSignal(`${session}-fork`)
  const typed = useSignal(false)
  useEffect(() => {
    const end = new AbortController()
    void freeName(name.peek(), end.signal).then(
      (free) => {
        if (!typed.peek()) name.value = free
      },
      // A name in use is refused when it is sent.
      () => undefined,
    )
    return () => end.abort()
  }, [])
  const fork = async () => {
    const given = name.value.trim()
    const wanted = { name: given, title: given, ...(asOf !== null && { as_of: asOf }) }
    const made = await send<{ name: string }>('POST', pathOf(session, 'fork'), wanted)
    done()
    say(`Forked: ${made.name} is the new session.`)
    goToSession(made.name, 'files')
  }
  return (
    <Form label="Fork this session" submit="Make the fork" run={fork}>
      <p>
        Another session gets the files {asOf === null ? 'as they are now' : `as they were at commit ${asOf}`}. This one
        stays as it is.
      </p>
      <label class="field">
        Name
        <input
          name="name"
          required
          autofocus
          autocomplete="off"
          spellcheck={false}
          value={name.value}
          onInput={({ currentTarget }) => {
            typed.value = true
            name.value = currentTarget.value
          }}
        />
      </label>
    </Form>
  )
}

/** A name, or that with a number behind it, which no session has that was made lately. @throws Problem */
async function freeName(name: string, signal: AbortSignal): Promise<string> {
  const { data } = await get<Listed<ListedSession>>('/v1/sessions', { limit: SEEN_SESSIONS }, signal)
  const taken = new Set(data.map((session) => session.name))
  let [free, number] = [name, 2]
  while (taken.has(free)) free = `${name}-${number++}`
  return free
}
