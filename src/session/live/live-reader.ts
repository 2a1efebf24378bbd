import * as z from 'zod'
import { LIVE_MESSAGE_BYTES } from '../../core/limits/calls.ts'
import type { LivePiece } from '../../ports/runner.ts'

const Message = z.object({
  /** Number of the message, from 1 on. */
  n: z.int().min(1),
  stream: z.enum(['stdout', 'stderr']),
  text: z.string().max(LIVE_MESSAGE_BYTES + 4),
  skipped: z.int().min(0),
})

/** Reads messages from the sandbox about what a call prints, each once. Others, which code of the task may have forged, count for nothing. */
export function liveReader(live: (piece: LivePiece) => void): (message: unknown) => void {
  let heard = 0
  return (message) => {
    const { data } = Message.safeParse(message)
    if (!data || data.n <= heard) return
    heard = data.n
    const { stream, text, skipped } = data
    live({ stream, text, ...(skipped > 0 && { skipped }) })
  }
}
