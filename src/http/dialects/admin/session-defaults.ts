import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../core/failure.ts'
import { MAX_LIFETIME_SECONDS, MIN_LIFETIME_SECONDS } from '../../../core/limits/sessions.ts'
import type { Lifetimes } from '../../../core/session-settings.ts'
import type { AppEnv } from '../../dialect.ts'
import type { Guard } from '../../operations/operation.ts'
import { guardedRoute } from '../../operations/route.ts'
import { existingTenant } from '../../tenant-keys/tenant-keys.ts'
import { ownerOnly } from './guard.ts'
import type { AdminParts } from './parts.ts'

const PATH = '/admin/tenants/:tenant/session-defaults'
const TENANT = { tenant: 'Id of the tenant.' }

const TOTAL = 'Seconds from its creation after which a session is deleted with its files; null for no end.'
const IDLE = 'Seconds without use after which a session is deleted with its files; null for no end.'
const Lifetime = z.int().min(MIN_LIFETIME_SECONDS).max(MAX_LIFETIME_SECONDS).nullable()

// Both are required and null is written out: nothing that is left out or misspelt gives or takes an end.
const NewSessionDefaults = z
  .strictObject({
    lifetime_seconds: Lifetime.meta({ description: TOTAL }),
    idle_lifetime_seconds: Lifetime.meta({ description: IDLE }),
  })
  .meta({ id: 'NewSessionDefaults' })

const SessionDefaults = z
  .object({
    lifetime_seconds: z.number().nullable().meta({ description: TOTAL }),
    idle_lifetime_seconds: z.number().nullable().meta({ description: IDLE }),
  })
  .meta({ id: 'SessionDefaults' })

const ms = (seconds: number | null) => (seconds === null ? null : seconds * 1_000)
const seconds = (lifetimeMs: number | null) => (lifetimeMs === null ? null : lifetimeMs / 1_000)

const decode = (body: z.output<typeof NewSessionDefaults>): Lifetimes => ({
  lifetimeMs: ms(body.lifetime_seconds),
  idleLifetimeMs: ms(body.idle_lifetime_seconds),
})

/** Default lifetimes, as they are answered and exported. */
export const encodeSessionDefaults = ({ lifetimeMs, idleLifetimeMs }: Lifetimes) => ({
  lifetime_seconds: seconds(lifetimeMs),
  idle_lifetime_seconds: seconds(idleLifetimeMs),
})

/** Lifetimes of a tenant's new sessions that bring none, for the owner of the server. */
export function addSessionDefaults(app: Hono<AppEnv>, { keys, adminToken, ownedTenant }: AdminParts): void {
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }
  const existing = (c: Context<AppEnv>) => existingTenant(keys, c.req.param('tenant'))

  guardedRoute(
    app,
    'get',
    PATH,
    owner,
    {
      id: 'getSessionDefaults',
      tag: 'tenants',
      summary: "Get the lifetimes of a tenant's new sessions",
      params: TENANT,
      answers: { 200: { description: 'The defaults.', content: SessionDefaults } },
      problems: [400, 404, 409],
      example: { params: { tenant: 'dev' }, status: 200 },
    },
    async (c) => c.json(encodeSessionDefaults((await ownedTenant(await existing(c)).sessionDefaults()) ?? gone())),
  )

  guardedRoute(
    app,
    'put',
    PATH,
    owner,
    {
      id: 'putSessionDefaults',
      tag: 'tenants',
      summary: "Set the lifetimes of a tenant's new sessions",
      description:
        'Sessions made from now on, by any API, have them, unless a request brings its own or it is a fork. Sessions that are there stay as they are.',
      params: TENANT,
      body: NewSessionDefaults,
      answers: { 200: { description: 'The defaults as they are now.', content: SessionDefaults } },
      problems: [404, 409],
      example: {
        params: { tenant: 'dev' },
        body: { lifetime_seconds: null, idle_lifetime_seconds: 2_592_000 },
        status: 200,
      },
    },
    async (c, { body }) => {
      const lifetimes = decode(body)
      if (!(await ownedTenant(await existing(c)).putSessionDefaults(lifetimes))) gone()
      return c.json(encodeSessionDefaults(lifetimes))
    },
  )
}

const gone = (): never => fail('conflict', 'the tenant was deleted, and has no sessions any more')
