import type { Hono } from 'hono'
import * as z from 'zod'
import { unifiedDiff } from '../../../../core/diff/unified.ts'
import { fail } from '../../../../core/failure.ts'
import { sessionName } from '../../../../core/ids.ts'
import { MAX_DIFF_PAGE_CHARS, MAX_DIFF_PATHS } from '../../../../core/limits/history.ts'
import { SESSION as SESSION_WORD, say } from '../../../../core/saying/saying.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { encodePage, pageQuery } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { cursorOf, pathIn } from '../../../path-cursor.ts'
import { looks } from '../files/files-codec.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import { Differences, encodeDifference, pathCursor, placed } from './history-codec.ts'
import { queriedMoment } from './moment-schema.ts'

const DiffQuery = z.strictObject({
  against: z.string().min(1).optional().meta({
    description:
      'Name of another session, such as the one that this is a fork of: what differs between its files and those of this one. `from` is a moment of the other session then; left out: its files as they are now.',
  }),
  from: queriedMoment.meta({
    description: 'Commit before the differences, or name of a snapshot. Left out: the commit before `to`.',
  }),
  to: queriedMoment.meta({
    description: 'Commit after the differences, or name of a snapshot. Left out: the files as they are now.',
  }),
  ...pageQuery(MAX_DIFF_PATHS),
  ...pathCursor,
  ...placed,
  ...looks,
})

const PATCH = 'text/x-diff'

const getDiff = {
  id: 'getDiff',
  tag: 'history',
  summary: 'Get what differs between two commits, a commit and now, or two sessions',
  description:
    `Without from and to: what the newest commit changed. Accept: ${PATCH} gives a unified diff in git's form, for git apply and patch -p1. ` +
    'Files that are no text, or too large, are shown by size and hash; in the unified diff that is a line that begins with #. ' +
    'A page ends after some hundred thousand characters too.',
  scope: 'read',
  params: SESSION,
  query: DiffQuery,
  headers: { Accept: `${PATCH} for a unified diff; JSON comes otherwise.` },
  answers: {
    200: {
      description: 'One page of differences, sorted by path.',
      content: [Differences, { raw: PATCH }],
      headers: { Link: 'Of a unified diff: the next page, as rel="next"; none on the last one.' },
    },
  },
  problems: [400, 404],
  example: { params: { session: 'docs' }, status: 200 },
} satisfies Operation<typeof DiffQuery>

/** Adds what differs between two moments of a session's files. */
export function addDiff(app: Hono<AppEnv>): void {
  route(app, 'get', '/v1/sessions/:session/diff', getDiff, async (c, { services, query }) => {
    const { against, from = null, to = null, path, limit, cursor, look } = query
    const after = cursor === undefined ? {} : { after: pathIn(cursor) }
    const request = { from, to, path, limit, chars: MAX_DIFF_PAGE_CHARS, ...after }
    const session = sessionOf(c, services)
    const page =
      against === undefined
        ? await session.history.diff({ ...request, looks: look })
        : await session.forks.diff({ ...request, against: await existing(services, against) })
    const next = page.next === null ? null : cursorOf(page.next)
    c.header('Vary', 'Accept')
    if (!wantsPatch(c.req.header('Accept') ?? ''))
      return c.json({ ...encodePage(page.files.map(encodeDifference), next), from: page.from, to: page.to })
    if (next !== null) {
      const more = new URL(c.req.url)
      more.searchParams.set('cursor', next)
      // What was compared now is compared further on, too.
      more.searchParams.set('from', String(page.from))
      more.searchParams.set('to', String(page.to))
      c.header('Link', `<${more.pathname}${more.search}>; rel="next"`)
    }
    return c.body(unifiedDiff(page.files), 200, {
      'Content-Type': `${PATCH}; charset=utf-8`,
      'Content-Disposition': 'attachment; filename="changes.diff"',
      'X-Content-Type-Options': 'nosniff',
    })
  })
}

/** Name of a session that there is, and that the caller's key may use. @throws FailureError `forbidden`, `not_found` */
async function existing(services: Services, given: string): Promise<string> {
  const name = sessionName(given)
  if ((await services.session(name).info()) === null)
    fail('not_found', say`there is no ${SESSION_WORD} ${name} to compare with; list them to see which there are`)
  return name
}

const wantsPatch = (accept: string) =>
  accept
    .split(',')
    .some((type) =>
      ['text/x-diff', 'text/x-patch', 'text/*'].includes(type.split(';', 1)[0]?.trim().toLowerCase() ?? ''),
    )
