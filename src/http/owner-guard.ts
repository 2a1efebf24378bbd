import type { Context } from 'hono'
import { sameSecret } from '../auth/constant-time.ts'
import { fail } from '../core/failure.ts'
import { bearerToken } from './authenticate.ts'
import type { AppEnv } from './dialect.ts'
import type { Guard } from './operations/operation.ts'

/**
 * Guard of operations for the owner of the server, who shows ADMIN_TOKEN.
 * @param adminToken null: nobody may
 * @param refusal message for anybody else
 */
export const ownerGuard = (adminToken: string | null, refusal: string): Guard<void> => ({
  credentials: ['owner'],
  allow: async (c) => {
    if (!(await isOwner(c, adminToken))) fail('forbidden', refusal)
  },
})

/** Whether the request shows ADMIN_TOKEN as its bearer token. */
export async function isOwner(c: Context<AppEnv>, adminToken: string | null): Promise<boolean> {
  const sent = bearerToken(c.req.raw.headers)
  return adminToken !== null && sent !== null && (await sameSecret(sent, adminToken))
}
