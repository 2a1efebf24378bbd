import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, type Listed, send } from '../../../api.ts'
import { say } from '../../../parts/action.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Form } from '../../../parts/form.tsx'
import { addressOf } from '../../../parts/location.ts'
import { type Resource, useResource } from '../../../parts/resource.ts'
import { noteChange, useNewest, useReadAgain } from '../changed.ts'
import { pathOf } from '../types.ts'
import { NameField, useNewName } from './new-name.tsx'

/** A name for a commit, as `/v1` lists it. */
export interface Snapshot {
  readonly name: string
  readonly commit: number
  readonly created_at: string
}

/** Snapshots that a session may have at most, so that one page is all of them. */
const SNAPSHOTS_MAX = 100

/** All snapshots of a session, in order of their names. */
export function useSnapshots(session: string): Resource<readonly Snapshot[]> {
  const snapshots = useResource(`snapshots of ${session}`, async (signal) => {
    const page = await get<Listed<Snapshot>>(pathOf(session, 'snapshots'), { limit: SNAPSHOTS_MAX }, signal)
    return page.data
  })
  useReadAgain(snapshots)
  return snapshots
}

interface SnapshotProps {
  readonly session: string
  /** The commit whose files get the name; left out: the newest one. */
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
  const newest = useNewest(session)
  const { value: snapshots = [] } = useSnapshots(session)
  const given = useNewName(`s-${new Date().toISOString().slice(0, 10)}`)
  useEffect(() => given.avoid(snapshots.map((one) => one.name)), [snapshots])
  const of = commit ?? newest
  const other = snapshots.find((one) => one.name === given.name.value.trim() && one.commit !== of)
  const take = async () => {
    const name = given.name.value.trim()
    const wanted = { ...(of !== undefined && { commit: of }), ...(other && { replace: true }) }
    await send('PUT', pathOf(session, 'snapshots', name), wanted)
    noteChange()
    say(`Snapshot ${name} is made.`, addressOf(['sessions', session, 'files'], { as_of: name }))
    done()
  }
  return (
    <Form label="Take a snapshot" submit={other ? 'Replace' : 'Take it'} run={take}>
      <p>
        {of === undefined ? 'Of the files as they are now.' : `Of the files at commit ${of}`}
        {of !== undefined && (of === newest ? ', the newest one.' : '.')}
      </p>
      <NameField given={given}>
        <span class="field-help">
          {other
            ? `${other.name} is the name of commit ${other.commit} now. Replacing it takes the name away from that.`
            : 'Letters, digits and . _ - : the files are found under it, whatever happens later.'}
        </span>
      </NameField>
    </Form>
  )
}
