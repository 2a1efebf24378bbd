import * as z from 'zod'
import { MAX_LISTED_PACKAGES, MAX_MARKET_OFFSET, MAX_REPORT_CHARS } from '../../../../core/limits/marketplace.ts'
import { MAX_TOOL_CREDENTIALS } from '../../../../core/limits/registry.ts'
import type { ListedVersion, MarketHits, MarketReport, PublishedVersion } from '../../../../ports/market.ts'
import { knownFields } from '../../../../registry/known-fields.ts'
import type { SchemaChange } from '../../../../registry/schema-change.ts'
import { flag, integerWithin } from '../../../../tools/arguments.ts'
import { numberedPageQuery } from '../../../operations/page.ts'

const Version = z.int().min(1)

export const PageQuery = z.object(
  numberedPageQuery(MAX_LISTED_PACKAGES, 20, {
    end: MAX_MARKET_OFFSET,
    limit: `must be at most ${MAX_LISTED_PACKAGES} (MAX_LISTED_PACKAGES)`,
    cursor: `must be at most ${MAX_MARKET_OFFSET} (MAX_MARKET_OFFSET)`,
  }),
)

export const SearchQuery = PageQuery.extend({
  q: z.string().default('').meta({ description: 'Words to look for; without any the newest packages come first.' }),
})

const versionQuery = (description: string) => integerWithin(1, Number.MAX_SAFE_INTEGER).optional().meta({ description })

export const PackageQuery = z.object({
  version: versionQuery('A version; the newest if not given.'),
  since: versionQuery('A version to compare with.'),
})

export const UnpublishQuery = z.object({ version: versionQuery('A version; all if not given.') })

export const Publish = knownFields({
  id: z.string().min(1).meta({ description: 'Id of your tool: `id`, or `id@version`.' }),
  publisher: z.string(),
  tool: z.string().optional().meta({ description: "Name in the marketplace; the tool's id by default." }),
  readme: z
    .string()
    .optional()
    .meta({ description: 'Markdown; that of the version before by default, as with examples.' }),
  examples: z.array(knownFields({ args: z.record(z.string(), z.unknown()), result: z.unknown() })).optional(),
}).meta({ id: 'ToolToPublish' })

export const Install = knownFields({
  version: Version.optional(),
  id: z.string().min(1).optional(),
  allow_secrets: z
    .array(z.string())
    .max(MAX_TOOL_CREDENTIALS)
    .default([])
    .meta({ description: 'Names of your secrets that the tool may use.' }),
}).meta({ id: 'PackageToInstall' })

export const Upgrade = knownFields({
  version: Version.optional(),
  id: z.string().min(1).optional(),
  dry_run: flag.default(false),
  accept_breaking: flag.default(false),
}).meta({ id: 'PackageUpgrade' })

const Reason = z
  .string()
  .trim()
  .min(1)
  .max(MAX_REPORT_CHARS, `has more than ${MAX_REPORT_CHARS} characters (MAX_REPORT_CHARS)`)
export const Report = knownFields({ reason: Reason }).meta({ id: 'NewPackageReport' })
export const Block = z
  .strictObject({ reason: Reason.nullable().meta({ description: 'Null lets the package be found again.' }) })
  .meta({ id: 'PackageBlock' })

/** Parameters of a package's path. */
export const NAME = { publisher: 'Name of the publisher.', tool: 'Name of the tool in the marketplace.' }

export const encodeHits = ({ hits }: MarketHits) =>
  hits.map(({ publishedAt, ...hit }) => ({ ...hit, published_at: isoOf(publishedAt) }))

export function encodePublished(published: PublishedVersion) {
  const { publisher, tool, version, publishedAt, definition, breaking, ...rest } = published
  const { readme, examples, needs, installs, changes } = rest
  const { id: _, toolkit: __, hidden: ___, ...shown } = definition
  return {
    publisher,
    tool,
    version,
    published_at: isoOf(publishedAt),
    breaking,
    changes: changes.map(encodeChange),
    installs,
    needs,
    readme,
    examples,
    ...shown,
  }
}

export const encodeVersion = ({ version, publishedAt, breaking }: ListedVersion) => ({
  version,
  published_at: isoOf(publishedAt),
  breaking,
})

export const encodeChange = ({ schema, path, what, breaking }: SchemaChange) => ({ schema, path, what, breaking })

export const encodeReport = ({ at, ...report }: MarketReport) => ({ ...report, at: isoOf(at) })

const isoOf = (at: number) => new Date(at).toISOString()
