import type { Hono } from 'hono'
import type * as z from 'zod'
import { openRoot } from '../../../../auth/authenticate.ts'
import { childKeyText, OPEN_ROOT, tagText } from '../../../../auth/child-key.ts'
import { packedLinks, packLink } from '../../../../auth/child-link.ts'
import { ID_CHARS, randomDigits } from '../../../../auth/key.ts'
import type { Principal } from '../../../../auth/principal.ts'
import { isTokenKeyId } from '../../../../auth/token.ts'
import { fail } from '../../../../core/failure.ts'
import { isChildKey, rootKeyOf } from '../../../../core/key-chain.ts'
import { MAX_CHILD_KEY_CHARS, MAX_CHILD_KEY_DEPTH } from '../../../../core/limits/child-keys.ts'
import type { KeyStore } from '../../../../ports/keys.ts'
import { childExpiry, linkOf, MintChild, mayOf, refuseStronger } from '../../../child-keys/minting.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { encodeOneMore, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { noSuchKey, ownId, principalOf, reaches } from './caller.ts'
import { ChildKey, ChildrenQuery, encodeChild, MintedKey } from './keys-codec.ts'
import type { KeysParts } from './keys-parts.ts'

const CHILDREN = '/v1/keys/current/children'
const TAG = 'keys'

/** Child keys of the caller's key, and of any key that it reaches. */
export function addChildren(app: Hono<AppEnv>, { keys, clock, signer }: KeysParts): void {
  route(
    app,
    'post',
    CHILDREN,
    {
      id: 'createChildKey',
      tag: TAG,
      summary: 'Create a child key',
      description:
        'Any key may mint child keys, which can do what it can and less: fields that are left out take nothing away. A child key mints further ones, down to 8 below a key of the tenant, each of which loses something more or nothing.',
      scope: 'read',
      body: MintChild,
      answers: {
        201: {
          description: 'The child key, which is shown this once.',
          content: MintedKey,
          headers: { Location: 'Where the key is looked at.' },
        },
      },
      problems: [403, 409, 422],
      example: {
        body: { name: 'summarizer', sessions: { names: ['report'] }, budget: { calls: 100 } },
        status: 201,
      },
    },
    async (c, { services, body }) => {
      if (signer === null) {
        fail('conflict', 'this server mints no child keys: its owner sets SECRETS_KEY or ADMIN_TOKEN first')
      }
      const principal = principalOf(c)
      if (isTokenKeyId(principal.keyId)) {
        fail(
          'forbidden',
          'an access token mints no child keys, since its issuer could not end them; use a key of the tenant',
        )
      }
      const may = mayOf(body)
      refuseStronger(may, principal)
      const root = await rootOf(keys, principal)
      const now = clock.now()
      const expiresAt = childExpiry(body, principal.restrictions?.expiresAt ?? root.expiresAt ?? FOREVER, now)
      const own = randomDigits(ID_CHARS)
      const links = [...packedLinks(principal), packLink(linkOf(own, may, expiresAt))]
      if (links.length > MAX_CHILD_KEY_DEPTH) {
        fail(
          'limit_exceeded',
          `this key stands ${MAX_CHILD_KEY_DEPTH} below a key of the tenant (MAX_CHILD_KEY_DEPTH) and mints none itself; ask a key above it`,
        )
      }
      const key = childKeyText({ root: root.id, links, tag: tagText(await signer.tag(root, links)) })
      if (key.length > MAX_CHILD_KEY_CHARS) {
        fail(
          'limit_exceeded',
          `the child key would have ${key.length} characters, and ${MAX_CHILD_KEY_CHARS} are allowed (MAX_CHILD_KEY_CHARS); name fewer sessions or tools, or use prefixes`,
        )
      }
      const id = `${ownId(principal)}.${own}`
      const child = { id, name: body.name, may, createdAt: now, expiresAt }
      await services.tenant.childKeys.mint(child, { key: principal.keyId, agent: null })
      c.header('Cache-Control', 'no-store')
      c.header('Location', `/v1/keys/${id}`)
      return c.json({ key, ...encodeChild({ ...child, revokedAt: null, used: { calls: 0, cost: 0 } }) }, 201)
    },
  )

  route(
    app,
    'get',
    CHILDREN,
    {
      id: 'listChildKeys',
      tag: TAG,
      summary: 'List the child keys below this key',
      description: 'All child keys below the key that asks, of any depth, until they expire.',
      scope: 'read',
      query: ChildrenQuery,
      answers: { 200: { description: 'A page of child keys.', content: PageOf(ChildKey) } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { services, query }) => c.json(await pageBelow(services, ownId(principalOf(c)), query)),
  )

  route(
    app,
    'get',
    '/v1/keys/:key/children',
    {
      id: 'listChildKeysOf',
      tag: TAG,
      summary: 'List the child keys below a key',
      description:
        'As the list below the own key, for a key below it; for a key of the tenant with the scope `admin`, below any key of the tenant.',
      scope: 'read',
      params: { key: 'The id of a key, or the ids of a child key’s chain.' },
      query: ChildrenQuery,
      answers: { 200: { description: 'A page of child keys.', content: PageOf(ChildKey) } },
      problems: [404],
      example: { params: { key: 'local.0123456789ab' }, status: 200 },
    },
    async (c, { services, query }) => {
      const principal = principalOf(c)
      const id = c.req.param('key')
      if (!reaches(principal, id)) noSuchKey()
      const isThere =
        id === ownId(principal) ||
        (isChildKey(id) ? await services.tenant.childKeys.find(id) : await keys.key(principal.tenant, id))
      if (!isThere) noSuchKey()
      return c.json(await pageBelow(services, id, query))
    },
  )
}

/** A page of the child keys below a key, at all depths. */
async function pageBelow(services: Services, below: string, { limit, cursor }: z.output<typeof ChildrenQuery>) {
  const page = { below, limit: limit + 1, ...(cursor !== undefined && { after: cursor }) }
  const found = await services.tenant.childKeys.list(page)
  return encodeOneMore(found, limit, encodeChild, ({ id }) => id)
}

const FOREVER = Number.POSITIVE_INFINITY

/** The key at the top of the caller's chain. @throws FailureError `forbidden` when it went meanwhile */
async function rootOf(keys: Pick<KeyStore, 'find'>, { tenant, keyId }: Principal) {
  const id = rootKeyOf(keyId) ?? OPEN_ROOT
  if (id === OPEN_ROOT) return { ...openRoot(tenant), expiresAt: null }
  return (await keys.find(id)) ?? fail('forbidden', 'the key at the top of this chain is gone')
}
