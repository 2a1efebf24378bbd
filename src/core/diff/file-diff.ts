/** Difference of one path between two moments. */
export interface FileDiff {
  readonly path: string
  readonly change: 'created' | 'modified' | 'deleted'
  readonly before: DiffSide | null
  readonly after: DiffSide | null
  /** Changed lines of a text; none where only mode or kind differ, and for what is shown by size and hash alone. */
  readonly hunks: readonly Hunk[]
  /** Why a changed content has no hunks, or not all of them; null where they are whole. */
  readonly omitted: 'not text' | 'too large' | null
}

/** A path in one of two moments. */
export interface DiffSide {
  readonly kind: 'file' | 'directory' | 'link'
  /** Permission bits. */
  readonly mode: number
  /** Size in bytes, and SHA-256, of a file; null for anything else. */
  readonly size: number | null
  readonly hash: string | null
  /** Target of a link; null for anything else. */
  readonly target: string | null
}

/** Place at which two texts differ, with the unchanged lines around it. Lines count from 1, as in a unified diff. */
export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** Lines without their breaks behind ` `, `-` or `+`; NO_BREAK follows a last line that has no break. */
  readonly lines: readonly string[]
}

export const NO_BREAK = '\\ No newline at end of file'
