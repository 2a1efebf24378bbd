import type { HasFiles, LiveFollower } from '../ports/runner.ts'
import type { Nesting } from '../registry/chain/budget.ts'
import type { Caller } from '../tenant/api.ts'
import type { BeginNote } from './begin-note.ts'
import type { BegunCall } from './begun/begun-call.ts'
import type { CallAccount } from './call-account.ts'
import type { FileFamily } from './calls/file-family.ts'
import type { Stopwatch } from './stopwatch.ts'

/** The call that makes another one. */
export interface OuterCall {
  readonly callId: string
  readonly signal: AbortSignal
  readonly nesting: Nesting
  /** Takes what the call that it made has cost, in millionths of the currency. */
  readonly charged?: (cost: number) => void
  /** Whether the workspace has the sandbox's files as that call has them; left out where that is not known. */
  readonly hasFiles?: HasFiles
  /** The begun call that it is, or is a step of; null or left out for any other. */
  readonly begun?: BegunCall | null
  /** The call that it is, or is a step of, where that names changed files; null or left out for any other. */
  readonly family?: FileFamily | null
}

/** One running call. */
export interface CallScope {
  readonly callId: string
  readonly stopwatch: Stopwatch
  readonly tool: string
  /** Aborts to end the call. */
  readonly cancel: AbortSignal
  readonly by: Caller
  readonly outer: OuterCall | null
  readonly known: BeginNote
  readonly account: CallAccount
  /** The call that goes on without its caller: this one, or the one of which it is a step; null for any other. */
  readonly begun: BegunCall | null
  /** Takes what it prints in the sandbox while it runs; null for a call that ends at once. */
  readonly follower: LiveFollower | null
  /** The call that names changed files: this one, or the one of which it is a step; null for any other. */
  readonly family: FileFamily | null
}
