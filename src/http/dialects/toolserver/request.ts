import type { Context } from 'hono'
import { type SessionName, sessionName } from '../../../core/ids.ts'
import type { AppEnv } from '../../dialect.ts'

/** Path as it was sent: Hono decodes what it matches, and an id may have an encoded slash. */
export const pathOf = (c: Context<AppEnv>) => new URL(c.req.url).pathname

export const notAllowed = (c: Context<AppEnv>, allow: string) =>
  c.json({ detail: 'Method Not Allowed' }, 405, { Allow: allow })

/** Session name of a task id; null when no session can have it. */
export function nameOf(taskId: string): SessionName | null {
  try {
    return sessionName(taskId)
  } catch {
    return null // empty, too long or with control characters: there is no such task
  }
}
