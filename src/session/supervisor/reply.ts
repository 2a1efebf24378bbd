import * as z from 'zod'
import { MAX_OUTPUT_BYTES } from '../../core/limits/sandbox.ts'
import { type Captured, type Ended, headOf, tailOf, type Unable } from '../sandbox/exec-script.ts'

const Printed = z.object({
  head: z.string().max(MAX_OUTPUT_BYTES),
  tail: z.string().max(MAX_OUTPUT_BYTES),
  bytes: z.int().min(0),
})

const Reply = z.union([
  z.object({ unable: z.enum(['gone', 'cwd', 'full', 'taken', 'unable']) }),
  z.object({
    code: z.int().min(0).max(255),
    out: Printed,
    err: Printed,
    /** True when background processes of the command live on. */
    background: z.boolean(),
    /** Count of the watcher. */
    watched: z.string().nullable(),
    /** True when the deadline came, and the command was killed. */
    late: z.boolean(),
    /** True when one of the outputs grew beyond its limit, and its writer was killed. */
    flooded: z.boolean(),
    /** Signal that ended the command's shell. */
    signal: z.int().min(1).max(64).optional(),
    /** Set where memory ran out: that of the sandbox, in MiB; 0 when unknown. */
    memory_mb: z.int().min(0).optional(),
    /** Set where a file grew to its limit, in MiB; 0 when unknown. */
    file_mb: z.int().min(0).optional(),
  }),
])

/**
 * Reads the supervisor's report of one command: it comes from code that the command may have ended and replaced.
 * @returns `elsewhere` when the command has not begun and must be run in another way; null when that is unknown
 */
export function readReply(message: unknown, watched: string | null): Ended | Unable | 'late' | 'elsewhere' | null {
  const read = Reply.safeParse(message)
  if (!read.success) return null
  const { data } = read
  if ('unable' in data) {
    if (data.unable === 'taken') return null
    return data.unable === 'unable' ? 'elsewhere' : data.unable
  }
  if (data.late) return 'late'
  return {
    exitCode: data.code,
    stdout: captured(data.out),
    stderr: captured(data.err),
    background: data.background,
    changed: data.watched === null || data.watched !== watched,
    ...(data.watched !== null && { watched: data.watched }),
    ...(data.flooded && { flooded: true }),
    ...(data.signal !== undefined && { signal: data.signal }),
    ...(data.memory_mb !== undefined && { memoryMb: data.memory_mb }),
    ...(data.file_mb !== undefined && { fileMb: data.file_mb }),
  }
}

function captured({ head, tail, bytes }: z.output<typeof Printed>): Captured {
  if (bytes <= MAX_OUTPUT_BYTES) return { head, tail: '', bytes, capped: false }
  return { head: headOf(head), tail: tailOf(tail), bytes, capped: true }
}
