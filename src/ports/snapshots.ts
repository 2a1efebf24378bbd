import type { Moment } from '../core/moment.ts'

/** Named moments of a session's files, which do not expire. */
export interface Snapshots {
  /**
   * Names a moment; the present one when null.
   * @throws FailureError `not_found`, `conflict`, `limit_exceeded`
   */
  put(request: { readonly name: string; readonly moment: Moment | null; readonly replaces: boolean }): {
    readonly created: boolean
    readonly snapshot: NamedMoment
  }
  /** All snapshots, in order of their names. */
  list(): Promise<readonly NamedMoment[]>
  /** @throws FailureError `not_found` */
  remove(name: string): Promise<void>
  /** Makes a session with the files as of a moment, after running commands' changes were taken over. */
  fork(request: ForkRequest): Promise<Fork>
}

export interface NamedMoment {
  readonly name: string
  readonly commit: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

export interface ForkRequest {
  /** Name of the new session. */
  readonly name: string
  /** Moment whose files it gets; the present one when null. */
  readonly moment: Moment | null
  /** Title and labels; those of this session when left out. */
  readonly title?: string
  readonly labels?: Readonly<Record<string, string>>
}

export interface Fork {
  readonly name: string
  /** Commit of this session whose files it has. */
  readonly commit: number
}
