import { fail } from '../core/failure.ts'
import { BODY_GRACE_SECONDS, LARGE_BODY_BYTES, LEAST_BODY_PACE } from '../core/limits/memory.ts'

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>
type Piece = Awaited<ReturnType<Reader['read']>>

/**
 * Pace at which a body arrives, from when it has room in memory: who sends more slowly than LEAST_BODY_PACE would keep the room from
 * others. Seconds are ticks of a timer, which does not fire while a piece of work has the thread: a sender does not pay for that.
 */
export class BodyPace {
  #timer: ReturnType<typeof setInterval> | undefined
  /** Bytes by which the sender is ahead. */
  #ahead = BODY_GRACE_SECONDS * LEAST_BODY_PACE
  #endRead: () => void = () => {}

  begin(): void {
    this.#timer = setInterval(() => {
      this.#ahead -= LEAST_BODY_PACE
      if (this.#ahead <= 0) this.#endRead()
    }, 1_000)
  }

  get hasBegun(): boolean {
    return this.#timer !== undefined
  }

  /** The next piece of a body. @throws FailureError `timeout` when it comes too slowly */
  async read(reader: Reader): Promise<Piece> {
    if (!this.hasBegun) return reader.read()
    // No race with one promise for the whole body, which would hold every piece until its end.
    const piece = await new Promise<Piece | null>((resolve, reject) => {
      this.#endRead = () => resolve(null)
      reader.read().then(resolve, reject)
    })
    if (piece === null) return tooSlow()
    this.#ahead += piece.value?.byteLength ?? 0
    return piece
  }

  end(): void {
    clearInterval(this.#timer)
  }
}

const tooSlow = (): never =>
  fail(
    'timeout',
    `the body came too slowly: one of more than ${LARGE_BODY_BYTES / 1024 / 1024} MiB must bring ${LEAST_BODY_PACE / 1024} KiB a second (LEAST_BODY_PACE); send it over a faster line, or in smaller parts, which may take longer`,
  )
