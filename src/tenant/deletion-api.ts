import type { Lifetimes } from '../core/session-settings.ts'
import type { Renewal, SealedState } from './sealed-api.ts'

/** Step of a tenant's deletion, in their order: `keys` closes the tenant in the database of keys, `end` writes its receipt. */
export const DELETION_STEPS = ['keys', 'sessions', 'objects', 'rows', 'tables', 'end'] as const

export type DeletionStep = (typeof DELETION_STEPS)[number]

/** Progress of a tenant's deletion, and its receipt in the end. Times are milliseconds since 1970. */
export interface Deletion {
  /** `deleted` when nothing is left. */
  readonly step: DeletionStep | 'deleted'
  readonly requestedAt: number
  readonly endedAt: number | null
  /** Sessions that the tenant had, and those of them that are removed. */
  readonly sessions: { readonly total: number; readonly removed: number }
  /** Stored contents that are removed, and their size. */
  readonly objects: { readonly removed: number; readonly bytes: number }
  /** Rows that the tenant had in the shared database, and its registered tools; null until they are counted. */
  readonly rows: DeletedRows | null
  /** Reason why the last try failed, for the owner; null after one that did not. */
  readonly problem: string | null
}

export interface DeletedRows {
  readonly keys: number
  readonly tools: number
  readonly papers: number
  /** Packages in the marketplace. */
  readonly packages: number
}

/** Sandboxes that the owner of the server ends: all, or those that reach more of the internet than their sessions may now. */
export type EndedSandboxes = 'any' | 'exceeding'

/** Work of the server's owner on a tenant, which the tenant's object does by its alarm. */
export interface TenantOwnerApi {
  /** Closes the tenant for good, and begins to remove it. Repeated, it changes nothing. */
  beginDeletion(): Promise<Deletion>
  /** Progress of the deletion; null for a tenant that is not being deleted. */
  deletion(): Promise<Deletion | null>
  /** Begins to end sandboxes of the tenant, whose files are taken over before; all of them where `which` is left out. */
  endSandboxes(which?: EndedSandboxes): Promise<void>
  /** Stops that, for a tenant that may have sandboxes again, but for those that exceed their policy. */
  keepSandboxes(): Promise<void>
  /** Encrypted records by key; none of a tenant that is being deleted. */
  sealed(): Promise<SealedState>
  /** Encrypts records of other keys by the present one, so many at a time; fails with `conflict` without SECRETS_KEY. */
  renewSealed(): Promise<Renewal>
  /** Lifetimes of new sessions that bring none; null for a tenant that is being deleted. */
  sessionDefaults(): Promise<Lifetimes | null>
  /** Replaces them, for sessions made from now on. @returns false for a tenant that is being deleted, where nothing changes */
  putSessionDefaults(lifetimes: Lifetimes): Promise<boolean>
  /** Notes in the tenant's audit log that it is exported. @returns false for a tenant that is being deleted, of which nothing is */
  beginExport(): Promise<boolean>
  /** All versions of registered tools behind one, sorted by id and version, a page of them. @throws for a deleted tenant */
  exportTools(after: ToolPlace): Promise<ExportedTools>
}

/** A version of a tool; the place before all is that of an empty id. */
export interface ToolPlace {
  readonly id: string
  readonly version: number
}

export interface ExportedTools {
  /** Versions as JSON, one each, with their definitions. */
  readonly lines: readonly string[]
  /** Where the next page begins; null behind the last one. */
  readonly next: ToolPlace | null
}
