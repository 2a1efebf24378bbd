import { Copy } from '../../parts/action.tsx'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Empty, Loading } from '../../parts/states.tsx'
import { Text } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { readWaiting, type WaitingQuestion } from '../../parts/waiting.ts'
import { WindowList } from '../../parts/window-list.tsx'

/** Milliseconds between two looks for new questions. */
const REFRESH_MS = 2_000

/** What agents ask people, in all sessions: the questions that nobody has answered yet. */
export function PeoplePage() {
  const questions = usePages<WaitingQuestion>('questions', readWaiting, { idOf: idOfQuestion, everyMs: REFRESH_MS })
  return (
    <>
      <div class="page-head">
        <h1>People</h1>
      </div>
      {questions.problem && <ProblemView problem={questions.problem} retry={() => void questions.reload()} />}
      {!questions.items && !questions.problem && <Loading />}
      {questions.items?.length === 0 && <NoQuestions />}
      {questions.items && questions.items.length > 0 && (
        <>
          <div class="row question-row row-head" aria-hidden="true">
            <span>Question</span>
            <span>Session</span>
            <span class="number">Asked</span>
          </div>
          <WindowList
            label="Questions"
            items={questions.items}
            idOf={idOfQuestion}
            next={questions.next}
            rowHeight={64}
          >
            {(question) => (
              <a class="row question-row" href={addressOf(['people', question.session, question.id])}>
                <strong class="cut">{question.text}</strong>
                <span class="cut soft">{question.session}</span>
                <span class="number soft">
                  <Ago at={question.created_at} />
                </span>
              </a>
            )}
          </WindowList>
        </>
      )}
    </>
  )
}

const idOfQuestion = ({ session, id }: WaitingQuestion): string => `${session} ${id}`

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
