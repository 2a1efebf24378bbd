import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { get, type Problem, problemOf, send, who } from '../../api.ts'
import { isSchema } from '../../forms/fields.ts'
import { say } from '../../parts/action.tsx'
import { keepFocus } from '../../parts/focus.ts'
import { leftForm, useKeptForm } from '../../parts/kept-form.ts'
import { useKeys } from '../../parts/keys.tsx'
import { addressOf, go } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago, now } from '../../parts/time.tsx'
import { readWaiting } from '../../parts/waiting.ts'
import type { Question } from './types.ts'

/** Milliseconds between two looks whether somebody else has answered. */
const REFRESH_MS = 3_000

interface QuestionViewProps {
  readonly session: string
  readonly id: string
  /** Whether somebody went to this question: the field of its answer has the focus then. */
  readonly isChosen: boolean
}

/** One question of an agent, and its answer. */
export function QuestionView({ session, id, isChosen }: QuestionViewProps) {
  const path = `/v1/sessions/${encodeURIComponent(session)}/questions/${encodeURIComponent(id)}`
  const { value, problem, reload } = useResource(
    `question ${JSON.stringify([session, id])}`,
    (signal) => get<Question>(path, {}, signal),
    { everyMs: REFRESH_MS },
  )
  if (!value) return problem ? <ProblemView problem={problem} retry={() => void reload()} /> : <Loading />
  return (
    <div class="stack">
      {problem && <ProblemView problem={problem} retry={() => void reload()} />}
      <section aria-label="Question">
        <pre class="panel prose">{value.text}</pre>
      </section>
      <Facts session={session} question={value} />
      {value.answered_at ? (
        <section class="stack part" aria-label="The answer">
          <h2>The answer</h2>
          <pre class="panel prose">{value.answer}</pre>
        </section>
      ) : (
        <AnswerForm path={path} session={session} reload={reload} isChosen={isChosen} />
      )}
    </div>
  )
}

function Facts({ session, question }: { readonly session: string; readonly question: Question }) {
  const { created_at, waits_until, answered_at } = question
  const isOver = waits_until !== null && Date.parse(waits_until) < now.value
  return (
    <dl class="facts">
      <div>
        <dt>State</dt>
        <dd>
          <Badge tone={answered_at ? 'good' : 'warn'}>{answered_at ? 'answered' : 'waits'}</Badge>
        </dd>
      </div>
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
          <dt>Open</dt>
          <dd>
            {waits_until === null && 'until it is answered'}
            {waits_until !== null && !isOver && (
              <>
                until <Ago at={waits_until} />
              </>
            )}
            {isOver && 'no more: the agent gets an answer when it asks again'}
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
  readonly isChosen: boolean
}

function AnswerForm({ path, session, reload, isChosen }: AnswerFormProps) {
  const problem = useSignal<Problem | null>(null)
  const busy = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  const text = useSignal(leftAnswer(path))
  useKeptForm(form, { question: path, answer: text.value }, [text.value])
  useKeys({ 'Ctrl+Enter': { label: 'Send the answer' } })
  if (!who.value?.scopes.includes('execute')) {
    return <p class="soft">Your key may read questions, and answers none: that takes the scope “execute”.</p>
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (busy.value) return
    busy.value = true
    problem.value = null
    try {
      keepFocus(form.current)
      await send('POST', `${path}/answer`, { text: text.peek() })
      say('Answered: the agent gets it as the result of its call.', addressOf(['sessions', session, 'calls']))
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
    <form ref={form} onSubmit={(event) => void submit(event)}>
      <label class="field">
        Your answer
        <textarea
          name="text"
          rows={5}
          required
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
          }}
          autofocus={isChosen}
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

/** Answer that was begun and not sent, where this place was left with it. */
function leftAnswer(path: string): string {
  const left = leftForm()
  return isSchema(left) && left.question === path && typeof left.answer === 'string' ? left.answer : ''
}
