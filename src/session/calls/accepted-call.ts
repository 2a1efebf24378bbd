import type { CallKey } from '../../core/idempotency.ts'
import type { UnchangedFile } from '../../core/packed-call.ts'
import type { Caller } from '../../tenant/api.ts'
import type { BegunCall } from '../begun/begun-call.ts'
import type { CallAccount } from '../call-account.ts'
import type { OuterCall } from '../call-scope.ts'
import type { History } from '../history.ts'
import type { Stopwatch } from '../stopwatch.ts'
import type { FileFamily } from './file-family.ts'

/** A call from its acceptance to its end. */
export interface AcceptedCall {
  readonly callId: string
  readonly stopwatch: Stopwatch
  /** Entry of the history. */
  readonly entry: Parameters<History['begin']>[0]
  readonly by: Caller
  /** The call that makes this one, if any. */
  readonly outer: OuterCall | null
  readonly account: CallAccount
  /** The call as one that goes on without its caller; null for any other. */
  readonly begun: BegunCall | null
  readonly unchanged: readonly UnchangedFile[] | undefined
  /** Idempotency key, unless the tool only reads. */
  readonly key: CallKey | null
  /** Commit before the call, where the outcome shall name the files that it changed; else null. */
  readonly since: number | null
  /** The call that names changed files: this one, or the one of which it is a step; null for any other. */
  readonly family: FileFamily | null
}

/** Parts that a call of the files alone needs. */
export type FileCall = Pick<AcceptedCall, 'callId' | 'stopwatch' | 'outer' | 'unchanged' | 'key'>
