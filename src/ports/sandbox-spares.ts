/**
 * Spares of a deployment: sandboxes kept booted for sessions that have none yet. A spare belongs to no tenant, until one session
 * has it for good. All values are plain data, since this is part of the RPC surface of the object that keeps spares.
 */
export interface SandboxSpares {
  /**
   * Gives a spare away. A repeated request with the same `label` gets the same one.
   * @param label names this taking, of one session; never used for another
   * @param shape as {@link SpareMaker.shape}: a spare of another shape is not given
   * @returns null when there is none
   */
  takeSpare(label: string, shape: string): Promise<Spare | null>
  /** Confirms that the session has noted its spare as its own. */
  keepSpare(label: string): Promise<void>
  /** Declines a spare that the session took, or may have taken: it is ended, and never given under that label. */
  dropSpare(label: string): Promise<void>
  /** Starts making spares, where they are kept for as long as the server runs. */
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

/** Makes spares and looks after them. A spare is prepared like a session's new sandbox before it has files. */
export interface SpareMaker {
  /** Name of the way spares are made and prepared: equal names mean equal spares. */
  readonly shape: string
  /**
   * Makes a spare.
   * @param label by which the host knows it, and its id if that never came
   * @param made hears its id before it is prepared, and decides whether it is to be
   * @returns null when it was not to be prepared
   * @throws as `SandboxHost.create`, or when it cannot be prepared
   */
  make(label: string, made: (sandboxId: string) => boolean): Promise<Spare | null>
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
