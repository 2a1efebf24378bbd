import { fail } from '../core/failure.ts'
import { MAX_REPORT_CHARS } from '../core/limits/marketplace.ts'
import { sql } from '../ports/database.ts'
import type { Market, PackageName } from '../ports/market.ts'
import type { MarketParts } from './parts.ts'
import { publisherOf } from './publish.ts'
import { reindex } from './reindex.ts'
import {
  decodeListed,
  decodeVersion,
  findPackage,
  findVersion,
  installsOf,
  noPackage,
  type PackageRow,
  type VersionRow,
} from './rows.ts'
import { searchMarket } from './search.ts'

/** The marketplace of one tenant, in a database with the tables of `migrations/0003_marketplace.sql`. */
export function market({ db, tenant, clock, rules }: MarketParts): Market {
  async function visible(name: PackageName): Promise<PackageRow> {
    const row = await findPackage(db, name)
    return row && row.blocked === null && row.away === 0 ? row : noPackage(name)
  }

  return {
    publish: publisherOf({ db, tenant, clock, rules }),

    search: (query) => searchMarket(db, query),

    async find(name, version) {
      const { no } = await visible(name)
      const row = (await findVersion(db, no, version ?? null)) ?? noPackage(name, version)
      return decodeVersion(name, row, await installsOf(db, no))
    },

    async versions(name) {
      const { no } = await visible(name)
      const rows = await db.rows<VersionRow>(
        sql(
          `SELECT version, published_at, breaking FROM market_versions
             WHERE package = ? AND state = 'published' ORDER BY version DESC`,
          no,
        ),
      )
      return rows.length > 0 ? rows.map(decodeListed) : noPackage(name)
    },

    async noteInstall(name) {
      const { no } = await visible(name)
      await db.rows(
        sql(
          'INSERT INTO market_installs (package, tenant, first_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
          no,
          tenant,
          clock.now(),
        ),
      )
    },

    async report(name, reason) {
      if (reason.length > MAX_REPORT_CHARS) {
        fail('limit_exceeded', `the reason has more than ${MAX_REPORT_CHARS} characters (MAX_REPORT_CHARS)`)
      }
      const found = await visible(name)
      if (found.tenant === tenant) fail('forbidden', 'the package is your own; unpublish it')
      await db.rows(
        sql(
          `INSERT INTO market_reports (package, tenant, reason, at) VALUES (?, ?, ?, ?)
             ON CONFLICT DO UPDATE SET reason = excluded.reason, at = excluded.at`,
          found.no,
          tenant,
          reason,
          clock.now(),
        ),
      )
    },

    async unpublish(name, version) {
      const found = await findPackage(db, name)
      if (found?.tenant !== tenant) return noPackage(name)
      const [rows = []] = await db.batch([
        sql(
          `UPDATE market_versions SET state = 'unpublished', definition = '{}', readme = '', examples = '[]', changes = '[]', chars = 0
             WHERE package = ?1 AND state = 'published' AND (?2 IS NULL OR version = ?2) RETURNING version`,
          found.no,
          version ?? null,
        ),
      ])
      if (rows.length === 0) return noPackage(name, version)
      await reindex(db, found)
      return rows.map((row) => Number(row.version)).sort((one, other) => one - other)
    },
  }
}
