import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { MAX_ARCHIVE_BYTES, MAX_ARCHIVE_ENTRIES, MAX_ARCHIVE_UNPACKED_BYTES } from '../../../../core/limits/files.ts'
import { attachment } from '../../../attachment.ts'
import type { AppEnv } from '../../../dialect.ts'
import { discardBody, readBody } from '../../../json.ts'
import type { Operation } from '../../../operations/operation.ts'
import { route } from '../../../operations/route.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import { authorOf } from './files.ts'
import { asOf } from './files-codec.ts'

const path = z.string().default('').meta({ description: 'A directory; left out: that of all files.' })
const PackQuery = z.object({
  format: z.enum(['zip', 'tar.gz']).default('zip').meta({ description: 'Form of the archive.' }),
  path,
  ...asOf,
})
const UnpackQuery = z.object({
  path,
  mode: z.enum(['merge', 'replace']).default('merge').meta({
    description: 'merge: what else is in the directory stays; replace: it goes.',
  }),
})
const UnpackedArchive = z
  .object({ path: z.string(), files: z.int(), bytes: z.int(), commit: z.int() })
  .meta({ id: 'UnpackedArchive' })

const ARCHIVES = [{ raw: 'application/zip' }, { raw: 'application/gzip' }]

const getArchive = {
  id: 'getArchive',
  tag: 'files',
  summary: 'Download a directory as an archive',
  description: 'Names in it begin at the directory. Links are left out. It is made while it is read.',
  scope: 'read',
  params: SESSION,
  query: PackQuery,
  answers: { 200: { description: 'The archive.', content: ARCHIVES } },
  problems: [400, 404],
  example: { params: { session: 'docs' }, query: { format: 'zip' }, status: 200 },
} satisfies Operation<typeof PackQuery>

const putArchive = {
  id: 'putArchive',
  tag: 'files',
  summary: 'Unpack an archive into a directory',
  description:
    `A zip or a tar.gz of at most ${MAX_ARCHIVE_BYTES} bytes (MAX_ARCHIVE_BYTES), ${MAX_ARCHIVE_ENTRIES} files and directories ` +
    `(MAX_ARCHIVE_ENTRIES) and ${MAX_ARCHIVE_UNPACKED_BYTES} bytes unpacked (MAX_ARCHIVE_UNPACKED_BYTES). All of it is one commit, or nothing: ` +
    'an entry that is a link, leads elsewhere, is there twice or is encrypted refuses the archive, and the problem names it.',
  scope: 'execute',
  params: SESSION,
  query: UnpackQuery,
  body: { raw: 'application/octet-stream' },
  answers: { 200: { description: 'The archive is unpacked.', content: UnpackedArchive } },
  problems: [400, 404, 409, 413],
  example: { params: { session: 'docs' }, status: 200 },
} satisfies Operation<typeof UnpackQuery>

/** Adds archives of a session's files, out and in. */
export function addArchive(app: Hono<AppEnv>): void {
  route(app, 'get', '/v1/sessions/:session/archive', getArchive, async (c, { services, query }) => {
    const { format } = query
    const request = { path: query.path, asOf: query.as_of ?? null, format }
    const { name, body } = await sessionOf(c, services).files.pack(request)
    const isHead = c.req.raw.method === 'HEAD'
    if (isHead) await body.cancel()
    const answer = attachment(
      { name, body: isHead ? null : body },
      format === 'zip' ? 'application/zip' : 'application/gzip',
    )
    answer.headers.set('Cache-Control', 'private, no-store')
    return answer
  })

  route(app, 'put', '/v1/sessions/:session/archive', putArchive, async (c, { services, query }) => {
    const archive = await readArchive(c.req.raw)
    const request = { ...query, author: authorOf('unpack', services) }
    const unpacked = await sessionOf(c, services).files.unpack(request, archive)
    return c.json({ path: query.path, ...unpacked })
  })
}

async function readArchive(request: Request): Promise<Uint8Array> {
  const stated = Number(request.headers.get('Content-Length'))
  if (stated > MAX_ARCHIVE_BYTES) {
    await discardBody(request)
    fail(
      'limit_exceeded',
      `the archive has ${stated} bytes; at most ${MAX_ARCHIVE_BYTES} are taken (MAX_ARCHIVE_BYTES); send it in parts`,
      { data: { limit: 'MAX_ARCHIVE_BYTES', max: MAX_ARCHIVE_BYTES } },
    )
  }
  return readBody(request)
}
