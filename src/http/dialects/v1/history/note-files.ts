import type { Context } from 'hono'
import type { FilesNote } from '../../../../tenant/audit-api.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { nameIn } from '../sessions/session-path.ts'

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/**
 * Has the tenant's audit log say what a request did with the files of its session. Calls of tools that do the same are in it as calls.
 */
export async function noteFiles(
  c: Context<AppEnv>,
  { tenant, key }: Services,
  note: Without<FilesNote, 'session'>,
): Promise<void> {
  await tenant.audit.noteFiles({ ...note, session: nameIn(c) }, { key, agent: null })
}
