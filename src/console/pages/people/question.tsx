import { useSignal } from '@preact/signals'
import { get, type Problem, problemOf, send, who } from '../../api.ts'
import { say } from '../../parts/action.tsx'
import { addressOf, go } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago, now } from '../../parts/time.tsx'
import { readWaiting } from '../../parts/waiting.ts'
import type { Question } from './types.ts'

/** Milliseconds between two looks whether somebody else has answered. */
const REFRESH_MS = 3_000

/** One question of an agent, and its answer. */
export function QuestionPage({ params }: PageProps) {
  const { session = '', question: id = '' } = params
  const path = `/v1/sessions/${encodeURIComponent(session)}/questions/${encodeURIComponent(id)}`
  const { value, problem, reload } = useResource(
    `question ${JSON.stringify([session, id])}`,
    (signal) => get<Question>(path, {}, signal),
    { everyMs: REFRESH_MS },
  )
  return (
    <>
      <div class="page-head">
        <h1>
          <a class="soft" href="/console/people">
            People
          </a>{' '}
          / a question of {session}
        </h1>
        {value && <Badge tone={value.answered_at ? 'good' : 'warn'}>{value.answered_at ? 'answered' : 'waits'}</Badge>}
      </div>
      {problem && <ProblemView problem={problem} retry={() => void reload()} />}
      {!value && !problem && <Loading />}
      {value && (
        <div class="stack">
          <section aria-label="Question">
            <pre class="panel prose">{value.text}</pre>
          </section>
          <Facts session={session} question={value} />
          {value.answered_at && (
            <section class="stack" aria-label="The answer">
              <h2>The answer</h2>
              <pre class="panel prose">{value.answer}</pre>
            </section>
          )}
          {!value.answered_at && <AnswerForm path={path} session={session} reload={reload} />}
        </div>
      )}
    </>
  )
}

function Facts({ session, question }: { readonly session: string; readonly question: Question }) {
  const { created_at, waits_until, answered_at } = question
  const isOver = waits_until !== null && Date.parse(waits_until) < now.value
  return (
    <dl class="facts">
      <div>
        <dt>Asked</dt>
        <dd>
          <Ago at={created_at} />
        </dd>
      </div>
      <div>
        <dt>Session</dt>
        <dd>
          <a href={addressOf(['sessions', session, 'calls'])}>its calls</a> ·{' '}
          <a href={addressOf(['sessions', session, 'files'])}>its files</a>
        </dd>
      </div>
      {answered_at && (
        <div>
          <dt>Answered</dt>
          <dd>
            <Ago at={answered_at} />
          </dd>
        </div>
      )}
      {!answered_at && (
        <div>
          <dt>The call waits</dt>
          <dd>
            {waits_until === null && 'without end'}
            {waits_until !== null && !isOver && (
              <>
                until <Ago at={waits_until} />
              </>
            )}
            {isOver && 'no more: the agent gets the answer when it asks again'}
          </dd>
        </div>
      )}
    </dl>
  )
}

interface AnswerFormProps {
  readonly path: string
  readonly session: string
  readonly reload: () => Promise<void>
}

function AnswerForm({ path, session, reload }: AnswerFormProps) {
  const problem = useSignal<Problem | null>(null)
  const busy = useSignal(false)
  if (!who.value?.scopes.includes('execute')) {
    return <p class="soft">Your key may read questions, and answers none: that takes the scope “execute”.</p>
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (busy.value) return
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get('text'))
    busy.value = true
    problem.value = null
    try {
      await send('POST', `${path}/answer`, { text })
      say('Answered: the call goes on.', addressOf(['sessions', session, 'calls']))
      go('/console/people')
      void readWaiting(null).catch(() => undefined)
    } catch (thrown) {
      problem.value = problemOf(thrown)
      // Somebody else may have answered meanwhile.
      await reload()
    }
    busy.value = false
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <label class="field">
        Your answer
        <textarea
          name="text"
          rows={5}
          required
          autofocus
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
          }}
        />
        <span class="field-help">
          The agent gets it word for word, as the result of its call. Ctrl-Enter sends it; it cannot be changed then.
        </span>
      </label>
      {problem.value && <ProblemView problem={problem.value} />}
      <button type="submit" class="primary" aria-busy={busy.value}>
        Answer
      </button>
    </form>
  )
}
