import type { Context, Hono } from 'hono'
import { decodeBase64, toBase64Url } from '../../../../core/base64.ts'
import { fail } from '../../../../core/failure.ts'
import { sessionName } from '../../../../core/ids.ts'
import { MAX_LISTING_DEPTH } from '../../../../core/limits/files.ts'
import type { SessionApi } from '../../../../session/api.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { encodePage } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { announcedHash } from './digests.ts'
import { conditionsOf, ifRangeOf } from './entity-tags.ts'
import { conditionFailed, fileResponse, noSuchRange, notModified } from './file-answers.ts'
import { sendFile } from './file-body.ts'
import { encodeCommit, encodeEntry } from './files-codec.ts'
import { deleteFile, getFile, listCommits, listFiles, putFile } from './files-operations.ts'
import { rangeOf } from './ranges.ts'

const FILES = '/v1/sessions/:session/files'
/** Path of a file: names in it may have any character, `/` as `%2F` too. */
const FILE = `${FILES}/:path{[\\s\\S]+}`

/** Adds the files of a session: raw contents, directories as JSON, and their commits. */
export function addFiles(app: Hono<AppEnv>): void {
  route(app, 'get', FILES, listFiles, (c, { services, query }) => list(c, sessionOf(c, services), '', query))

  route(app, 'get', FILE, getFile, async (c, { services, query }) => {
    const session = sessionOf(c, services)
    const path = pathOf(c)
    if (new URL(c.req.url).pathname.endsWith('/')) return list(c, session, path, query)
    const { headers, method } = c.req.raw
    const answer = await session.files.read({
      ...conditionsOf(headers),
      path,
      asOf: query.as_of ?? null,
      range: method === 'HEAD' ? null : rangeOf(headers),
      ifRange: ifRangeOf(headers),
      content: method !== 'HEAD',
    })
    switch (answer.state) {
      case 'found':
        return fileResponse(answer)
      case 'unchanged':
        return notModified(answer.file)
      case 'no such range':
        return noSuchRange(answer.file, c.env.requestId)
      case 'condition failed':
        return conditionFailed(answer, c.env.requestId, c.req.raw.headers)
      case 'directory':
        return list(c, session, path, query)
    }
  })

  route(app, 'put', FILE, putFile, async (c, { services }) => {
    const { headers } = c.req.raw
    const path = pathOf(c)
    if (new URL(c.req.url).pathname.endsWith('/'))
      fail('invalid_input', 'the path ends with "/"; name a file, its directories are made')
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
    return c.json({ ...entry, created, commit }, created ? 201 : 200, { ETag: entry.etag ?? '' })
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
    return c.json({ path, removed: true, commit: removed.commit })
  })

  route(app, 'get', '/v1/sessions/:session/commits', listCommits, async (c, { services, query }) => {
    const { limit, cursor } = query
    const before = cursor === undefined ? {} : { before: numberOf(cursor) }
    const { commits, next } = await sessionOf(c, services).files.commits({ limit, ...before })
    return c.json(encodePage(commits.map(encodeCommit), next))
  })
}

interface ListQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly as_of?: number | undefined
  readonly recursive: boolean
  readonly depth?: number | undefined
}

async function list(c: Context<AppEnv>, session: SessionApi, path: string, query: ListQuery): Promise<Response> {
  const { limit, cursor, as_of, recursive, depth = recursive ? MAX_LISTING_DEPTH : 1 } = query
  const after = cursor === undefined ? null : pathIn(cursor)
  const { entries, more, commit } = await session.files.list({ path, asOf: as_of ?? null, depth, limit, after })
  const last = entries.at(-1)
  const next = more && last ? cursorOf(last.path) : null
  return c.json({ ...encodePage(entries.map(encodeEntry), next), commit })
}

export const sessionOf = (c: Context<AppEnv>, services: Services): SessionApi =>
  services.session(sessionName(c.req.param('session') ?? ''))

/** Author of a commit that no call makes: what was done, and by which key. */
export const authorOf = (what: 'upload' | 'delete' | 'unpack', { key }: Services) =>
  key === null ? what : `${what}:${key}`

/** Path of a request. @throws FailureError `invalid_input` for percent-encoding that is no UTF-8 */
function pathOf(c: Context<AppEnv>): string {
  try {
    decodeURIComponent(new URL(c.req.url).pathname)
  } catch (cause) {
    fail('invalid_input', 'the path is not percent-encoded UTF-8; encode each name by encodeURIComponent', { cause })
  }
  return c.req.param('path') ?? ''
}

const cursorOf = (path: string) => toBase64Url(new TextEncoder().encode(path))

function pathIn(cursor: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decodeBase64(cursor, 'the cursor'))
  } catch (cause) {
    return badCursor(cause)
  }
}

function numberOf(cursor: string): number {
  const number = Number(cursor)
  return Number.isSafeInteger(number) && number > 0 ? number : badCursor()
}

const badCursor = (cause?: unknown): never =>
  fail('invalid_input', 'the cursor is none of this list; send the next_cursor of the page before', { cause })
