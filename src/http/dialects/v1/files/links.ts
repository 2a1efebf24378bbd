import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { DEFAULT_LINK_SECONDS, MAX_LINK_SECONDS, MAX_LINKS } from '../../../../core/limits/files.ts'
import { MAX_FILE_BYTES } from '../../../../core/limits/workspace.ts'
import type { FileLink } from '../../../../session/links-api.ts'
import { type AppEnv, type Services, servicesFor } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { encodeHeld, PageOf, pageQuery, placeInTime } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
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

const NewLink = z
  .strictObject({
    path: z.string().min(1),
    method: z.enum(['download', 'upload']),
    expires_in_seconds: z.int().min(1).max(MAX_LINK_SECONDS).default(DEFAULT_LINK_SECONDS),
    max_bytes: z.int().min(1).max(MAX_FILE_BYTES).optional().meta({ description: 'Greatest size of an upload.' }),
  })
  .refine(({ method, max_bytes }) => method === 'upload' || max_bytes === undefined, 'max_bytes is for an upload')
  .meta({ id: 'FileLinkRequest' })

const LinksQuery = z.strictObject(pageQuery(MAX_LINKS, 100))

/** Path parameters of an operation on one link. */
const LINK = { ...SESSION, link: 'Id of the link.' }

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
  answers: {
    201: {
      description: 'The link. Its URL is shown this once.',
      content: MadeLink,
      headers: { Location: 'Where the link is looked at, which opens nothing.' },
    },
  },
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
  summary: 'List the links of a session that are valid, oldest first',
  scope: 'read',
  params: SESSION,
  query: LinksQuery,
  answers: {
    200: { description: 'The links, without their URLs.', content: PageOf(Link) },
  },
  problems: [404],
  example: { params: { session: 'docs' }, status: 200 },
} satisfies Operation<typeof LinksQuery>

const getLink = {
  id: 'getFileLink',
  tag: 'files',
  summary: 'Get a link that is valid',
  scope: 'read',
  params: LINK,
  answers: { 200: { description: 'The link, without its URL.', content: Link } },
  problems: [404],
  example: { params: { session: 'docs', link: 'lnk_none' }, status: 200 },
} satisfies Operation

const revokeLinks = {
  id: 'revokeFileLinks',
  tag: 'files',
  summary: 'Revoke all links of a session',
  scope: 'execute',
  params: SESSION,
  answers: { 204: { description: 'None of them is valid any more.' } },
  problems: [404],
  example: { params: { session: 'docs' }, status: 204 },
} satisfies Operation

const revokeLink = {
  ...revokeLinks,
  id: 'revokeFileLink',
  summary: 'Revoke a link',
  params: LINK,
  answers: { 204: { description: 'It is not valid any more.' } },
  example: { params: { session: 'docs', link: 'lnk_none' }, status: 204 },
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
    const allows = { path: made.path, method, expires_at: timeOf(made.expiresAt) }
    // Before anybody has the link: none is used that the log does not name.
    await services.tenant.audit.noteLink({ action: 'link.create', session, id: made.id, allows }, byKey(services))
    c.header('Location', `/v1/sessions/${encodeURIComponent(session)}/links/${made.id}`)
    return c.json({ ...encodeLink(made), url: `/v1/links/${token}` }, 201, NOT_KEPT)
  })

  route(app, 'get', LINKS, listLinks, async (c, { services, query }) =>
    c.json(encodeHeld((await sessionOf(c, services).links.list()).map(encodeLink), query, placeInTime)),
  )

  route(app, 'get', `${LINKS}/:link`, getLink, async (c: Context<AppEnv>, { services }) => {
    const id = c.req.param('link')
    const links = await sessionOf(c, services).links.list()
    return c.json(encodeLink(links.find((link) => link.id === id) ?? noSuchLink()))
  })

  route(app, 'delete', LINKS, revokeLinks, async (c, { services }) => {
    await revoke(c, services, null)
    return c.body(null, 204)
  })

  route(app, 'delete', `${LINKS}/:link`, revokeLink, async (c: Context<AppEnv>, { services }) => {
    const id = c.req.param('link') ?? ''
    if ((await revoke(c, services, id)) === 0) noSuchLink()
    return c.body(null, 204)
  })
}

const noSuchLink = (): never => fail('not_found', 'the session has no such link; it may have expired')

/** Ends a link, or all of the session (null), and notes it. @returns how many ended */
async function revoke(c: Context<AppEnv>, services: Services, id: string | null): Promise<number> {
  const revoked = await sessionOf(c, services).links.revoke(id)
  const session = c.req.param('session') ?? ''
  if (revoked > 0) await services.tenant.audit.noteLink({ action: 'link.revoke', session, id }, byKey(services))
  return revoked
}

const byKey = ({ key }: Services) => ({ key, agent: null })

/** Time that a child key has left, in milliseconds; no limit for other keys, which are looked at when the link is used. */
function lifeOfKey({ env: { caller } }: Context<AppEnv>, { now }: Services): number {
  const expiresAt = 'principal' in caller ? caller.principal.restrictions?.expiresAt : undefined
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, expiresAt - now())
}

const timeOf = (ms: number) => new Date(ms).toISOString()

const NOT_KEPT = { 'Cache-Control': 'private, no-store' }

const encodeLink = ({ id, path, method, maxBytes, createdAt, expiresAt }: FileLink) => ({
  id,
  path,
  method,
  max_bytes: maxBytes,
  created_at: timeOf(createdAt),
  expires_at: timeOf(expiresAt),
})
