import { fail } from '../core/failure.ts'
import {
  MAX_EXAMPLES,
  MAX_MARKET_CHARS_PER_TENANT,
  MAX_PACKAGE_VERSIONS,
  MAX_PACKAGES_PER_TENANT,
  MAX_README_CHARS,
} from '../core/limits/marketplace.ts'
import { sql } from '../ports/database.ts'
import type { Market, NewVersion, PackageName } from '../ports/market.ts'
import { ToolDefinition } from '../registry/definition.ts'
import { needsOf } from '../registry/needs.ts'
import { compareSchemas, type SchemaChange } from '../registry/schema-change.ts'
import type { MarketParts } from './parts.ts'
import { checkPublishable, checkPublisher, checkToolName, publicDefinition, textOf } from './publishable.ts'
import { decodeVersion, findPackage, findVersion, installsOf, type PackageRow } from './rows.ts'
import { indexed } from './search.ts'

/** {@link Market.publish} for one tenant. */
export function publisherOf({ db, tenant, clock, rules }: MarketParts): Market['publish'] {
  return async (given) => {
    checkPublisher(given.publisher)
    checkToolName(given.tool)
    const definition = publicDefinition(given.definition, `${given.publisher}/${given.tool}`)
    const wanted: NewVersion = { ...given, definition }
    checkSizes(wanted)
    checkPublishable(wanted, rules)

    await takeName(given.publisher)
    const found = await openPackage(given)
    if (found.blocked !== null) fail('forbidden', `the operator of this server blocked it: ${found.blocked}`)
    const newest = await findVersion(db, found.no, null)
    if (newest && textOf(wanted) === textOf(decodeVersion(given, newest, 0))) {
      return { ...decodeVersion(given, newest, await installsOf(db, found.no)), created: false }
    }
    const version = await nextVersion(found)
    const before = newest && ToolDefinition.parse(JSON.parse(newest.definition))
    const { breaking, changes } = before ? compareSchemas(before, definition) : { breaking: false, changes: [] }
    const compared = { breaking, changes: changes.map(shorten) }
    const chars = textOf(wanted).length
    const publishedAt = clock.now()
    const { name, description } = definition
    const { readme } = given
    // Checked in the statement that writes: two versions published at once may not both fit.
    const insert = sql(
      `INSERT INTO market_versions
         (package, version, state, published_at, definition, readme, examples, breaking, changes, chars)
         SELECT ?1, ?2, 'published', ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE ${KEPT_CHARS} + ?9 <= ?11 RETURNING version`,
      found.no,
      version,
      publishedAt,
      JSON.stringify(definition),
      readme,
      JSON.stringify(given.examples),
      compared.breaking ? 1 : 0,
      JSON.stringify(compared.changes),
      chars,
      tenant,
      MAX_MARKET_CHARS_PER_TENANT,
    )
    const texts = { publisher: given.publisher, name: `${given.tool} ${name}`, description, readme }
    const index = indexed(found.no, { ...texts, version })
    const [inserted = []] = await db.batch([insert, ...index]).catch(async (thrown: unknown) => {
      if ((await nextVersion(found)) > version) fail('conflict', 'another version was published meanwhile; look at it')
      throw thrown
    })
    if (inserted.length === 0) {
      fail(
        'limit_exceeded',
        `all that you publish would have more than ${MAX_MARKET_CHARS_PER_TENANT} characters (MAX_MARKET_CHARS_PER_TENANT); unpublish old versions first`,
      )
    }
    const installs = await installsOf(db, found.no)
    return { ...wanted, version, publishedAt, ...compared, needs: needsOf(definition), installs, created: true }
  }

  /** Takes a publisher's name for the tenant, if no tenant has it. */
  async function takeName(name: string): Promise<void> {
    await db.rows(
      sql(
        'INSERT INTO market_publishers (name, tenant, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        name,
        tenant,
        clock.now(),
      ),
    )
    const rows = await db.rows<{ name: string; tenant: string }>(
      sql('SELECT name, tenant FROM market_publishers WHERE name = ? OR tenant = ?', name, tenant),
    )
    const own = rows.find((row) => row.tenant === tenant)
    if (own?.name === name) return
    if (own) fail('conflict', `you publish as ${own.name}; a publisher has one name, and keeps it`)
    fail('conflict', `the publisher ${name} is taken; choose another name`)
  }

  async function openPackage(name: PackageName): Promise<PackageRow> {
    await db.rows(
      sql(
        `INSERT INTO market_packages (publisher, tool) SELECT ?1, ?2
           WHERE (SELECT count(*) FROM market_packages WHERE publisher = ?1) < ?3 ON CONFLICT DO NOTHING`,
        name.publisher,
        name.tool,
        MAX_PACKAGES_PER_TENANT,
      ),
    )
    return (
      (await findPackage(db, name)) ??
      fail(
        'limit_exceeded',
        `${name.publisher} has ${MAX_PACKAGES_PER_TENANT} packages, and no more are kept (MAX_PACKAGES_PER_TENANT)`,
      )
    )
  }

  /** Number of the next version. Numbers of withdrawn versions are not used again. */
  async function nextVersion({ no }: PackageRow): Promise<number> {
    const [{ latest } = { latest: null }] = await db.rows<{ latest: number | null }>(
      sql('SELECT max(version) AS latest FROM market_versions WHERE package = ?', no),
    )
    const version = (latest ?? 0) + 1
    if (version > MAX_PACKAGE_VERSIONS) {
      fail(
        'limit_exceeded',
        `the package has had ${MAX_PACKAGE_VERSIONS} versions (MAX_PACKAGE_VERSIONS); make another`,
      )
    }
    return version
  }
}

/** Cuts names, which may be as long as their schema. */
const shorten = (change: SchemaChange): SchemaChange => ({
  ...change,
  path: change.path.slice(0, MAX_CHANGE_CHARS).toWellFormed(),
  what: change.what.slice(0, MAX_CHANGE_CHARS).toWellFormed(),
})

const MAX_CHANGE_CHARS = 500

/** SQL for the characters of all versions that the tenant `?10` publishes. */
const KEPT_CHARS = `(SELECT coalesce(sum(versions.chars), 0) FROM market_versions versions
  JOIN market_packages packages ON packages.no = versions.package
  JOIN market_publishers publishers ON publishers.name = packages.publisher WHERE publishers.tenant = ?10)`

function checkSizes({ readme, examples }: NewVersion): void {
  if (readme.length > MAX_README_CHARS) {
    fail(
      'limit_exceeded',
      `the readme has ${readme.length} characters; at most ${MAX_README_CHARS} are taken (MAX_README_CHARS)`,
    )
  }
  if (examples.length > MAX_EXAMPLES) {
    fail('limit_exceeded', `there are ${examples.length} examples; at most ${MAX_EXAMPLES} are taken (MAX_EXAMPLES)`)
  }
}
