import { type Failure, failureIn } from './failure.ts'
import type { Receipt } from './receipt.ts'
import type { Vocabulary } from './saying/worded.ts'

/** Outcome: how one call ended. Plain data, so it crosses Durable Object RPC whole. */
export type Outcome = (
  | { readonly kind: 'done'; readonly result: Result }
  /** The tool ran and could not do it. The model should read why. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The tool never ran: no such tool, mismatched arguments, not allowed, over a limit. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The work goes on after this call: call `next` for its result. */
  | ({ readonly kind: 'pending' } & Pending)
) & {
  readonly receipt?: Receipt
  /** The call's id in the history; absent for a call that is not noted there. */
  readonly callId?: string
  /** Files that the call changed, where its caller wants them. */
  readonly files?: CallFiles
  /** Whether this is the kept outcome of an earlier call with the same idempotency key. */
  readonly replayed?: true
}

/** Files that a call changed, with the calls that it made. */
export interface CallFiles {
  readonly files: readonly CallFile[]
  /** Number of further files, which are not named. */
  readonly more: number
  /** True when other calls or background processes worked in the sandbox meanwhile: these are the changes of all calls. */
  readonly isShared?: true
}

export interface CallFile {
  readonly path: string
  readonly change: 'created' | 'modified' | 'deleted'
  /** Size in bytes; null for a deleted file. */
  readonly size: number | null
}

/**
 * The same answer twice: `text` for a model to read, `data` for a dialect that has named fields.
 * `data` is JSON; a recursive Json type here makes the RPC stub's type infinite (TS2589).
 */
export interface Result {
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
  /** Parts that are no text, in the form that MCP has for them. `data` has their content too, for dialects without such parts. */
  readonly content?: readonly ContentPart[]
}

/** A picture for a model. `data`: its bytes in base64. */
export interface ContentPart {
  readonly type: 'image'
  readonly mimeType: string
  readonly data: string
}

/** Answer of a tool whose work goes on after the call. */
export interface Pending {
  /** Result so far: how far the work is, whom it waits for, how to stop it. */
  readonly soFar: Result
  /** The call that waits on, and gives the result in the end. */
  readonly next: ToolCall
  readonly retryAfterMs: number
}

/** The outcome with its failure, if it is one, in the names of a dialect. */
export const outcomeIn = (outcome: Outcome, vocabulary: Vocabulary): Outcome =>
  'failure' in outcome ? { ...outcome, failure: failureIn(outcome.failure, vocabulary) } : outcome

/** Request of a caller to a session: a canonical tool name, and its arguments as they arrived. */
export interface ToolCall {
  readonly tool: string
  readonly args: unknown
}
