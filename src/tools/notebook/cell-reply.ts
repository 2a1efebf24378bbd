import { z } from 'zod'
import { Outputs } from './outputs.ts'

/** What the sandbox says of a cell. */
export const CellReply = z.union([
  z.object({ pending: z.string(), cell_index: z.int(), queued: z.boolean() }),
  z.object({ reset: z.literal(true) }),
  z.object({
    cell_index: z.int(),
    outputs: Outputs,
    stopped: z.enum(['timeout', 'stopping', 'killed', 'reset']).nullable(),
    notes: z.array(z.string()),
    seconds: z.number(),
    /** `str()` of the last expression, where that was asked for and it is not None. */
    value: z.string().nullable(),
    /** That the kernel ended meanwhile by itself, and how; null when it lives. */
    died: z.string().nullable(),
  }),
])
export type CellReply = z.output<typeof CellReply>
