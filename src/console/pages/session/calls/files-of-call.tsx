import { useEffect, useRef } from 'preact/hooks'
import { get, type Listed } from '../../../api.ts'
import { bytesText, plural } from '../../../parts/format.ts'
import { addressOf } from '../../../parts/location.ts'
import { ProblemView } from '../../../parts/problem.tsx'
import { type Resource, useResource } from '../../../parts/resource.ts'
import { Badge } from '../../../parts/states.tsx'
import { noteChange, useNewest } from '../changed.ts'
import { ForkAction } from '../history/fork.tsx'
import { SetAllBack } from '../history/restore.tsx'
import { useSince } from '../history/since.ts'
import { ChangedSince, TakeBack } from '../history/take-back.tsx'
import { useTouched } from '../history/touched.ts'
import { type Call, CHANGE_TONES, type Commit, pathOf } from '../types.ts'
import { type ChangeOfCall, changesOf } from './changes-of-call.ts'

/** Commits of one call that are read: one that runs long may have made several. */
const COMMITS_MAX = 100
/** Milliseconds for which commits are kept, as docs/history.md says. */
const KEPT_MS = 7 * 86_400_000
/** Changed paths of a call of which the page says what became of them: each takes a request or two. */
const FOLLOWED_MAX = 30

/** Reads the commits of a call, and again when it runs no longer, with all that tells of the session's files. */
export function useCommitsOf(session: string, author: string | null, isRunning: boolean): Resource<readonly Commit[]> {
  const commits = useResource(author && `commits by ${JSON.stringify([session, author])}`, async (signal) => {
    const query = { limit: COMMITS_MAX, author, look: false }
    return (await get<Listed<Commit>>(pathOf(session, 'history'), query, signal)).data
  })
  const ran = useRef(false)
  useEffect(() => {
    if (ran.current && !isRunning) {
      void commits.reload()
      noteChange()
    }
    ran.current = isRunning
  }, [author, isRunning])
  return commits
}

/** Whether a call runs, or its work goes on. */
export const isRunning = (call: Pick<Call, 'state' | 'running'> | undefined): boolean =>
  call !== undefined && (call.state === 'running' || call.running)

interface FilesOfCallProps {
  readonly session: string
  readonly commits: Resource<readonly Commit[]>
  /** When the call began. */
  readonly startedAt: string
}

/** Files that a call changed, each with the way back to what it was before. */
export function FilesOfCall({ session, commits, startedAt }: FilesOfCallProps) {
  const { value, problem, reload } = commits
  const present = useNewest(session)
  const touched = useTouched(session)
  if (problem) return <ProblemView problem={problem} retry={() => void reload()} />
  if (!value) return <p class="soft files-place">Looking for files that it changed …</p>
  const [newest] = value
  const oldest = value.at(-1)
  if (!newest || !oldest) {
    const isForgotten = Date.now() - Date.parse(startedAt) > KEPT_MS
    return isForgotten ? (
      <p class="soft">Which files it changed is not known any more: the history keeps a week.</p>
    ) : null
  }
  const before = oldest.commit - 1
  const more = value.reduce((sum, { more_changes }) => sum + more_changes, 0)
  return (
    <section class="stack part">
      <h3>Files changed</h3>
      <ul class="changes">
        {changesOf(value).map((change, at) => (
          <ChangedPath
            key={change.path}
            session={session}
            change={change}
            isFollowed={at < FOLLOWED_MAX}
            touched={touched(change.path, change.after)}
          />
        ))}
      </ul>
      {more > 0 && <p class="soft">and {plural(more, 'more path')}</p>}
      <div class="row-actions">
        <a
          class="button"
          href={addressOf(['sessions', session, 'history'], { from: String(before), to: String(newest.commit) })}
        >
          What changed, line by line
        </a>
        {before > 0 && (
          <ForkAction session={session} asOf={before}>
            Fork from before it
          </ForkAction>
        )}
        <SetAllBack session={session} commit={before} newest={present} />
      </div>
    </section>
  )
}

interface ChangedPathProps {
  readonly session: string
  readonly change: ChangeOfCall
  /** Whether it is looked for what became of it. */
  readonly isFollowed: boolean
  /** Newest later commit that changed it, as far as is known. */
  readonly touched: number
}

function ChangedPath({ session, change: made, isFollowed, touched }: ChangedPathProps) {
  const { path, change, size, kind, before, after } = made
  const isDirectory = kind === 'directory'
  const since = useSince(session, made, { isFollowed: isFollowed && !isDirectory, touched })
  // Where it is no more, the link leads to the files as they were with it.
  const isThere = since ? since.isThere : change !== 'deleted'
  const asOf = isThere ? null : String(change === 'deleted' ? before : after)
  const segments = [...path.split('/'), ...(isDirectory ? [''] : [])]
  return (
    <li>
      <Badge tone={CHANGE_TONES[change]}>{change}</Badge>
      <span>
        <a class="mono" href={addressOf(['sessions', session, 'files', ...segments], { as_of: asOf })}>
          {path}
        </a>{' '}
        <span class="soft">
          {size === null ? '' : bytesText(size)} <ChangedSince session={session} since={since} />
        </span>
      </span>
      {!isDirectory && (
        <TakeBack session={session} made={made} since={since} to="before this call">
          {change === 'created' ? 'Remove it again' : 'Take it back'}
        </TakeBack>
      )}
    </li>
  )
}
