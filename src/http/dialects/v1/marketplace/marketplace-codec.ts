import * as z from 'zod'
import { MAX_LISTED_PACKAGES, MAX_MARKET_OFFSET, MAX_REPORT_CHARS } from '../../../../core/limits/marketplace.ts'
import { MAX_TOOL_CREDENTIALS } from '../../../../core/limits/registry.ts'
import type { ListedVersion, MarketHits, MarketReport, PublishedVersion } from '../../../../ports/market.ts'
import { knownFields } from '../../../../registry/known-fields.ts'
import type { SchemaChange } from '../../../../registry/schema-change.ts'
import { flag, integer, withDefault } from '../../../../tools/arguments.ts'

const Version = z.int().min(1)

export const Page = z.object({
  limit: withDefault(
    integer.pipe(
      z.int().min(1).max(MAX_LISTED_PACKAGES, `must be at most ${MAX_LISTED_PACKAGES} (MAX_LISTED_PACKAGES)`),
    ),
    20,
  ),
  cursor: withDefault(
    integer.pipe(z.int().min(0).max(MAX_MARKET_OFFSET, `must be at most ${MAX_MARKET_OFFSET} (MAX_MARKET_OFFSET)`)),
    0,
  ),
})

export const SearchQuery = Page.extend({ q: z.string().default('') })

export const VersionQuery = z.object({
  version: integer.pipe(Version).optional(),
  since: integer.pipe(Version).optional(),
})

export const Publish = knownFields({
  /** Id of the caller's tool: `id`, or `id@version`. */
  id: z.string().min(1),
  publisher: z.string(),
  /** Name in the marketplace; the tool's id by default. */
  tool: z.string().optional(),
  /** Readme; by default that of the version before, as with examples. */
  readme: z.string().optional(),
  examples: z.array(knownFields({ args: z.record(z.string(), z.unknown()), result: z.unknown() })).optional(),
})

export const Install = knownFields({
  version: Version.optional(),
  id: z.string().min(1).optional(),
  /** Names of the caller's secrets that the tool may use. */
  allow_secrets: z.array(z.string()).max(MAX_TOOL_CREDENTIALS).default([]),
})

export const Upgrade = knownFields({
  version: Version.optional(),
  id: z.string().min(1).optional(),
  dry_run: flag.default(false),
  accept_breaking: flag.default(false),
})

const Reason = z
  .string()
  .trim()
  .min(1)
  .max(MAX_REPORT_CHARS, `has more than ${MAX_REPORT_CHARS} characters (MAX_REPORT_CHARS)`)
export const Report = knownFields({ reason: Reason })
export const Block = z.strictObject({ reason: Reason.nullable() })

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
