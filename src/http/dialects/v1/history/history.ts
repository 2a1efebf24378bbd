import type { Hono } from 'hono'
import * as z from 'zod'
import { COMMIT_CHANGES_SHOWN, MAX_LISTED_COMMITS } from '../../../../core/limits/history.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { encodePage, numberedPageQuery } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { cursorOf, pathIn } from '../../../path-cursor.ts'
import { looks } from '../files/files-codec.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import {
  ChangesQuery,
  CommitChanges,
  CommitPage,
  encodeChange,
  encodeChanges,
  encodeCommit,
  placed,
} from './history-codec.ts'
import { momentIn } from './moment-schema.ts'

const HISTORY = '/v1/sessions/:session/history'

const CommitsQuery = z.strictObject({
  ...numberedPageQuery(MAX_LISTED_COMMITS),
  ...placed,
  ...looks,
  author: z.string().min(1).max(200).optional().meta({ description: 'Commits of this author alone, such as a call.' }),
})

const listCommits = {
  id: 'listCommits',
  tag: 'history',
  summary: "List the history of a session's files, newest commit first",
  description:
    'Every change of files is one commit: who made it, by which call, when, and what it changed. Its number is what as_of, diff and ' +
    'restore take. Commits are kept for a week.',
  scope: 'read',
  params: SESSION,
  query: CommitsQuery,
  answers: { 200: { description: 'One page of commits.', content: CommitPage } },
  problems: [400, 404],
  example: { params: { session: 'docs' }, status: 200 },
} satisfies Operation<typeof CommitsQuery>

const getCommit = {
  id: 'getCommit',
  tag: 'history',
  summary: 'Get one commit with all that it changed',
  description: 'Its changes come in pages, sorted by path. What is in the files is shown by the diff with to=COMMIT.',
  scope: 'read',
  params: { ...SESSION, commit: 'Number of the commit, or name of its snapshot.' },
  query: ChangesQuery,
  answers: { 200: { description: 'The commit, and one page of its changes.', content: CommitChanges } },
  problems: [400, 404],
  example: { params: { session: 'docs', commit: '1' }, status: 200 },
} satisfies Operation<typeof ChangesQuery>

/** Adds the history of a session's files: its commits, and what each of them changed. */
export function addHistory(app: Hono<AppEnv>): void {
  route(app, 'get', HISTORY, listCommits, async (c, { services, query }) => {
    const { limit, cursor, path, author, look } = query
    const before = cursor === undefined ? {} : { before: cursor }
    const page = {
      path,
      limit,
      shown: COMMIT_CHANGES_SHOWN,
      looks: look,
      ...before,
      ...(author !== undefined && { author }),
    }
    const { commits, next } = await sessionOf(c, services).history.commits(page)
    return c.json(encodePage(commits.map(encodeCommit), next))
  })

  route(app, 'get', `${HISTORY}/:commit`, getCommit, async (c, { services, query }) => {
    const { limit, cursor, path } = query
    const after = cursor === undefined ? {} : { after: pathIn(cursor) }
    const request = { commit: momentIn(c.req.param('commit') ?? ''), path, limit, ...after }
    const { changes, more, ...commit } = await sessionOf(c, services).history.changes(request)
    const last = changes.at(-1)
    const next = more && last ? cursorOf(last.path) : null
    return c.json({ ...encodeChanges(commit), ...encodePage(changes.map(encodeChange), next) })
  })
}
