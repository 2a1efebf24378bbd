/**
 * Sandboxes that are kept booted, of a deployment, for sessions that have none yet. A spare belongs to no tenant, until one
 * session has it for good. Everything is plain data, since this is part of the RPC surface of the object that keeps them.
 */
export interface SandboxSpares {
  /**
   * Gives a spare away. Asked again with the same `label`, it gives the same one.
   * @param label names this taking, of one session; never used for another
   * @param shape as {@link SpareMaker.shape}: one that was made otherwise is not given
   * @returns null when there is none
   */
  takeSpare(label: string, shape: string): Promise<Spare | null>
  /** The session that took a spare has noted that it is its own. */
  keepSpare(label: string): Promise<void>
  /** The session has no use for what it took, or may have taken: it is ended, and never given under that label. */
  dropSpare(label: string): Promise<void>
  /** Has spares made, where they are kept for as long as the server runs. */
  warmSpares(): Promise<void>
}

export interface Spare {
  readonly sandboxId: string
  /** Port of the watcher and its count when the spare was prepared; null when the watcher could not be started, or cannot say. */
  readonly watchPort: number | null
  readonly watched: string | null
  /** Process id of the program that runs commands; null when it does not start. */
  readonly supervisorPid: number | null
}

/** Makes spares and looks after them: what a session would do with a new sandbox before it has files. */
export interface SpareMaker {
  /** Equal where sandboxes are made and prepared alike. */
  readonly shape: string
  /**
   * @param label by which the host knows it, and its id if that never came
   * @param made hears its id before it is prepared, and whether it is to be
   * @returns null when it was not to be prepared
   * @throws as `SandboxHost.create`, or when it cannot be prepared
   */
  make(label: string, made: (sandboxId: string) => boolean): Promise<Spare | null>
  /** Lets it run on. @returns false when it is gone, or is not any more as it was prepared */
  look(spare: Spare): Promise<boolean>
  /** @param sandboxId null when it is not known */
  end(label: string, sandboxId: string | null): Promise<void>
}
