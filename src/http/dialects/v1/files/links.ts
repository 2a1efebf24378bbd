import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { DEFAULT_LINK_SECONDS, MAX_LINK_SECONDS, MAX_LINKS } from '../../../../core/limits/files.ts'
import { MAX_FILE_BYTES } from '../../../../core/limits/workspace.ts'
import type { FileLink } from '../../../../session/api.ts'
import { type AppEnv, type Services, servicesFor } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { encodePage, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { sessionOf } from './files.ts'
import type { LinkParts } from './link-parts.ts'

const LINKS = '/v1/sessions/:session/links'

const fields = {
  id: z.string().meta({ description: 'Names the link for its revocation; it opens nothing.' }),
  path: z.string(),
  method: z.enum(['download', 'upload']),
  max_bytes: z.int().nullable().meta({ description: 'Greatest size of an upload; null for a download.' }),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
}
const Link = z.object(fields).meta({ id: 'FileLink' })
const MadeLink = z
  .object({
    ...fields,
    url: z
      .string()
      .meta({ description: 'Path from the root of this server. Whoever has it may use it, without a key.' }),
  })
  .meta({ id: 'NewFileLink' })
const Revoked = z.object({ revoked: z.int() }).meta({ id: 'RevokedLinks' })

const NewLink = z
  .strictObject({
    path: z.string().min(1),
    method: z.enum(['download', 'upload']),
    expires_in_seconds: z.int().min(1).max(MAX_LINK_SECONDS).default(DEFAULT_LINK_SECONDS),
    max_bytes: z.int().min(1).max(MAX_FILE_BYTES).optional().meta({ description: 'Greatest size of an upload.' }),
  })
  .refine(({ method, max_bytes }) => method === 'upload' || max_bytes === undefined, 'max_bytes is for an upload')
  .meta({ id: 'FileLinkRequest' })

const SESSION = { session: 'Name of the session; a slash in it is %2F.' }

const createLink = {
  id: 'createFileLink',
  tag: 'files',
  summary: 'Make a link by which somebody without a key may download or upload one file',
  description:
    `It allows that file and that method alone, at most ${MAX_LINK_SECONDS} seconds (MAX_LINK_SECONDS), and ends with its session, by revocation, and ` +
    `with the key that made it. A link for an upload wants a key with the scope execute. A session has at most ${MAX_LINKS} (MAX_LINKS).`,
  scope: 'read',
  params: SESSION,
  body: NewLink,
  answers: { 201: { description: 'The link. Its URL is shown this once.', content: MadeLink } },
  problems: [400, 404, 409],
  example: {
    params: { session: 'docs' },
    body: { path: 'notes.txt', method: 'upload', expires_in_seconds: 600 },
    status: 201,
  },
} satisfies Operation<z.ZodType, typeof NewLink>

const listLinks = {
  id: 'listFileLinks',
  tag: 'files',
  summary: 'List the links of a session that are valid',
  scope: 'read',
  params: SESSION,
  answers: {
    200: { description: 'The links, without their URLs.', content: PageOf(Link).meta({ id: 'FileLinkPage' }) },
  },
  problems: [404],
  example: { params: { session: 'docs' }, status: 200 },
} satisfies Operation

const revokeLinks = {
  id: 'revokeFileLinks',
  tag: 'files',
  summary: 'Revoke all links of a session',
  scope: 'execute',
  params: SESSION,
  answers: { 200: { description: 'How many were valid.', content: Revoked } },
  problems: [404],
  example: { params: { session: 'docs' }, status: 200 },
} satisfies Operation

const revokeLink = {
  ...revokeLinks,
  id: 'revokeFileLink',
  summary: 'Revoke a link',
  params: { ...SESSION, id: 'Id of the link.' },
  example: { params: { session: 'docs', id: 'lnk_none' }, status: 404 },
} satisfies Operation

/** Adds the links of a session's files: made, listed and revoked by who has a key. */
export function addLinks(app: Hono<AppEnv>, { linkSigner }: LinkParts): void {
  route(app, 'post', LINKS, createLink, async (c, given) => {
    const { path, method, expires_in_seconds, max_bytes } = given.body
    const services = method === 'upload' ? servicesFor(c, 'execute') : given.services
    const signer = linkSigner ?? fail('conflict', 'this server signs no links: its owner has not set SECRETS_KEY')
    const made = await sessionOf(c, services).links.make({
      path,
      method,
      maxBytes: method === 'upload' ? (max_bytes ?? MAX_FILE_BYTES) : null,
      key: services.key,
      lifeMs: Math.min(expires_in_seconds * 1_000, lifeOfKey(c, services)),
    })
    const { caller } = c.env
    if ('failure' in caller) return fail('unauthenticated', 'this request has no API key')
    const session = c.req.param('session') ?? ''
    const { createdAt: _, ...allowed } = made
    const token = await signer.sign({ ...allowed, tenant: caller.principal.tenant, session })
    return c.json({ ...encodeLink(made), url: `/v1/links/${token}` }, 201, NOT_KEPT)
  })

  route(app, 'get', LINKS, listLinks, async (c, { services }) => {
    const links = await sessionOf(c, services).links.list()
    return c.json(encodePage(links.map(encodeLink), null))
  })

  route(app, 'delete', LINKS, revokeLinks, async (c, { services }) =>
    c.json({ revoked: await sessionOf(c, services).links.revoke(null) }),
  )

  route(app, 'delete', `${LINKS}/:id`, revokeLink, async (c: Context<AppEnv>, { services }) => {
    const revoked = await sessionOf(c, services).links.revoke(c.req.param('id') ?? '')
    return revoked === 1 ? c.json({ revoked }) : fail('not_found', 'the session has no such link; it may have expired')
  })
}

/** Time that a child key has left, in milliseconds; no limit for other keys, which are looked at when the link is used. */
function lifeOfKey({ env: { caller } }: Context<AppEnv>, { now }: Services): number {
  const expiresAt = 'principal' in caller ? caller.principal.restrictions?.expiresAt : undefined
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, expiresAt - now())
}

const NOT_KEPT = { 'Cache-Control': 'private, no-store' }

const encodeLink = ({ id, path, method, maxBytes, createdAt, expiresAt }: FileLink) => ({
  id,
  path,
  method,
  max_bytes: maxBytes,
  created_at: new Date(createdAt).toISOString(),
  expires_at: new Date(expiresAt).toISOString(),
})
