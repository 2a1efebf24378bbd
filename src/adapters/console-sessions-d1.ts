import * as z from 'zod'
import { tenantId } from '../core/ids.ts'
import type { ConsoleSession, ConsoleSessionReach, ConsoleSessionStore } from '../ports/console-sessions.ts'
import { type Database, type DatabaseValue, sql } from '../ports/database.ts'

/** Sessions of the console in D1, the table of `migrations/0010_console_sessions.sql`. */
export const consoleSessionsD1 = (db: Database): ConsoleSessionStore => ({
  async add(session, most) {
    const { id, hash, tenant, root, key, proof, links, scopes, browser, createdAt, usedAt, expiresAt } = session
    const times = [createdAt, usedAt, expiresAt]
    await db.batch([
      sql('DELETE FROM console_sessions WHERE expires_at <= ?', createdAt),
      sql(
        `INSERT INTO console_sessions
           (id, hash, tenant, root, key, proof, links, scopes, browser, created_at, used_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[id, hash, tenant, root, key, proof, JSON.stringify(links), scopes.join(' '), browser, ...times],
      ),
      // Child keys of one key count together, or its holder could make any number of rows by minting. The oldest of the same key go
      // first, so that one of them ends no more than one session of the others.
      sql(
        `DELETE FROM console_sessions WHERE id IN (
           SELECT id FROM console_sessions WHERE root = ?1 AND tenant IS ?2 AND (key = root) = ?3
           ORDER BY id <> ?5, key = ?6, created_at DESC, id DESC LIMIT -1 OFFSET ?4
         )`,
        ...[root, tenant, key === root ? 1 : 0, most, id, key],
      ),
    ])
  },

  async find(id) {
    const [row] = await db.rows(sql('SELECT * FROM console_sessions WHERE id = ?', id))
    return row === undefined ? null : decode(row)
  },

  async list(whose, { now, limit, after }) {
    const found = await db.rows(
      sql(
        `SELECT * FROM console_sessions WHERE ${WITHIN} AND (created_at, id) > (?4, ?5) ORDER BY created_at, id LIMIT ?6`,
        ...[...reach(whose, now), after?.createdAt ?? -1, after?.id ?? '', limit],
      ),
    )
    return found.map(decode)
  },

  async noteUse(id, at, since) {
    await db.rows(sql('UPDATE console_sessions SET used_at = ?2 WHERE id = ?1 AND used_at <= ?3', id, at, since))
  },

  async end(id, whose, now) {
    const query = `DELETE FROM console_sessions WHERE ${WITHIN} AND id = ?4 RETURNING id`
    return (await db.rows(sql(query, ...reach(whose, now), id))).length > 0
  },
})

/** Condition for the sessions within reach that have not expired. `/` is the character after the dot. */
const WITHIN = `tenant IS ?1 AND (?2 IS NULL OR key = ?2 OR (key > ?2 || '.' AND key < ?2 || '/')) AND expires_at > ?3`
const reach = ({ tenant, below }: ConsoleSessionReach, now: number): DatabaseValue[] => [tenant, below, now]

const Row = z.object({
  id: z.string(),
  hash: z.string(),
  tenant: z
    .string()
    .transform((id) => tenantId(id))
    .nullable(),
  root: z.string(),
  key: z.string(),
  proof: z.string(),
  links: z
    .string()
    .transform((json) => JSON.parse(json) as unknown)
    .pipe(z.array(z.string())),
  scopes: z
    .string()
    .transform((words) => words.split(' ').filter((word) => word !== ''))
    .pipe(z.array(z.enum(['read', 'execute', 'admin']))),
  browser: z.string(),
  created_at: z.number(),
  used_at: z.number(),
  expires_at: z.number(),
})

function decode(row: unknown): ConsoleSession {
  const { created_at, used_at, expires_at, ...session } = Row.parse(row)
  return { ...session, createdAt: created_at, usedAt: used_at, expiresAt: expires_at }
}
