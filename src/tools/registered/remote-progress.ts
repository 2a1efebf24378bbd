import {
  MAX_REMOTE_PROGRESS_CHARS,
  REMOTE_PROGRESS_BURST,
  REMOTE_PROGRESS_PAUSE_MS,
} from '../../core/limits/mcp-servers.ts'
import { plainText } from '../../core/plain-text.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import type { McpProgress } from '../../ports/mcp-servers.ts'
import type { LivePiece } from '../../ports/runner.ts'
import type { Mask } from './masked.ts'

interface Parts {
  readonly live: (piece: LivePiece) => void
  readonly mask: Mask
  /** Wall-clock milliseconds since 1970. */
  readonly now: () => number
}

/** Progress of one remote call as lines of live output: bounded in length and pace, without secrets and hidden characters. */
export class RemoteProgress {
  readonly #parts: Parts
  /** Lines that may be shown at once, as of `#since`. */
  #left = REMOTE_PROGRESS_BURST
  #since: number
  /** Bytes left out since the last line. */
  #skipped = 0
  #isOver = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#since = parts.now()
  }

  /** Shows progress, unless it comes too fast, or after the end. */
  show(progress: McpProgress): void {
    if (this.#isOver) return
    if (!this.#isInPace()) {
      this.#skipped += utf8Length(progress.message) + 1
      return
    }
    const text = this.#lineOf(progress)
    this.#parts.live({ stream: 'stdout', text, ...(this.#skipped > 0 && { skipped: this.#skipped }) })
    this.#skipped = 0
  }

  /** Ends it: the call has its answer, and nothing may follow. */
  end(): void {
    this.#isOver = true
  }

  #isInPace(): boolean {
    const now = this.#parts.now()
    const earned = Math.max(0, now - this.#since) / REMOTE_PROGRESS_PAUSE_MS
    this.#left = Math.min(REMOTE_PROGRESS_BURST, this.#left + earned)
    this.#since = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }

  /** One line: a message with line breaks could pass for the lines of something else. */
  #lineOf({ progress, total, message }: McpProgress): string {
    const place = total === null ? `[${progress}]` : `[${progress}/${total}]`
    // Masked before it is cut: a cut could leave half of a secret.
    const masked = this.#parts.mask.text(`${place} ${plainText(message)}`)
    const line = masked.slice(0, READ_CHARS).split(/\s/).filter(isText).join(' ')
    const isLong = line.length > MAX_REMOTE_PROGRESS_CHARS
    return `${isLong ? `${line.slice(0, MAX_REMOTE_PROGRESS_CHARS - 1).toWellFormed()}…` : line}\n`
  }
}

/** Characters from which a line is made: most of them may be spaces. */
const READ_CHARS = 8 * MAX_REMOTE_PROGRESS_CHARS
const isText = (word: string) => word !== ''
