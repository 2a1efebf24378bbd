/** A call whose outcome names changed files, with the calls that it makes: what any of them changes, it has changed. */
export class FileFamily {
  /** Ids of the call and of those that it made so far. */
  readonly callIds: string[]
  /** True when others worked in the sandbox at the same time, whose changes cannot be told apart. */
  isShared = false

  constructor(callId: string) {
    this.callIds = [callId]
  }
}
