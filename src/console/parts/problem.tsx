import type { Problem } from '../api.ts'
import { adviceOn } from './advice.ts'

interface ProblemProps {
  readonly problem: Problem
  /** Tries again what failed; without it there is no such button. */
  readonly retry?: (() => void) | undefined
}

/** A problem in words: what went wrong, what to do, and the name of the request in the server's log. */
export function ProblemView({ problem, retry }: ProblemProps) {
  const advice = adviceOn(problem)
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{problem.message}</strong>
      </p>
      {advice && <p>{advice}</p>}
      <p class="soft">
        <code>{problem.code}</code>
        {problem.requestId && <> · request {problem.requestId}</>}
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
