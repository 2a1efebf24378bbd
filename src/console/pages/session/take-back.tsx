import { useEffect, useRef } from 'preact/hooks'
import { get, type Listed, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { bytesText, plural } from '../../parts/format.ts'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { type Resource, useResource } from '../../parts/resource.ts'
import { Badge } from '../../parts/states.tsx'
import { changesOf } from './changes-of-call.ts'
import { type Call, CHANGE_TONES, type Commit, pathOf } from './types.ts'

/** Commits of one call that are read: one that runs long may have made several. */
const COMMITS_MAX = 100
/** Milliseconds for which commits are kept, as docs/history.md says. */
const KEPT_MS = 7 * 86_400_000

/** Reads the commits of a call, and again when it runs no longer. */
export function useCommitsOf(session: string, author: string | null, isRunning: boolean): Resource<readonly Commit[]> {
  const commits = useResource(author && `commits by ${JSON.stringify([session, author])}`, async (signal) => {
    const query = { limit: COMMITS_MAX, author }
    return (await get<Listed<Commit>>(pathOf(session, 'history'), query, signal)).data
  })
  const ran = useRef(false)
  useEffect(() => {
    if (ran.current && !isRunning) void commits.reload()
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
        {changesOf(value).map(({ path, change, size, kind, before }) => (
          <li key={path}>
            <Badge tone={CHANGE_TONES[change]}>{change}</Badge>
            <span>
              {change === 'deleted' || kind === 'directory' ? (
                <code>{path}</code>
              ) : (
                <a class="mono" href={addressOf(['sessions', session, 'files', ...path.split('/')])}>
                  {path}
                </a>
              )}{' '}
              <span class="soft">{size === null ? '' : bytesText(size)}</span>
            </span>
            {kind !== 'directory' && (
              <Action run={() => restore(session, before, path)}>
                {change === 'created' ? 'Remove it again' : 'Take it back'}
              </Action>
            )}
          </li>
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
        <Action
          tone="quiet danger"
          confirm="Set all files back to before this call? What later calls changed is set back, too. The history keeps it all."
          run={() => restore(session, before, '')}
        >
          Set all files back to before it
        </Action>
      </div>
    </section>
  )
}

/** Sets a path, or with '' all files, back to a commit. What stands now stays in the history. @throws Problem */
export async function restore(session: string, commit: number, path: string): Promise<void> {
  const done = await send<{ restored: boolean; changed: number; commit: number }>('POST', pathOf(session, 'restore'), {
    commit,
    path,
  })
  const to = addressOf(['sessions', session, 'history'], { from: String(done.commit - 1), to: String(done.commit) })
  if (done.restored) say(`Set back: ${plural(done.changed, 'path')} changed.`, to)
  else say('Nothing differs: the files are as they were then.')
}
