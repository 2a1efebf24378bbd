import { send } from '../../../api.ts'
import { Action, say } from '../../../parts/action.tsx'
import { plural } from '../../../parts/format.ts'
import { addressOf } from '../../../parts/location.ts'
import { noteChange } from '../changed.ts'
import { type FileOfCall, pathOf } from '../types.ts'

interface Restored {
  readonly restored: boolean
  readonly changed: number
  readonly commit: number
  readonly changes: readonly FileOfCall[]
}

/** Sets a path, or with '' all files, back to a commit, and tells of it. The state until now stays in the history. @throws Problem */
export async function restore(session: string, commit: number, path: string): Promise<Restored> {
  const done = await send<Restored>('POST', pathOf(session, 'restore'), { commit, path })
  noteChange()
  if (done.restored) say(wordsFor(done, commit, path), placeOf(session, done, path))
  else say(`Nothing differs: ${path || 'each file'} is as it was then.`)
  return done
}

/** Address of what a restore brought back: the file or directory or, where that is several or none, what differs. */
function placeOf(session: string, { commit, changes }: Restored, path: string): string {
  const one = changes.find((change) => change.path === path && change.change !== 'deleted')
  if (one) {
    const end = one.kind === 'directory' ? [''] : []
    return addressOf(['sessions', session, 'files', ...path.split('/'), ...end])
  }
  return addressOf(['sessions', session, 'history'], { from: String(commit - 1), to: String(commit) })
}

function wordsFor({ changed, changes }: Restored, commit: number, path: string): string {
  if (path === '')
    return `Set back: all files are as they were ${momentText(commit)}, ${plural(changed, 'path')} changed.`
  const isGone = changes.some((one) => one.path === path && one.change === 'deleted')
  return isGone ? `Removed again: ${path}.` : `Set back: ${path} is as it was ${momentText(commit)}.`
}

/** Words for the moment after a commit. */
const momentText = (commit: number): string => (commit === 0 ? 'before the first commit' : `at commit ${commit}`)

interface SetAllBackProps {
  readonly session: string
  readonly commit: number
  /** Number of the newest commit; undefined until it is known. */
  readonly newest: number | undefined
  /** Called with the commit that restored, when it is done. */
  readonly done?: (commit: number) => void
}

/** Sets all files of a session back to a commit, after asking. At the newest one there is nothing to set back. */
export function SetAllBack({ session, commit, newest, done }: SetAllBackProps) {
  const question = `Set all files back to what they were ${momentText(commit)}? All that changed since is set back, too. The present state stays in the history.`
  const run = async () => {
    const { commit: restored } = await restore(session, commit, '')
    done?.(restored)
  }
  return (
    <Action
      tone="danger"
      confirm={question}
      disabled={newest === undefined || commit >= newest}
      title={commit === newest ? 'The files are as they were then: this is the newest commit.' : undefined}
      run={run}
    >
      Set all files back to {commit === 0 ? 'the start' : `commit ${commit}`}
    </Action>
  )
}
