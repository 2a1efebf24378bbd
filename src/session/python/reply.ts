import * as z from 'zod'
import { parseExactly } from '../../core/exact-json.ts'
import { fail } from '../../core/failure.ts'
import { exceededAt } from '../../core/json-bounds.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../core/limits/requests.ts'
import { workspacePath } from '../../core/workspace-path.ts'
import type { PythonEnd } from '../../ports/python.ts'
import type { Output } from '../../ports/runner.ts'
import type { Mask } from '../../tools/registered/masked.ts'

const Printed = z.object({
  text: z.string(),
  bytes: z.number(),
  file: z.string().nullable(),
})

/**
 * Reported milliseconds, rounded and bounded, as the call's cost is counted by them: code that is root in its sandbox may have
 * forged the report.
 */
const Milliseconds = z.number().transform((ms) => Math.round(Math.min(Math.max(ms, 0), MAX_REPORTED_MS)))
const MAX_REPORTED_MS = 24 * 60 * 60_000

const Ran = z.object({
  ms: Milliseconds,
  warm: z.boolean(),
  out: Printed,
  err: Printed,
  background: z.boolean(),
  watched: z.string().nullable(),
  /** Output of the module's process: JSON from an untrusted source. */
  said: z.string().optional(),
  how: z.enum(['timedOut', 'died', 'tooLarge']).optional(),
  exitCode: z.number().optional(),
  bytes: z.number().optional(),
})

/** The host's report of one call. */
export const HostReply = z.union([
  z.object({ unknown: z.literal(true) }),
  z.object({ full: z.literal(true) }),
  z.object({ waited: z.literal(true) }),
  Ran,
])

const ModuleReply = z.discriminatedUnion('how', [
  z.object({ how: z.literal('returned'), value: z.unknown() }),
  z.object({ how: z.literal('returnedText'), text: z.string(), type: z.string() }),
  z.object({
    how: z.literal('raised'),
    type: z.string(),
    message: z.string(),
    traceback: z.string(),
    where: z.string().exactOptional(),
  }),
  z.object({
    how: z.literal('unloadable'),
    type: z.string(),
    message: z.string(),
    at: z.string().exactOptional(),
    missing: z.string().exactOptional(),
    where: z.string().exactOptional(),
  }),
  z.object({ how: z.literal('tooLarge'), bytes: z.number() }),
])

/** Reads the end of a call. @throws FailureError `limit_exceeded` for JSON that is too deep */
export function readEnd({ said, how, exitCode = -1, bytes = 0 }: z.output<typeof Ran>, mask: Mask): PythonEnd {
  if (said === undefined) {
    if (how === 'died') return { how, exitCode }
    return how === 'tooLarge' ? { how, bytes } : { how: 'timedOut' }
  }
  const exceeded = exceededAt(said, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES })
  if (exceeded) return fail('limit_exceeded', exceeded.what === 'depth' ? TOO_DEEP : TOO_MANY)
  const end = ModuleReply.safeParse(parseReply(said))
  return end.success ? withoutSecrets(end.data, mask) : { how: 'died', exitCode: -1 }
}

/** Masks secrets after parsing, since Python writes the same text in more than one way as JSON. */
function withoutSecrets<Read extends { readonly how: string }>(read: Read, mask: Mask): Read {
  const fields = Object.entries(read).map(([name, value]) => [name, name === 'how' ? value : mask.value(value)])
  return Object.fromEntries(fields) as Read // the same fields: masked texts are texts still, or stand in a value
}

export const readPrinted = ({ text, bytes, file }: z.output<typeof Printed>): Output => ({
  text,
  bytes,
  ...(file !== null && { file: workspacePath(file) }),
})

function parseReply(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return null // it wrote there itself
  }
}

const TOO_DEEP = `what it returned is nested deeper than ${MAX_JSON_DEPTH} levels (MAX_JSON_DEPTH); let it return less of a tree`
const TOO_MANY = `what it returned has more than ${MAX_JSON_VALUES} values (MAX_JSON_VALUES); let it write them into a file`
