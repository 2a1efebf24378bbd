import type { Internet } from '../core/internet.ts'

/**
 * Spares of a deployment: sandboxes kept booted for sessions that have none yet. A spare is one of a tenant's warm pool, or belongs to
 * no tenant until one session has it for good. All values are plain data, since this is part of the RPC surface of the object that keeps spares.
 */
export interface SandboxSpares {
  /**
   * Gives a spare away. A repeated request with the same `label` gets the same one.
   * @param label names this taking, of one session; never used for another
   * @param shape as {@link SpareMaker.shape}: a spare of another shape is not given
   * @param tenant whose session takes it: one of its warm pool comes first, and none of another tenant's is given
   * @returns null when there is none
   */
  takeSpare(label: string, shape: string, tenant?: string): Promise<Spare | null>
  /** Confirms that the session has noted its spare as its own. */
  keepSpare(label: string): Promise<void>
  /** Declines a spare that the session took, or may have taken: it is ended, and never given under that label. */
  dropSpare(label: string): Promise<void>
  /** Starts making spares, where they are kept for as long as the server runs. */
  warmSpares(): Promise<void>
  /** Compares the warm pools with what the tenants should have, soon: the owner of the server changed something of them. */
  poolsChanged(): Promise<void>
}

/** Warm pool of one tenant, as the owner of the server set it. */
export interface WarmPool {
  readonly tenant: string
  /** Number of spares kept for it where there is room. */
  readonly count: number
  /** Internet policy of its spares: that of a session which says nothing. */
  readonly internet: Internet
}

/** Time for which a spare of a tenant's warm pool ran, in milliseconds. */
export interface WarmTime {
  /** Ascending, and never given again: the tenant counts each once. */
  readonly number: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly runningMs: number
}

export interface Spare {
  readonly sandboxId: string
  /** Port of the watcher and its count when the spare was prepared; null when the watcher could not be started, or cannot say. */
  readonly watchPort: number | null
  readonly watched: string | null
  /** Process id of the program that runs commands; null when it does not start. */
  readonly supervisorPid: number | null
}

/** For whom a spare is made, and what it reaches. */
export interface SpareKind {
  readonly tenant: string | null
  readonly internet: Internet
}

/** Makes spares and looks after them. A spare is prepared like a session's new sandbox before it has files. */
export interface SpareMaker {
  /** Name of the way spares with that internet policy are made and prepared: equal names mean equal spares. */
  shape(internet: Internet): string
  /**
   * Makes a spare.
   * @param label by which the host knows it, and its id if that never came
   * @param kind its internet policy, and the tenant in whose warm pool it is; null for none
   * @param made hears its id before it is prepared, and decides whether it is to be
   * @returns null when it was not to be prepared
   * @throws as `SandboxHost.create`, or when it cannot be prepared
   */
  make(label: string, kind: SpareKind, made: (sandboxId: string) => boolean): Promise<Spare | null>
  /**
   * Keeps a spare running.
   * @returns false when it is gone, or differs from how it was prepared
   */
  look(spare: Spare): Promise<boolean>
  /**
   * Ends a spare.
   * @param sandboxId null when it is not known
   */
  end(label: string, sandboxId: string | null): Promise<void>
}
