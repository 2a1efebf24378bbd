import type { Context, Hono } from 'hono'
import { FailureError, fail } from '../../../../core/failure.ts'
import { newSessionName, sessionName } from '../../../../core/ids.ts'
import { expiryOf } from '../../../../core/session-settings.ts'
import type { SessionApi, SessionView } from '../../../../session/api.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { encodePage, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { refuseInternet } from './internet.ts'
import { SESSION, sessionOf } from './session-path.ts'
import { encodeListed, encodeSession, ListedSession, Session } from './sessions-codec.ts'
import {
  ChangedSession,
  CreateQuery,
  decodeChanges,
  decodeNew,
  decodeOwnInternet,
  decodeQuery,
  encodeCursor,
  ListQuery,
  NewSession,
  PauseQuery,
} from './sessions-input.ts'

const tag = 'sessions'
const example = { params: { session: 'example' }, status: 200 }
const LOCATION = { Location: 'Path of the session.' }

const CREATE: Operation<typeof CreateQuery, typeof NewSession> = {
  id: 'createSession',
  tag,
  summary: 'Create a session',
  description:
    'Makes no sandbox: the first call that runs something does, or a resume. An agent works in `code_run/`; `upload/` is for files that are given.',
  scope: 'execute',
  query: CreateQuery,
  body: NewSession,
  answers: {
    200: { description: 'There was one of that name, and if_exists=return.', content: Session, headers: LOCATION },
    201: { description: 'The new session.', content: Session, headers: LOCATION },
  },
  problems: [400, 409, 413],
  example: { body: { name: 'otters', labels: { env: 'test' }, idle_lifetime_seconds: 86_400 }, status: 201 },
}

const LIST: Operation<typeof ListQuery> = {
  id: 'listSessions',
  tag,
  summary: 'List sessions, newest first',
  description: 'State and use are as the sessions last reported them, some seconds late.',
  scope: 'read',
  query: ListQuery,
  answers: { 200: { description: 'One page.', content: PageOf(ListedSession) } },
  problems: [400],
  example: { query: { labels: 'env:test', limit: '10' }, status: 200 },
}

const GET: Operation = {
  id: 'getSession',
  tag,
  summary: 'Get a session',
  scope: 'read',
  params: SESSION,
  answers: { 200: { description: 'The session as it is now.', content: Session } },
  problems: [400, 404],
  example,
}

const UPDATE: Operation<never, typeof ChangedSession> = {
  id: 'updateSession',
  tag,
  summary: 'Change a session',
  description:
    'What is left out stays. Another `internet` is in force at once: the sandbox ends, with its files taken over, and the next call gets a new one; while calls run in it that is a conflict.',
  scope: 'execute',
  params: SESSION,
  body: ChangedSession,
  answers: { 200: { description: 'The session after it.', content: Session } },
  problems: [400, 404, 409, 502],
  example: { ...example, body: { title: 'Otters', labels: { env: null, team: 'a' } } },
}

const DELETE: Operation = {
  id: 'deleteSession',
  tag,
  summary: 'Delete a session',
  description: 'Ends what runs in it, and removes its files, history and sandbox. There is no way back.',
  scope: 'execute',
  params: SESSION,
  answers: { 204: { description: 'It is gone.' } },
  problems: [400, 404],
  example: { ...example, status: 204 },
}

const PAUSE: Operation<typeof PauseQuery> = {
  id: 'pauseSession',
  tag,
  summary: 'Pause the sandbox of a session',
  description:
    'Takes its files over and stops its processes, which stay in memory. It holds no one back: the next call that needs the sandbox wakes it. Without a sandbox nothing changes, and the session is `ready`.',
  scope: 'execute',
  params: SESSION,
  query: PauseQuery,
  answers: { 200: { description: 'The session after it: `paused`, or `ready`.', content: Session } },
  problems: [400, 404, 409, 502],
  example,
}

const RESUME: Operation = {
  id: 'resumeSession',
  tag,
  summary: 'Have the sandbox of a session run',
  description:
    'Wakes a paused sandbox, or makes one, so that the next call does not wait for it. It is paused again when no call comes for a while.',
  scope: 'execute',
  params: SESSION,
  answers: { 200: { description: 'The session, which is `running`.', content: Session } },
  problems: [400, 404, 502],
  example,
}

/** `/v1/sessions`: sessions, their settings, their lifetimes, and the pause of their sandboxes. */
export function addSessions(app: Hono<AppEnv>): void {
  route(app, 'post', '/v1/sessions', CREATE, async (c, { services, query, body }) => {
    const name = body.name === undefined ? newSessionName() : sessionName(body.name)
    const policies = await services.internetPolicies()
    refuseInternet(decodeOwnInternet(body.internet), policies, services)
    const session = services.session(name)
    const made = await session.create(decodeNew(name, body, policies))
    if ('failure' in made) throw new FailureError(made.failure)
    const path = `/v1/sessions/${encodeURIComponent(name)}`
    if (!made.created && query.if_exists !== 'return') {
      fail(
        'conflict',
        `there is a session ${name} already, which GET ${path} shows; take it as it is by ?if_exists=return, or give another name`,
      )
    }
    const view = await session.life.look()
    return c.json(encodeSession(view, services.environment, policies), made.created ? 201 : 200, { Location: path })
  })

  route(app, 'get', '/v1/sessions', LIST, async (c, { services, query }) => {
    const { sessions, more } = await services.tenant.sessions.browse(decodeQuery(query))
    const last = more ? sessions.at(-1) : undefined
    const policies = await services.internetPolicies()
    const data = sessions.map((one) => encodeListed(one, expiryOf(one.settings, one)?.at ?? null, policies))
    return c.json(encodePage(data, last && encodeCursor(last)))
  })

  route(app, 'get', '/v1/sessions/:session', GET, (c, { services }) => answer(c, services, ({ life }) => life.look()))

  route(app, 'patch', '/v1/sessions/:session', UPDATE, async (c, { services, body }) => {
    const changes = decodeChanges(body)
    refuseInternet(changes.internet, await services.internetPolicies(), services)
    return answer(c, services, ({ life }) => life.change(changes))
  })

  route(app, 'delete', '/v1/sessions/:session', DELETE, async (c, { services }) => {
    if (!(await sessionOf(c, services).remove())) fail('session_not_found', 'there is no such session')
    return c.body(null, 204)
  })

  route(app, 'post', '/v1/sessions/:session/pause', PAUSE, (c, { services, query }) =>
    answer(c, services, ({ life }) => life.pause(query.force === 'true')),
  )

  route(app, 'post', '/v1/sessions/:session/resume', RESUME, (c, { services }) =>
    answer(c, services, ({ life }) => life.resume()),
  )
}

async function answer(
  c: Context<AppEnv>,
  services: Services,
  work: (session: SessionApi) => Promise<SessionView>,
): Promise<Response> {
  const policies = await services.internetPolicies()
  return c.json(encodeSession(await work(sessionOf(c, services)), services.environment, policies))
}
