import type { Context, Hono } from 'hono'
import { fail } from '../../../../core/failure.ts'
import { MAX_LISTING_DEPTH } from '../../../../core/limits/files.ts'
import type { Moment } from '../../../../core/moment.ts'
import type { SessionApi } from '../../../../session/api.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { encodePage } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { cursorOf, pathIn } from '../../../path-cursor.ts'
import { sessionOf } from '../sessions/session-path.ts'
import { announcedHash } from './digests.ts'
import { conditionsOf } from './entity-tags.ts'
import { answerOfFile, conditionFailed, readingOf } from './file-answers.ts'
import { sendFile } from './file-body.ts'
import { encodeEntry } from './files-codec.ts'
import { COMMIT, deleteFile, getFile, listFiles, putFile } from './files-operations.ts'

const FILES = '/v1/sessions/:session/files'
/** Path of a file: names in it may have any character, `/` as `%2F` too. */
const FILE = `${FILES}/:path{[\\s\\S]+}`

/** Adds the files of a session: raw contents, and directories as JSON. */
export function addFiles(app: Hono<AppEnv>): void {
  route(app, 'get', FILES, listFiles, (c, { services, query }) => list(c, sessionOf(c, services), '', query))

  route(app, 'get', FILE, getFile, async (c, { services, query }) => {
    const session = sessionOf(c, services)
    const path = pathOf(c)
    if (endsWithSlash(c)) return list(c, session, path, query)
    const { raw } = c.req
    const answer = await session.files.read({ ...readingOf(raw), path, asOf: query.as_of ?? null, looks: query.look })
    return answerOfFile(answer, raw, c.env.requestId) ?? list(c, session, path, query)
  })

  route(app, 'put', FILE, putFile, async (c, { services }) => {
    const { headers } = c.req.raw
    const path = pathOf(c)
    if (endsWithSlash(c)) fail('invalid_input', 'the path ends with "/"; name a file, its directories are made')
    const request = {
      ...conditionsOf(headers),
      path,
      author: authorOf('upload', services),
      sha256: announcedHash(headers),
    }
    const session = sessionOf(c, services)
    const written = await sendFile(c.req.raw, session, request)
    if (written.state === 'condition failed') return conditionFailed(written, c.env.requestId, c.req.raw.headers)
    const { created, commit, file } = written
    const entry = encodeEntry(file)
    return c.json({ ...entry, created, commit }, created ? 201 : 200, {
      ETag: entry.etag ?? '',
      [COMMIT]: String(commit),
    })
  })

  route(app, 'delete', FILE, deleteFile, async (c, { services, query }) => {
    const path = pathOf(c)
    const removed = await sessionOf(c, services).files.remove({
      ...conditionsOf(c.req.raw.headers),
      path,
      author: authorOf('delete', services),
      recursive: query.recursive,
    })
    if (removed.state === 'condition failed') return conditionFailed(removed, c.env.requestId, c.req.raw.headers)
    return c.body(null, 204, { [COMMIT]: String(removed.commit) })
  })
}

interface ListQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly as_of?: Moment | undefined
  readonly look: boolean
  readonly recursive: boolean
  readonly depth?: number | undefined
}

async function list(c: Context<AppEnv>, session: SessionApi, path: string, query: ListQuery): Promise<Response> {
  const { limit, cursor, as_of, look, recursive, depth = recursive ? MAX_LISTING_DEPTH : 1 } = query
  const after = cursor === undefined ? null : pathIn(cursor)
  const { entries, more, commit } = await session.files.list({
    path,
    asOf: as_of ?? null,
    depth,
    limit,
    after,
    looks: look,
  })
  const last = entries.at(-1)
  const next = more && last ? cursorOf(last.path) : null
  return c.json({ ...encodePage(entries.map(encodeEntry), next), commit })
}

/** Author of a commit that no call makes: what was done, and by which key. */
export const authorOf = (what: 'upload' | 'delete' | 'unpack' | 'restore', { key }: Services) =>
  key === null ? what : `${what}:${key}`

/** Whether the path of a request is that of a directory by its end. The router's parameter has lost it. */
const endsWithSlash = (c: Context<AppEnv>): boolean => /(\/|%2f)$/i.test(new URL(c.req.url).pathname)

/** Path of a request. @throws FailureError `invalid_input` for percent-encoding that is no UTF-8 */
function pathOf(c: Context<AppEnv>): string {
  try {
    decodeURIComponent(new URL(c.req.url).pathname)
  } catch (cause) {
    fail('invalid_input', 'the path is not percent-encoded UTF-8; encode each name by encodeURIComponent', { cause })
  }
  return c.req.param('path') ?? ''
}
