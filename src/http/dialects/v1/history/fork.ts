import type { Hono } from 'hono'
import * as z from 'zod'
import { newSessionName, sessionName } from '../../../../core/ids.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { route } from '../../../operations/route.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import { encodeSession, Session } from '../sessions/sessions-codec.ts'
import { NewSession } from '../sessions/sessions-input.ts'
import { Moment } from './moment-schema.ts'

const { name, title, labels } = NewSession.shape

const NewFork = z
  .strictObject({
    name,
    as_of: Moment.optional().meta({
      description: 'Number of a commit, or name of a snapshot; left out: the files as they are now.',
    }),
    title: title.meta({ description: 'A label that people read; left out: that of the session.' }),
    labels: labels.meta({ description: 'Left out: those of the session.' }),
  })
  .meta({ id: 'NewFork' })

const FORK: Operation<never, typeof NewFork> = {
  id: 'forkSession',
  tag: 'sessions',
  summary: 'Make a session with the files of another one',
  description:
    'No bytes are copied. What running commands wrote is taken over first. The new session has the settings, the requirements and the list of packages, and a sandbox of its own when it first needs one; history, snapshots and what runs stay where they are.',
  scope: 'execute',
  params: SESSION,
  body: NewFork,
  bodyIsOptional: true,
  answers: {
    201: { description: 'The new session.', content: Session, headers: { Location: 'Path of the session.' } },
  },
  problems: [400, 404, 409, 413],
  example: { params: { session: 'docs' }, body: { name: 'docs-fork' }, status: 201 },
}

/** `POST /v1/sessions/{session}/fork` makes a session with the files of another one. */
export function addFork(app: Hono<AppEnv>): void {
  route(app, 'post', '/v1/sessions/:session/fork', FORK, async (c, { services, body }) => {
    const name = body.name === undefined ? newSessionName() : sessionName(body.name)
    // Refused before anything is made, for a key that may not use a session of that name.
    const fork = services.session(name)
    const { as_of: moment = null, title, labels } = body
    await sessionOf(c, services).forks.make({
      ...{ name, moment },
      ...(title !== undefined && { title }),
      ...(labels && { labels }),
    })
    const view = await fork.life.look()
    return c.json(encodeSession(view, services.environment, await services.internetPolicies()), 201, {
      Location: `/v1/sessions/${encodeURIComponent(name)}`,
    })
  })
}
