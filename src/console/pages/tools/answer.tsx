import { get } from '../../api.ts'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Loading } from '../../parts/states.tsx'
import { Facts, Files, Output, Result } from '../session/call.tsx'
import { CallBadge } from '../session/call-badge.tsx'
import { isRunning, useCommitsOf } from '../session/take-back.tsx'
import { type Call, pathOf } from '../session/types.ts'
import type { StartedCall } from './types.ts'

interface AnswerProps {
  readonly session: string
  readonly started: StartedCall
}

/** What became of a call that was begun here: its output while it runs, its answer, receipt and files. */
export function Answer({ session, started }: AnswerProps) {
  const id = started.call_id
  const call = useResource(id && `call ${JSON.stringify([session, id])}`, (signal) =>
    get<Call>(pathOf(session, 'calls', id ?? ''), {}, signal),
  )
  const { value } = call
  const commits = useCommitsOf(session, id, isRunning(value))
  if (!id) {
    return (
      <section class="stack" aria-label="Answer">
        <CallBadge call={started} />
        <pre class="text bad">{started.error?.message ?? started.text}</pre>
      </section>
    )
  }
  return (
    <section class="stack" aria-label="Answer">
      <div class="row-actions">
        <h2>Answer</h2>
        {value && <CallBadge call={value} />}
        <a href={addressOf(['sessions', session, 'calls', id])}>In its session</a>
      </div>
      {call.problem && <ProblemView problem={call.problem} retry={() => void call.reload()} />}
      {!value && !call.problem && <Loading lines={3} />}
      {value && isRunning(value) && <Output session={session} call={value} ended={call.reload} />}
      {value && !isRunning(value) && <Result call={value} />}
      {value && <Facts session={session} call={value} />}
      {value && <Files session={session} call={value} commits={commits} />}
    </section>
  )
}
