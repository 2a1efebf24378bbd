import { MAX_MARKET_QUERY_TERMS } from '../core/limits/marketplace.ts'
import { type Database, type DatabaseRow, type Statement, sql } from '../ports/database.ts'
import type { MarketHits } from '../ports/market.ts'
import { queryTerms, terms } from '../retrieval/tokenize.ts'
import { AWAY } from './rows.ts'

interface HitRow extends DatabaseRow {
  publisher: string
  tool: string
  version: number
  published_at: number
  name: string
  description: string
  installs: number
}

/** Texts of a package's newest version, by which searches find it. */
interface Found {
  /** Publisher's name, which counts as a word of the readme: a telling name gains no rank. */
  readonly publisher: string
  readonly name: string
  readonly description: string
  readonly readme: string
}

/** SQL that is true when the newest version of a package has that number, or null when the package has none. */
const NEWEST_IS = `(SELECT max(version) FROM market_versions WHERE package = ? AND state = 'published') IS ?`

/**
 * Indexes a package. Does nothing when another version is the newest by then: the change that made it so does the indexing.
 * @param found null when there is no version
 */
export function indexed(no: number, found: (Found & { readonly version: number }) | null): Statement[] {
  const remove = sql(`DELETE FROM market_index WHERE rowid = ? AND ${NEWEST_IS}`, no, no, found?.version ?? null)
  if (!found) return [remove]
  const { publisher, name, description, readme, version } = found
  const add = sql(
    `INSERT INTO market_index (rowid, name, description, readme) SELECT ?, ?, ?, ? WHERE ${NEWEST_IS}`,
    no,
    ...[name, description, `${publisher} ${readme}`].map((text) => terms(text).join(' ')),
    no,
    version,
  )
  return [remove, add]
}

const HIT = `SELECT packages.publisher, packages.tool, newest.version, newest.published_at,
    json_extract(newest.definition, '$.name') AS name, json_extract(newest.definition, '$.description') AS description,
    (SELECT count(*) FROM market_installs WHERE package = packages.no) AS installs`
const WITH_NEWEST = `JOIN market_publishers publishers ON publishers.name = packages.publisher
  JOIN market_versions newest ON newest.package = packages.no AND newest.version =
    (SELECT max(version) FROM market_versions WHERE package = packages.no AND state = 'published')`
const VISIBLE = `packages.blocked IS NULL AND NOT ${AWAY}`

/** Packages with any of these words in name, description, readme or publisher; the name counts most. */
export async function searchMarket(
  db: Database,
  { words, limit, offset }: { readonly words: string; readonly limit: number; readonly offset: number },
): Promise<MarketHits> {
  const searchTerms = [...new Set(queryTerms(words))].slice(0, MAX_MARKET_QUERY_TERMS)
  if (searchTerms.length === 0 && words.trim() !== '') return { hits: [], more: false }
  const rows = await db.rows<HitRow>(
    searchTerms.length === 0
      ? sql(
          `${HIT} FROM market_packages packages ${WITH_NEWEST} WHERE ${VISIBLE} ORDER BY packages.no DESC LIMIT ? OFFSET ?`,
          limit + 1,
          offset,
        )
      : sql(
          // Definitions are parsed for the shown rows alone.
          `WITH found AS (SELECT packages.no, bm25(market_index, 10.0, 4.0, 1.0) AS rank
             FROM market_index JOIN market_packages packages ON packages.no = market_index.rowid
             JOIN market_publishers publishers ON publishers.name = packages.publisher
             WHERE market_index MATCH ? AND ${VISIBLE} ORDER BY rank, packages.no LIMIT ? OFFSET ?)
           ${HIT} FROM found JOIN market_packages packages ON packages.no = found.no ${WITH_NEWEST}
             ORDER BY found.rank, found.no`,
          searchTerms.map(quoted).join(' OR '),
          limit + 1,
          offset,
        ),
  )
  const hits = rows.slice(0, limit).map(({ publisher, tool, version, published_at, name, description, installs }) => ({
    publisher,
    tool,
    version,
    publishedAt: published_at,
    name,
    description,
    installs,
  }))
  return { hits, more: rows.length > limit }
}

/** A term as one string of FTS5, in which nothing is an operator. */
const quoted = (term: string) => `"${term.replaceAll('"', '""')}"`
