import * as z from 'zod'
import { MAX_WARM_POOLS } from '../core/limits/spares.ts'
import { sessionInternet, UNRESTRICTED } from '../core/tenant-internet.ts'
import type { WarmPool } from '../ports/sandbox-spares.ts'
import { KeptInternet } from './keys-d1.ts'

const PoolRow = z.object({ id: z.string(), warm_sandboxes: z.number(), internet: KeptInternet.nullable() })

/**
 * Reader of the warm pools of tenants that are neither disabled nor deleted: a column of the table of tenants, which
 * `migrations/0011_warm_sandboxes.sql` added. A database without it has none.
 */
export const warmPoolsD1 = (db: D1Database) => async (): Promise<readonly WarmPool[]> => {
  try {
    const { results } = await db.prepare(POOLS).bind(MAX_WARM_POOLS).all()
    return results.map((row) => {
      const { id, warm_sandboxes: count, internet } = PoolRow.parse(row)
      return { tenant: id, count, internet: sessionInternet(null, internet ?? UNRESTRICTED) }
    })
  } catch (thrown) {
    if (thrown instanceof Error && /no such (?:table|column)/.test(thrown.message)) return []
    throw thrown
  }
}

const POOLS = `SELECT id, warm_sandboxes, internet FROM tenants
  WHERE warm_sandboxes > 0 AND disabled_at IS NULL AND deleted_at IS NULL ORDER BY id LIMIT ?`
