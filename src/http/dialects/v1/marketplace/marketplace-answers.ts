import * as z from 'zod'
import { definitionFields, SchemaChangeAnswer } from '../tools/definition-schemas.ts'

/** Answers of the marketplace. All texts of a tool are those of the tenant that publishes it. */

const nameFields = { publisher: z.string(), tool: z.string() }
const version = z.int().min(1)

const Needs = z
  .object({
    secrets: z.array(z.string()).meta({ description: 'Names of your secrets that it sends, or gets.' }),
    hosts: z.array(z.string()).meta({ description: 'Origins of its requests.' }),
    tools: z.array(z.string()).meta({ description: 'Tools that it calls.' }),
    packages: z.array(z.string()).meta({ description: 'Packages that pip installs for it.' }),
    code: z.boolean().meta({ description: 'Whether it runs code in the sandbox.' }),
  })
  .meta({ id: 'Needs', description: 'What a tool needs beyond its arguments.' })

export const PackageHit = z
  .object({
    ...nameFields,
    name: z.string(),
    description: z.string(),
    version,
    published_at: z.iso.datetime(),
    installs: z.int().meta({ description: 'Number of tenants that have it.' }),
  })
  .meta({ id: 'PackageHit' })

const { id: _, toolkit: __, hidden: ___, ...shownFields } = definitionFields
const publishedFields = {
  ...nameFields,
  version,
  published_at: z.iso.datetime(),
  breaking: z.boolean().meta({ description: 'Whether it is breaking against the version before.' }),
  changes: z.array(SchemaChangeAnswer),
  installs: z.int(),
  needs: Needs,
  readme: z.string().meta({ description: 'Markdown.' }),
  examples: z.array(z.object({ args: z.record(z.string(), z.unknown()), result: z.unknown().optional() })),
  ...shownFields,
}

export const PublishedPackage = z.object(publishedFields).meta({ id: 'PublishedPackage' })

export const PackageAnswer = z
  .object({
    ...publishedFields,
    versions: z.array(z.object({ version, published_at: z.iso.datetime(), breaking: z.boolean() })),
    since: version.optional(),
    breaking_since: z.boolean().optional(),
    changes_since: z.array(SchemaChangeAnswer).optional(),
  })
  .meta({ id: 'Package' })

export const Reported = z.object({ ...nameFields, reported: z.literal(true) }).meta({ id: 'ReportedPackage' })
export const Blocked = z.object({ ...nameFields, blocked: z.boolean() }).meta({ id: 'BlockedPackage' })

export const PackageReport = z
  .object({ ...nameFields, reason: z.string(), at: z.iso.datetime(), blocked: z.boolean() })
  .meta({ id: 'PackageReport' })

export const Installed = z
  .object({
    id: z.string(),
    version: z.int().nullable(),
    installed: z.object({ ...nameFields, version }),
    enabled: z.boolean().meta({ description: 'False while secrets are missing, or wait to be allowed.' }),
    needs: Needs,
    missing_secrets: z.array(z.string()),
    secrets_to_allow: z.array(z.string()),
  })
  .meta({ id: 'InstalledPackage' })

export const Upgraded = z
  .object({
    id: z.string(),
    from: version.nullable().meta({ description: 'The version before; null after a rollback, when nobody knows.' }),
    to: version,
    breaking: z.boolean(),
    needs_more: z.array(z.string()),
    changes: z.array(SchemaChangeAnswer),
    applied: z.boolean(),
    version: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Version of the installed tool, unless it is a dry run.' }),
  })
  .meta({ id: 'UpgradedPackage' })
