import type { Failure } from '../../../../core/failure.ts'
import type { Outcome, Result, ToolCall } from '../../../../core/outcome.ts'
import { withDownloads } from '../../../download-url.ts'

/** Fields that repeat an argument under another name, by field. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['executed_file', 'file_path']])

/**
 * Outcome of a call of a published tool, with only what informs: fields that repeat an argument as the caller sent it are left
 * out, and so are those that are null. Files for people have an address to download them from. A refusal is not changed: its fields
 * are not the tool's, and headers such as `Retry-After` are made of them.
 */
export function informing(outcome: Outcome, { tool, args }: ToolCall, session: string): Outcome {
  switch (outcome.kind) {
    case 'done':
      return {
        ...outcome,
        result: { ...outcome.result, data: newIn(withDownloads(outcome.result.data, tool, session), args) },
      }
    case 'pending':
      return { ...outcome, soFar: { ...outcome.soFar, data: newIn(outcome.soFar.data, args) } }
    case 'failed':
      return { ...outcome, failure: failureOf(outcome.failure, args) }
    case 'refused':
      return outcome
  }
}

const failureOf = (failure: Failure, args: unknown): Failure =>
  failure.data ? { ...failure, data: newIn(failure.data, args) } : failure

function newIn(data: Result['data'], args: unknown): Result['data'] {
  const sent = new Map(typeof args === 'object' && args !== null ? Object.entries(args) : [])
  const isEcho = (name: string, value: unknown) =>
    typeof value !== 'object' && value === sent.get(OTHER_NAMES.get(name) ?? name)
  return Object.fromEntries(Object.entries(data).filter(([name, value]) => value !== null && !isEcho(name, value)))
}
