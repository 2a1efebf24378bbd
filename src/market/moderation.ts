import { type Database, type DatabaseRow, sql } from '../ports/database.ts'
import type { MarketModeration } from '../ports/market.ts'
import { findPackage, noPackage } from './rows.ts'

interface ReportRow extends DatabaseRow {
  publisher: string
  tool: string
  reason: string
  at: number
  blocked: string | null
}

/** The operator's part of the marketplace. */
export function marketModeration(db: Database): MarketModeration {
  return {
    async block(name, reason) {
      const found = (await findPackage(db, name)) ?? noPackage(name)
      await db.rows(sql('UPDATE market_packages SET blocked = ? WHERE no = ?', reason, found.no))
    },

    async reports({ limit, offset }) {
      const rows = await db.rows<ReportRow>(
        sql(
          `SELECT publisher, tool, reason, at, blocked FROM market_reports JOIN market_packages ON no = package
             ORDER BY at DESC, package, market_reports.tenant LIMIT ? OFFSET ?`,
          limit,
          offset,
        ),
      )
      return rows.map(({ blocked, ...report }) => ({ ...report, blocked: blocked !== null }))
    },
  }
}
