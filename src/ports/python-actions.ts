/** Lagent's actions that clients brought to this session as Python. They go with it. */
export interface PythonActions {
  /** In the order in which they came. */
  list(): readonly SessionAction[]
  /** Null when there is none of that name. */
  find(name: string): SessionAction | null
  /**
   * The actions of one source; those of the same names are replaced.
   * @throws FailureError `limit_exceeded` beyond MAX_PYTHON_ACTIONS
   */
  put(source: ActionSource, actions: readonly Omit<SessionAction, 'source'>[]): void
  /** @returns false when there was none */
  remove(name: string): boolean
}

export interface ActionSource {
  readonly text: string
  readonly requirements: readonly string[]
}

export interface SessionAction {
  /** What it is called by. */
  readonly name: string
  /** How it was described when it came: JSON. */
  readonly described: Readonly<Record<string, unknown>>
  readonly source: ActionSource
}
