import * as z from 'zod'
import { Outputs } from './outputs.ts'

/** Reply of the sandbox about a cell. */
export const CellReply = z.union([
  z.object({ pending: z.string(), cell_index: z.int(), queued: z.boolean() }),
  z.object({ reset: z.literal(true) }),
  z.object({
    cell_index: z.int(),
    outputs: Outputs,
    stopped: z.enum(['timeout', 'stopping', 'killed', 'reset']).nullable(),
    notes: z.array(z.string()),
    seconds: z.number(),
    /** `str()` of the last expression, where requested and not None. */
    value: z.string().nullable(),
    /** How the kernel ended by itself meanwhile; null when it lives. */
    died: z.string().nullable(),
  }),
])
export type CellReply = z.output<typeof CellReply>
