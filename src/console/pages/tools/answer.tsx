import { useLayoutEffect, useRef } from 'preact/hooks'
import { get } from '../../api.ts'
import { bringTo } from '../../parts/bring-to.ts'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Loading } from '../../parts/states.tsx'
import { Facts, Files, Result } from '../session/calls/call.tsx'
import { CallBadge } from '../session/calls/call-badge.tsx'
import { isRunning, useCommitsOf } from '../session/calls/files-of-call.tsx'
import { Output } from '../session/calls/output.tsx'
import { type Call, pathOf } from '../session/types.ts'
import type { StartedCall } from './types.ts'

interface AnswerProps {
  readonly session: string
  readonly started: StartedCall
  /** Whether the call was made just now, and not before the page was left. */
  readonly isNew: boolean
}

/** What became of a call that was begun here: its output while it runs, its answer, receipt and files. */
export function Answer({ session, started, isNew }: AnswerProps) {
  const id = started.call_id
  const place = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (isNew) bringTo(place.current)
  }, [])
  const call = useResource(id && `call ${JSON.stringify([session, id])}`, (signal) =>
    get<Call>(pathOf(session, 'calls', id ?? ''), {}, signal),
  )
  const { value } = call
  const commits = useCommitsOf(session, id, isRunning(value))
  if (!id) {
    return (
      <section ref={place} tabIndex={-1} class="stack" aria-label="Answer">
        <div class="row-actions">
          <h2>Answer</h2>
          <CallBadge call={started} />
        </div>
        <pre class="text bad">{started.error?.message ?? started.text}</pre>
        <Ways session={session} id={null} />
      </section>
    )
  }
  return (
    <section ref={place} tabIndex={-1} class="stack" aria-label="Answer">
      <div class="row-actions">
        <h2>Answer</h2>
        {value && <CallBadge call={value} />}
      </div>
      <Ways session={session} id={id} />
      {call.problem && <ProblemView problem={call.problem} retry={() => void call.reload()} />}
      {!value && !call.problem && <Loading lines={3} />}
      {value && isRunning(value) && <Output session={session} call={value} ended={call.reload} />}
      {value && !isRunning(value) && <Result call={value} />}
      {value && <Facts session={session} call={value} />}
      {value && <Files session={session} call={value} commits={commits} />}
    </section>
  )
}

/** The ways from an answer to the page of its call, and to the session that it was made in. */
function Ways({ session, id }: { readonly session: string; readonly id: string | null }) {
  return (
    <div class="row-actions">
      {id && (
        <a class="button" href={addressOf(['sessions', session, 'calls', id])}>
          Open the call
        </a>
      )}
      <a class="button cut" href={addressOf(['sessions', session, 'calls'])} title={session}>
        Open its session
      </a>
    </div>
  )
}
