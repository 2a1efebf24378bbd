import type { ToolDefinition } from '../registry/definition.ts'
import type { Needs } from '../registry/needs.ts'
import type { SchemaChange } from '../registry/schema-change.ts'

/** Tools that tenants publish for others, as one tenant sees them. All text is another tenant's: to be shown as text. */
export interface Market {
  /**
   * Publishes a version of a tool. One equal to the newest version adds none.
   * @throws FailureError `conflict` for a name that another has; `invalid_input` for what must not be published; `forbidden` for
   * a package that the operator blocked; `limit_exceeded`
   */
  publish(wanted: NewVersion): Promise<PublishedVersion & { readonly created: boolean }>
  /** Packages that match the words best, or without words the newest first. */
  search(query: { readonly words: string; readonly limit: number; readonly offset: number }): Promise<MarketHits>
  /**
   * One published version.
   * @param version the newest without it.
   * @throws FailureError `not_found`
   */
  find(name: PackageName, version?: number): Promise<PublishedVersion>
  /** Versions of a package, newest first. */
  versions(name: PackageName): Promise<readonly ListedVersion[]>
  /** Records that this tenant has installed the package. */
  noteInstall(name: PackageName): Promise<void>
  /**
   * Reports a package, once for each tenant: a second report replaces the first.
   * @throws FailureError `not_found`, `forbidden`
   */
  report(name: PackageName, reason: string): Promise<void>
  /**
   * Withdraws one version, or all, of this tenant's package.
   * @returns the versions.
   * @throws FailureError `not_found`
   */
  unpublish(name: PackageName, version?: number): Promise<readonly number[]>
}

/** Moderation of the marketplace by the operator of the server. */
export interface MarketModeration {
  /**
   * Blocks a package.
   * @param reason null to let it be found again.
   * @throws FailureError `not_found`
   */
  block(name: PackageName, reason: string | null): Promise<void>
  /** Reports, newest first. */
  reports(page: { readonly limit: number; readonly offset: number }): Promise<readonly MarketReport[]>
}

/** `publisher/tool`. */
export interface PackageName {
  readonly publisher: string
  readonly tool: string
}

export interface NewVersion extends PackageName {
  readonly definition: ToolDefinition
  /** Markdown. */
  readonly readme: string
  readonly examples: readonly Example[]
}

export interface Example {
  readonly args: Readonly<Record<string, unknown>>
  readonly result: unknown
}

export interface ListedVersion {
  readonly version: number
  /** Milliseconds since 1970. */
  readonly publishedAt: number
  /** Whether it is breaking against the version before it. */
  readonly breaking: boolean
}

export interface PublishedVersion extends NewVersion, ListedVersion {
  readonly changes: readonly SchemaChange[]
  readonly needs: Needs
  /** Number of tenants that have it. */
  readonly installs: number
}

export interface MarketHits {
  readonly hits: readonly (PackageName & {
    readonly name: string
    readonly description: string
    readonly version: number
    readonly publishedAt: number
    readonly installs: number
  })[]
  readonly more: boolean
}

export interface MarketReport extends PackageName {
  readonly reason: string
  readonly at: number
  readonly blocked: boolean
}
