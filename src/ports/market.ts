import type { ToolDefinition } from '../registry/definition.ts'
import type { Needs } from '../registry/needs.ts'
import type { SchemaChange } from '../registry/schema-change.ts'

/** Tools that tenants publish for others, as one tenant sees them. All text is another tenant's: to be shown as text. */
export interface Market {
  /**
   * Publishes a version of a tool. What is just as the newest version makes none.
   * @throws FailureError `conflict` for a name that another has; `invalid_input` for what must not be published;
   * `forbidden` for a package that the operator blocked; `limit_exceeded`
   */
  publish(wanted: NewVersion): Promise<PublishedVersion & { readonly created: boolean }>
  /** Those that fit words best, or without words the newest packages first. */
  search(asked: { readonly words: string; readonly limit: number; readonly offset: number }): Promise<MarketHits>
  /** @param version the newest without it. @throws FailureError `not_found` */
  find(name: PackageName, version?: number): Promise<PublishedVersion>
  /** Newest first. */
  versions(name: PackageName): Promise<readonly ListedVersion[]>
  /** This tenant has it now. */
  noteInstall(name: PackageName): Promise<void>
  /** Once for each tenant: a second one takes the place of the first. @throws FailureError `not_found`, `forbidden` */
  report(name: PackageName, reason: string): Promise<void>
  /**
   * Takes back one version, or all, of this tenant's.
   * @returns the versions. @throws FailureError `not_found`
   */
  unpublish(name: PackageName, version?: number): Promise<readonly number[]>
}

/** What the operator of the server does about it. */
export interface MarketModeration {
  /** @param reason null to let it be found again. @throws FailureError `not_found` */
  block(name: PackageName, reason: string | null): Promise<void>
  /** Newest first. */
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
  /** Against the version before it. */
  readonly breaking: boolean
}

export interface PublishedVersion extends NewVersion, ListedVersion {
  readonly changes: readonly SchemaChange[]
  readonly needs: Needs
  /** Tenants. */
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
