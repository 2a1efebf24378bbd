import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { MAX_HUMAN_TASKS } from '../../../../core/limits/sessions.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import {
  encodeHeld,
  encodeOneMore,
  numberedPageQuery,
  PageOf,
  pageQuery,
  placeInTime,
} from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import { Answer, encodeOpenQuestion, encodeQuestion, OpenQuestionItem, Question } from './questions-codec.ts'

const tag = 'questions'
const params = { ...SESSION, question: 'Id of the question.' }

const OpenQuery = z.strictObject(numberedPageQuery(200))
const SessionQuery = z.strictObject({
  ...pageQuery(MAX_HUMAN_TASKS),
  state: z.enum(['open', 'answered']).optional().meta({ description: 'Left out: both.' }),
})

const LIST_OPEN: Operation<typeof OpenQuery> = {
  id: 'listOpenQuestions',
  tag,
  summary: 'List the questions that wait for a person, newest first',
  description:
    'Those of all sessions, as the sessions last reported them, a moment late. An agent asks by the tool `human_in_loop`, whose call waits for the answer.',
  scope: 'read',
  query: OpenQuery,
  answers: { 200: { description: 'One page.', content: PageOf(OpenQuestionItem) } },
  problems: [400],
  example: { status: 200 },
}

const LIST: Operation<typeof SessionQuery> = {
  id: 'listQuestions',
  tag,
  summary: 'List the questions of a session, oldest first',
  description: `Answered ones too. A session keeps ${MAX_HUMAN_TASKS}: the oldest answered ones go first.`,
  scope: 'read',
  params: SESSION,
  query: SessionQuery,
  answers: { 200: { description: 'One page.', content: PageOf(Question) } },
  problems: [400, 404],
  example: { params: { session: 'otters' }, query: { state: 'open' }, status: 200 },
}

const GET: Operation = {
  id: 'getQuestion',
  tag,
  summary: 'Get a question',
  scope: 'read',
  params,
  answers: { 200: { description: 'The question as it is now.', content: Question } },
  problems: [400, 404],
  example: { params: { session: 'otters', question: 'c0ffee00-0000-4000-8000-000000000001' }, status: 200 },
}

const ANSWER: Operation<never, typeof Answer> = {
  id: 'answerQuestion',
  tag,
  summary: 'Answer a question',
  description:
    'The call that asks goes on with the answer at once. An answer stands: the same one again changes nothing, and another one is a conflict.',
  scope: 'execute',
  params,
  body: Answer,
  answers: { 200: { description: 'The question after it.', content: Question } },
  problems: [400, 404, 409, 413],
  example: {
    params: { session: 'otters', question: 'c0ffee00-0000-4000-8000-000000000001' },
    body: { text: 'Yes, delete it.' },
    status: 200,
  },
}

/** `/v1/questions` and `/v1/sessions/{session}/questions`: what agents ask people, and the answers. */
export function addQuestions(app: Hono<AppEnv>): void {
  const ONE = '/v1/sessions/:session/questions/:question'

  route(app, 'get', '/v1/questions', LIST_OPEN, async (c, { services, query: { limit, cursor } }) => {
    const before = cursor === undefined ? {} : { before: cursor }
    const questions = await services.questions.list({ limit: limit + 1, ...before })
    return c.json(encodeOneMore(questions, limit, encodeOpenQuestion, ({ place }) => place))
  })

  route(app, 'get', '/v1/sessions/:session/questions', LIST, async (c, { services, query: { state, ...page } }) => {
    const tasks = await sessionOf(c, services).people.list()
    const wanted = tasks.filter(
      ({ completedAt }) => state === undefined || (completedAt === null) === (state === 'open'),
    )
    return c.json(encodeHeld(wanted.map(encodeQuestion), page, placeInTime))
  })

  route(app, 'get', ONE, GET, async (c, { services }) => {
    const id = c.req.param('question')
    const task = (await sessionOf(c, services).people.list()).find((one) => one.id === id)
    return c.json(encodeQuestion(task ?? fail('not_found', `there is no question ${id} in this session; list them`)))
  })

  route(app, 'post', `${ONE}/answer`, ANSWER, async (c, { services, body: { text } }) =>
    c.json(
      encodeQuestion(
        await sessionOf(c, services).people.answer(c.req.param('question'), { completed: true, result: text }),
      ),
    ),
  )
}
