import type { Context, Hono } from 'hono'
import type { LinkClaims } from '../../../../auth/link-signer.ts'
import { FailureError, fail } from '../../../../core/failure.ts'
import type { SessionApi } from '../../../../session/api.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { GuardedOperation } from '../../../operations/operation.ts'
import { guardedRoute } from '../../../operations/route.ts'
import { methodResponse, problemResponse } from '../../../problem.ts'
import { announcedHash } from './digests.ts'
import { conditionsOf } from './entity-tags.ts'
import { answerOfFile, readingOf, special } from './file-answers.ts'
import { sendFile } from './file-body.ts'
import { encodeEntry } from './files-codec.ts'
import { COMMIT, getFile, putFile } from './files-operations.ts'
import type { LinkParts } from './link-parts.ts'

/** Content of a file, whose type is that of its name. */
const ANY_TYPE = { raw: '*/*' }
const TOKEN = '/v1/links/:token'
const words = {
  tag: 'files',
  description: 'The URL of a link has all that it needs: no key is asked for.',
  params: { token: 'Text of the link, as it came in its URL.' },
  problems: [403, 404, 405, 410, 412],
}

const openLink = {
  ...words,
  id: 'downloadByLink',
  summary: 'Download the file of a link',
  headers: getFile.headers,
  answers: {
    200: { description: 'The file.', content: ANY_TYPE },
    206: { description: 'The part that Range asks for.', content: ANY_TYPE },
    304: getFile.answers[304],
  },
  problems: [...words.problems, 416],
  example: { params: { token: 'none' }, status: 404 },
} satisfies GuardedOperation

const fillLink = {
  ...words,
  id: 'uploadByLink',
  summary: 'Upload the file of a link',
  headers: putFile.headers,
  body: { raw: 'application/octet-stream' },
  answers: {
    200: putFile.answers[200],
    201: putFile.answers[201],
  },
  problems: [...words.problems, 409],
  example: { params: { token: 'none' }, body: 'hello', status: 404 },
} satisfies GuardedOperation

/**
 * Adds `GET` and `PUT /v1/links/{token}`: what a signed link allows, for whoever has it. No key is asked for, so the signature is
 * checked before anything else is done.
 */
export function addOpenedLinks(app: Hono<AppEnv>, parts: LinkParts): void {
  const anyone = { credentials: [], allow: () => {} }
  guardedRoute(app, 'get', TOKEN, anyone, openLink, (c) => opened(c, parts, 'download', download))
  guardedRoute(app, 'put', TOKEN, anyone, fillLink, (c) => opened(c, parts, 'upload', upload))
}

/** Answers a request by a link that is valid. */
async function opened(
  c: Context<AppEnv>,
  { linkSigner, linked }: LinkParts,
  method: LinkClaims['method'],
  answer: (c: Context<AppEnv>, session: SessionApi, claims: LinkClaims) => Promise<Response>,
): Promise<Response> {
  const claims = await linkSigner?.verify(c.req.param('token') ?? '')
  if (!claims) fail('not_found', 'there is no such link; check that it was copied whole')
  const allowed = claims.method === 'upload' ? 'PUT' : 'GET, HEAD'
  if (claims.method !== method) return methodResponse(c.req.raw.method, allowed, c.env.requestId)
  if (Date.now() >= claims.expiresAt) return gone(c)
  const { caller } = c.env
  const isOwn = 'principal' in caller && caller.principal.tenant === claims.tenant
  const link = await linked(claims, c.req.raw, isOwn)
  if (!link) return gone(c)
  try {
    if (!(await link.session.links.isValid(claims.id))) return gone(c)
    const response = await answer(c, link.session, claims)
    response.headers.set('Cache-Control', 'private, no-store')
    return response
  } catch (thrown) {
    if (thrown instanceof FailureError && thrown.failure.code === 'session_not_found') return gone(c)
    throw thrown
  } finally {
    link.release()
  }
}

async function download(c: Context<AppEnv>, { files }: SessionApi, { path }: LinkClaims): Promise<Response> {
  const { raw } = c.req
  const answer = await files.read({ ...readingOf(raw), path, asOf: null })
  return answerOfFile(answer, raw, c.env.requestId) ?? fail('not_found', 'what the link led to is no file any more')
}

async function upload(c: Context<AppEnv>, session: SessionApi, { id, path, maxBytes }: LinkClaims): Promise<Response> {
  const { headers } = c.req.raw
  const change = { ...conditionsOf(headers), path, author: `link:${id}`, sha256: announcedHash(headers) }
  const written = await sendFile(c.req.raw, session, change, maxBytes ?? 0)
  if (written.state === 'condition failed') return otherThere(c)
  const { created, commit, file } = written
  const entry = encodeEntry(file)
  const own = { ETag: entry.etag ?? '', [COMMIT]: String(commit) }
  return c.json({ ...entry, created, commit }, created ? 201 : 200, own)
}

/** Answer to an upload whose conditions do not hold. The ETag of what is there is its hash, which is for those who may read it. */
const otherThere = (c: Context<AppEnv>) =>
  problemResponse(
    special(c.env.requestId, {
      status: 412,
      title: 'Precondition failed',
      code: 'precondition_failed',
      detail: 'what is there now does not fit the conditions of this request, and this link does not show it',
      hint: 'send it without If-Match, If-None-Match and If-Unmodified-Since to replace what is there',
    }),
  )

const gone = (c: Context<AppEnv>) =>
  problemResponse(
    special(c.env.requestId, {
      status: 410,
      title: 'Gone',
      code: 'gone',
      detail: 'this link has expired or was revoked, or its session is gone',
      hint: 'ask whoever gave you the link for a new one',
    }),
  )
