import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Action } from '../../../parts/action.tsx'
import { addressOf } from '../../../parts/location.ts'
import { questionOf } from './later-changes.ts'
import { restore } from './restore.tsx'
import type { MadeChange, Since } from './since.ts'

interface TakeBackProps {
  readonly session: string
  readonly made: MadeChange
  /** What became of the path; undefined while that is unknown. */
  readonly since: Since | undefined
  /** Moment in words to which the path goes. */
  readonly to: string
  /** Words of the button. */
  readonly children: ComponentChildren
}

/** The way back of one changed path: a button or, where the path is as it was before, the commit of which that is so. */
export function TakeBack({ session, made: { path, before, after }, since, to, children }: TakeBackProps) {
  const commit = useRef<HTMLAnchorElement>(null)
  const isPressed = useRef(false)
  const isBack = since?.isBack ?? false
  useEffect(() => {
    // The button that had the focus is gone.
    if (isBack && isPressed.current) commit.current?.focus()
    isPressed.current = false
  }, [isBack])
  if (since?.isBack && since.last !== null) {
    return (
      <span class="taken-back" role="status">
        {since.takenBack === null ? 'as before since' : 'taken back in'}{' '}
        <CommitLink session={session} commit={since.takenBack ?? since.last} link={commit} />
      </span>
    )
  }
  return (
    <Action
      confirm={() => questionOf({ session, path, before, after }, to)}
      run={async () => {
        isPressed.current = true
        const { restored } = await restore(session, before, path).catch((thrown) => {
          isPressed.current = false
          throw thrown
        })
        isPressed.current &&= restored
      }}
    >
      {children}
    </Action>
  )
}

interface ChangedSinceProps {
  readonly session: string
  readonly since: Since | undefined
}

/** Words for what changed a path later, where it is not as it was before; nothing for no such change. */
export function ChangedSince({ session, since }: ChangedSinceProps) {
  if (!since || since.last === null || since.isBack) return null
  const { last, takenBack } = since
  return (
    <>
      {takenBack !== null && (
        <>
          taken back in <CommitLink session={session} commit={takenBack} />,{' '}
        </>
      )}
      {takenBack === null ? 'changed again in' : 'changed since in'} <CommitLink session={session} commit={last} />
    </>
  )
}

interface CommitLinkProps {
  readonly session: string
  readonly commit: number
  readonly link?: RefObject<HTMLAnchorElement | null>
}

function CommitLink({ session, commit, link }: CommitLinkProps) {
  const query = { from: String(commit - 1), to: String(commit) }
  return (
    <a ref={link ?? null} href={addressOf(['sessions', session, 'history'], query)}>
      commit {commit}
    </a>
  )
}
