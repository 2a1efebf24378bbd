import type { Actor } from '../core/actor.ts'

/** The audit log of one tenant. */
export interface AuditApi {
  /** Entries that follow number `after`, in order. @throws FailureError `upstream` when sealed entries are out of reach */
  page(page: { readonly after: number; readonly limit: number }): Promise<AuditPage>
  /** The last entry. */
  head(): Promise<AuditHead>
  /** Writes an action on one of the tenant's keys. */
  noteKey(note: KeyNote, by: Actor): Promise<void>
  /** Writes that a link to a file was made or revoked. @throws FailureError `rate_limited` past MAX_LINKS_PER_MINUTE new ones */
  noteLink(note: LinkNote, by: Actor): Promise<void>
  /** Writes that files of a session were set back to a commit, or that a snapshot of them was made, moved or removed, by no call. */
  noteFiles(note: FilesNote, by: Actor): Promise<void>
  /** Writes that a browser signed in to the console, or was signed out by somebody. */
  noteSignIn(note: SignInNote, by: Actor): Promise<void>
  /**
   * Writes a request that its key does not allow.
   * @param what method and path, or the tool and what it would have made
   */
  noteDenied(by: Actor, what: string): Promise<void>
}

export interface AuditPage {
  /**
   * Entries as JSON, one each. The first one says so when entries after `after` are no longer kept, and one stands for each sealed
   * segment that is not in the store as it was sealed.
   */
  readonly lines: readonly string[]
  /** The `after` of the next page; null when there is no next page yet. */
  readonly next: number | null
}

export interface AuditHead {
  /** 0 for an empty log. */
  readonly seq: number
  /** SHA-256 as 64 hex digits. */
  readonly hash: string
}

export interface LinkNote {
  readonly action: 'link.create' | 'link.revoke'
  readonly session: string
  /** Id of the link; null for all links of the session. */
  readonly id: string | null
  /** Rights of a new link. */
  readonly allows?: { readonly path: string; readonly method: string; readonly expires_at: string }
}

export type FilesNote = RestoreNote | SnapshotNote

interface RestoreNote {
  readonly action: 'session.restore'
  readonly session: string
  /** Path that was set back; '' for all files. */
  readonly path: string
  /** Commit whose state the files have again, number of changed paths, and the new commit. */
  readonly detail: { readonly from_commit: number; readonly changed: number; readonly commit: number }
}

interface SnapshotNote {
  readonly action: 'snapshot.create' | 'snapshot.replace' | 'snapshot.delete'
  readonly session: string
  readonly name: string
  /** Commit that has the name, or had it, and of a replaced one the commit before. */
  readonly detail: { readonly commit: number; readonly before?: number }
}

export interface SignInNote {
  readonly action: 'console.sign_in' | 'console.sign_out'
  /** Id of the session of the console. */
  readonly id: string
}

export interface KeyNote {
  readonly action: 'key.create' | 'key.rotate' | 'key.change' | 'key.revoke'
  /** The public part of the key. */
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  /** End of the secret before a rotation, as ISO 8601; null when it ended at once. */
  readonly old_secret_until?: string | null
  readonly allowed_addresses?: readonly string[]
  /** Id of the invitation by which the tenant was made, for its first key. */
  readonly invitation?: string
}
