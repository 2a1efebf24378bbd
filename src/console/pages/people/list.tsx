import { useRef } from 'preact/hooks'
import { Copy } from '../../parts/action.tsx'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Empty, Loading } from '../../parts/states.tsx'
import { Text } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { readWaiting, type WaitingQuestion } from '../../parts/waiting.ts'
import { WindowList } from '../../parts/window-list.tsx'
import { QuestionView } from './question-view.tsx'

/** Milliseconds between two looks for new questions. */
const REFRESH_MS = 2_000

interface ChosenQuestion {
  readonly session: string
  readonly id: string
}

/** What agents ask people, in all sessions, with the newest question beside the list where there is room. */
export function PeoplePage() {
  return <Questions chosen={null} />
}

/** The questions that nobody has answered yet, and one of them with its answer. */
export function Questions({ chosen }: { readonly chosen: ChosenQuestion | null }) {
  const questions = usePages<WaitingQuestion>('questions', readWaiting, { idOf: idOfQuestion, everyMs: REFRESH_MS })
  // Once shown a question stays until it is answered, whatever comes meanwhile: somebody may be typing.
  const stays = useRef('')
  const beside = chosen ?? questions.items?.find((one) => idOfQuestion(one) === stays.current) ?? questions.items?.[0]
  stays.current = beside ? idOfQuestion(beside) : ''
  const isWaiting = (questions.items?.length ?? 0) > 0
  return (
    <>
      <div class="page-head">
        <h1>
          {chosen ? (
            <a class="soft" href="/console/people">
              People
            </a>
          ) : (
            'People'
          )}
          {chosen && (
            <>
              <span class="slash"> / </span>a question of {chosen.session}
            </>
          )}
        </h1>
      </div>
      {questions.problem && <ProblemView problem={questions.problem} retry={() => void questions.reload()} />}
      {!questions.items && !questions.problem && !chosen && <Loading />}
      {questions.items?.length === 0 && !chosen && <NoQuestions />}
      {(isWaiting || chosen) && (
        <div class={`split questions ${chosen ? 'one' : 'all'}`}>
          {isWaiting ? (
            <WindowList
              label="Questions"
              items={questions.items ?? []}
              idOf={idOfQuestion}
              next={questions.next}
              rowHeight={64}
              box="beside"
            >
              {(question) => (
                <a
                  class="row question-row"
                  href={addressOf(['people', question.session, question.id])}
                  aria-current={question.id === beside?.id && question.session === beside.session ? 'true' : undefined}
                >
                  <span class="cut">
                    <strong>{question.text}</strong>
                    <br />
                    <span class="soft">{question.session}</span>
                  </span>
                  <span class="number soft">
                    <Ago at={question.created_at} />
                  </span>
                </a>
              )}
            </WindowList>
          ) : (
            <p class="soft beside">{questions.items ? 'No other question waits.' : ''}</p>
          )}
          {beside && <QuestionView key={`${beside.session} ${beside.id}`} {...beside} isChosen={chosen !== null} />}
        </div>
      )}
    </>
  )
}

const idOfQuestion = ({ session, id }: ChosenQuestion): string => `${session} ${id}`

/** Arguments with which an agent asks. */
const EXAMPLE = '{"tool": "human_in_loop", "arguments": {"human_task": "May I delete the old reports?"}}'

function NoQuestions() {
  return (
    <Empty title="Nobody is asked anything">
      <p>
        An agent asks a person by the tool <code>human_in_loop</code>, and its call waits for the answer. Questions of
        all sessions appear here by themselves, and their number beside “People” on every page.
      </p>
      <div class="row-actions">
        <h3>A call that asks</h3>
        <Copy text={EXAMPLE} />
      </div>
      <Text>{EXAMPLE}</Text>
    </Empty>
  )
}
