import { send } from '../../../api.ts'
import { Action, say } from '../../../parts/action.tsx'
import { plural } from '../../../parts/format.ts'
import { addressOf } from '../../../parts/location.ts'
import { Ago } from '../../../parts/time.tsx'
import { noteChange } from '../changed.ts'
import { pathOf } from '../types.ts'
import { ForkAction } from './fork.tsx'
import { SetAllBack } from './restore.tsx'
import type { Snapshot } from './snapshot.tsx'

/** Snapshots that are shown at once; more of them open with a click. */
const OPEN_MAX = 3

interface SnapshotListProps {
  readonly session: string
  readonly snapshots: readonly Snapshot[]
  /** Number of the newest commit; undefined until it is known. */
  readonly newest: number | undefined
}

interface RowProps extends Pick<SnapshotListProps, 'session' | 'newest'> {
  readonly snapshot: Snapshot
}

/** Snapshots of a session, each with the ways to its files and back to them. */
export function SnapshotList({ session, snapshots, newest }: SnapshotListProps) {
  if (snapshots.length === 0) return null
  return (
    <details class="snapshots" open={snapshots.length <= OPEN_MAX}>
      <summary>{plural(snapshots.length, 'snapshot')}</summary>
      <ul aria-label="Snapshots">
        {snapshots.map((snapshot) => (
          <Row key={snapshot.name} session={session} snapshot={snapshot} newest={newest} />
        ))}
      </ul>
    </details>
  )
}

function Row({ session, snapshot: { name, commit, created_at }, newest }: RowProps) {
  const remove = async () => {
    await send('DELETE', pathOf(session, 'snapshots', name))
    noteChange()
    say(`Snapshot ${name} is removed.`)
  }
  return (
    <li>
      <span>
        <a href={addressOf(['sessions', session, 'files'], { as_of: name })}>
          <strong>{name}</strong>
        </a>{' '}
        <span class="soft">
          of{' '}
          <a
            href={addressOf(['sessions', session, 'history'], {
              from: String(Math.max(0, commit - 1)),
              to: String(commit),
            })}
          >
            commit {commit}
          </a>
          , taken <Ago at={created_at} />
        </span>
      </span>
      <span class="row-actions">
        <ForkAction session={session} asOf={commit} />
        <SetAllBack session={session} commit={commit} newest={newest} />
        <Action
          tone="quiet danger"
          confirm={`Remove the snapshot ${name}? The files stay as they are; those of commit ${commit} are kept a week, as the history is.`}
          run={remove}
        >
          Remove
        </Action>
      </span>
    </li>
  )
}
