import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, type Listed, send } from '../../../api.ts'
import { say } from '../../../parts/action.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Form } from '../../../parts/form.tsx'
import { goToSession } from '../frame.tsx'
import { type ListedSession, pathOf } from '../types.ts'
import { NameField, useNewName } from './new-name.tsx'

/** Newest sessions whose names are not proposed. */
const SEEN_SESSIONS = 100

interface ForkProps {
  readonly session: string
  /** Commit whose files it gets; null for the present ones. */
  readonly asOf: number | null
  /** Words of the button, where they are others. */
  readonly children?: string
}

/** Makes a session with these files, whose name is asked for in a dialog, and goes there. */
export function ForkAction({ session, asOf, children }: ForkProps) {
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
        {children ?? (asOf === null ? 'Fork' : 'Fork from here')}
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
  const given = useNewName(`${session}-fork`)
  useEffect(() => {
    const end = new AbortController()
    void namesOfSessions(end.signal).then(
      given.avoid,
      // A name in use is refused when it is sent.
      () => undefined,
    )
    return () => end.abort()
  }, [])
  const fork = async () => {
    const name = given.name.value.trim()
    const wanted = { name, title: name, ...(asOf !== null && { as_of: asOf }) }
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
      <NameField given={given} />
    </Form>
  )
}

/** Names of the newest sessions. @throws Problem */
async function namesOfSessions(signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await get<Listed<ListedSession>>('/v1/sessions', { limit: SEEN_SESSIONS }, signal)
  return data.map(({ name }) => name)
}
