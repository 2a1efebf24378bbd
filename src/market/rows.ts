import { fail } from '../core/failure.ts'
import type { Database, DatabaseRow } from '../ports/database.ts'
import { sql } from '../ports/database.ts'
import type { Example, ListedVersion, PackageName, PublishedVersion } from '../ports/market.ts'
import { ToolDefinition } from '../registry/definition.ts'
import { needsOf } from '../registry/needs.ts'
import type { SchemaChange } from '../registry/schema-change.ts'

export interface PackageRow extends DatabaseRow {
  no: number
  publisher: string
  tool: string
  blocked: string | null
  /** The publishing tenant, and whether the operator has disabled it: 0 or 1. */
  tenant: string
  away: number
}

export interface VersionRow extends DatabaseRow {
  version: number
  published_at: number
  definition: string
  readme: string
  examples: string
  breaking: number
  changes: string
}

/** SQL that is true for a disabled tenant of `publishers`. The tenant of a local server without keys stands in no list. */
export const AWAY = 'EXISTS (SELECT 1 FROM tenants WHERE tenants.id = publishers.tenant AND disabled_at IS NOT NULL)'

/** Finds a package, also a blocked one or one without a version. @returns null when there never was one */
export async function findPackage(db: Database, { publisher, tool }: PackageName): Promise<PackageRow | null> {
  const [row] = await db.rows<PackageRow>(
    sql(
      `SELECT packages.*, publishers.tenant, ${AWAY} AS away FROM market_packages packages
         JOIN market_publishers publishers ON publishers.name = packages.publisher WHERE publisher = ? AND tool = ?`,
      publisher,
      tool,
    ),
  )
  return row ?? null
}

/** Version of a package. @param version the version's number; null for the newest */
export async function findVersion(db: Database, no: number, version: number | null): Promise<VersionRow | null> {
  const [row] = await db.rows<VersionRow>(
    sql(
      `SELECT * FROM market_versions WHERE package = ?1 AND state = 'published' AND (?2 IS NULL OR version = ?2)
         ORDER BY version DESC LIMIT 1`,
      no,
      version,
    ),
  )
  return row ?? null
}

export async function installsOf(db: Database, no: number): Promise<number> {
  const [row] = await db.rows<{ installs: number }>(
    sql('SELECT count(*) AS installs FROM market_installs WHERE package = ?', no),
  )
  return row?.installs ?? 0
}

/** A published version. It was checked when it was published; parsing it again adds fields that definitions gained since. */
export function decodeVersion({ publisher, tool }: PackageName, row: VersionRow, installs: number): PublishedVersion {
  const definition = ToolDefinition.parse(JSON.parse(row.definition))
  return {
    publisher,
    tool,
    definition,
    readme: row.readme,
    examples: JSON.parse(row.examples) as Example[],
    needs: needsOf(definition),
    installs,
    changes: JSON.parse(row.changes) as SchemaChange[],
    ...decodeListed(row),
  }
}

export const decodeListed = ({
  version,
  published_at,
  breaking,
}: Pick<VersionRow, 'version' | 'published_at' | 'breaking'>): ListedVersion => ({
  version,
  publishedAt: published_at,
  breaking: breaking === 1,
})

export const noPackage = ({ publisher, tool }: PackageName, version?: number): never =>
  fail(
    'not_found',
    `there is no ${`${publisher}/${tool}`.slice(0, 120)}${version === undefined ? '' : `@${version}`} in the marketplace`,
  )
