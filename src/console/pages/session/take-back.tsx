import { get, type Listed, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { bytesText, plural } from '../../parts/format.ts'
import { addressOf } from '../../parts/location.ts'
import { useResource } from '../../parts/resource.ts'
import { Badge } from '../../parts/states.tsx'
import { CHANGE_TONES, type Commit, pathOf } from './types.ts'

/** Newest commits among which that of a call is looked for. */
const COMMITS_MAX = 200

/** Files that a call changed, each with the way back to what it was before. */
export function FilesOfCall({ session, author }: { readonly session: string; readonly author: string }) {
  const { value } = useResource(`commit by ${JSON.stringify([session, author])}`, async (signal) => {
    const { data } = await get<Listed<Commit>>(pathOf(session, 'history'), { limit: COMMITS_MAX }, signal)
    return data.find((commit) => commit.author === author) ?? null
  })
  if (!value) return null
  const before = value.commit - 1
  return (
    <section class="stack">
      <h3>Files changed</h3>
      <ul class="changes">
        {value.changes.map(({ path, change, size, kind }) => (
          <li key={path} class="row-actions">
            <Badge tone={CHANGE_TONES[change]}>{change}</Badge>
            {change === 'deleted' || kind === 'directory' ? (
              <code>{path}</code>
            ) : (
              <a class="mono" href={addressOf(['sessions', session, 'files', ...path.split('/')])}>
                {path}
              </a>
            )}
            <span class="soft">{size === null ? '' : bytesText(size)}</span>
            {kind !== 'directory' && (
              <Action run={() => restore(session, before, path)}>
                {change === 'created' ? 'Remove it again' : 'Take it back'}
              </Action>
            )}
          </li>
        ))}
      </ul>
      {value.more_changes > 0 && <p class="soft">and {plural(value.more_changes, 'more path')}</p>}
      <div class="row-actions">
        <a
          class="button"
          href={addressOf(['sessions', session, 'history'], { from: String(before), to: String(value.commit) })}
        >
          What changed, line by line
        </a>
        <Action
          tone="danger"
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
