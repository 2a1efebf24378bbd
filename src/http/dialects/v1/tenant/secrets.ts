import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { MAX_SECRETS_PER_TENANT } from '../../../../core/limits/tenants.ts'
import type { SecretInfo } from '../../../../tenant/api.ts'
import type { AppEnv } from '../../../dialect.ts'
import { encodeHeld, PageOf, pageQuery } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'

const SecretsQuery = z.strictObject(pageQuery(MAX_SECRETS_PER_TENANT))

const NewSecret = z.strictObject({ value: z.string() }).meta({ id: 'NewSecret' })

const Secret = z
  .object({ name: z.string(), changed_at: z.iso.datetime() })
  .meta({ id: 'Secret', description: 'A secret by its name. No operation reads its value back.' })

const SECRET = { secret: 'Name of the secret: A-Z, 0-9 and "_", a letter first.' }

/** The tenant's secrets: a key stores and removes them, and lists their names. */
export function addSecrets(app: Hono<AppEnv>): void {
  route(
    app,
    'get',
    '/v1/secrets',
    {
      id: 'listSecrets',
      tag: 'secrets',
      summary: 'List secrets in the order of their names',
      scope: 'admin',
      query: SecretsQuery,
      answers: { 200: { description: 'A page of secrets, without their values.', content: PageOf(Secret) } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { services, query }) =>
      c.json(encodeHeld((await services.tenant.secrets.list()).map(encodeSecret), query, ({ name }) => name)),
  )

  route(
    app,
    'put',
    '/v1/secrets/:secret',
    {
      id: 'putSecret',
      tag: 'secrets',
      summary: 'Store a secret, or replace it',
      scope: 'admin',
      params: SECRET,
      body: NewSecret,
      answers: { 200: { description: 'The secret is stored.', content: Secret } },
      problems: [409],
      example: { params: { secret: 'SEARCH_KEY' }, body: { value: 'a-key-of-the-search' }, status: 200 },
    },
    async (c, { services: { tenant, key }, body }) => {
      const name = c.req.param('secret')
      return c.json(encodeSecret(await tenant.secrets.put(name, body.value, { key, agent: null })))
    },
  )

  route(
    app,
    'delete',
    '/v1/secrets/:secret',
    {
      id: 'deleteSecret',
      tag: 'secrets',
      summary: 'Delete a secret',
      scope: 'admin',
      params: SECRET,
      answers: { 204: { description: 'It is gone.' } },
      problems: [404],
      example: { params: { secret: 'OLD_KEY' }, status: 204 },
    },
    async (c, { services: { tenant, key } }) => {
      const name = c.req.param('secret')
      const removed = await tenant.secrets.remove(name, { key, agent: null })
      if (!removed) fail('not_found', `there is no secret ${name.slice(0, 64)}; GET /v1/secrets lists those there are`)
      return c.body(null, 204)
    },
  )
}

const encodeSecret = ({ name, changedAt }: SecretInfo) => ({ name, changed_at: new Date(changedAt).toISOString() })
