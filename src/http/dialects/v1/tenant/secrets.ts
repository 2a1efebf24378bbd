import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import type { SecretInfo } from '../../../../tenant/api.ts'
import type { AppEnv } from '../../../dialect.ts'
import { encodeWhole, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'

const NewSecret = z.object({ value: z.string() }).meta({ id: 'NewSecret' })

const Secret = z
  .object({ name: z.string(), changed_at: z.iso.datetime() })
  .meta({ id: 'Secret', description: 'A secret by its name. No operation reads its value back.' })

const RemovedSecret = z.object({ name: z.string(), removed: z.literal(true) }).meta({ id: 'RemovedSecret' })

const NAME = 'Name of the secret: A-Z, 0-9 and "_", a letter first.'

/** The tenant's secrets: a key stores and removes them, and lists their names. */
export function addSecrets(app: Hono<AppEnv>): void {
  route(
    app,
    'get',
    '/v1/secrets',
    {
      id: 'listSecrets',
      tag: 'secrets',
      summary: 'List the names of all secrets',
      scope: 'admin',
      answers: { 200: { description: 'All secrets, on one page.', content: PageOf(Secret) } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { services }) => c.json(encodeWhole((await services.tenant.secrets.list()).map(encodeSecret))),
  )

  route(
    app,
    'put',
    '/v1/secrets/:name',
    {
      id: 'putSecret',
      tag: 'secrets',
      summary: 'Store a secret, or replace it',
      scope: 'admin',
      params: { name: NAME },
      body: NewSecret,
      answers: { 200: { description: 'The secret is stored.', content: Secret } },
      problems: [409],
      example: { params: { name: 'SEARCH_KEY' }, body: { value: 'a-key-of-the-search' }, status: 200 },
    },
    async (c, { services: { tenant, key }, body }) => {
      const name = c.req.param('name')
      return c.json(encodeSecret(await tenant.secrets.put(name, body.value, { key, agent: null })))
    },
  )

  route(
    app,
    'delete',
    '/v1/secrets/:name',
    {
      id: 'removeSecret',
      tag: 'secrets',
      summary: 'Remove a secret',
      scope: 'admin',
      params: { name: NAME },
      answers: { 200: { description: 'The secret is gone.', content: RemovedSecret } },
      problems: [404],
      example: { params: { name: 'OLD_KEY' }, status: 200 },
    },
    async (c, { services: { tenant, key } }) => {
      const name = c.req.param('name')
      const removed = await tenant.secrets.remove(name, { key, agent: null })
      if (!removed) fail('not_found', `there is no secret ${name.slice(0, 64)}; GET /v1/secrets lists those there are`)
      return c.json({ name, removed: true })
    },
  )
}

const encodeSecret = ({ name, changedAt }: SecretInfo) => ({ name, changed_at: new Date(changedAt).toISOString() })
