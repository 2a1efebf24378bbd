/** A line of a hunk. */
export interface HunkLine {
  readonly kind: ' ' | '-' | '+'
  readonly text: string
  /** True when the patch says that no line break follows. */
  unended?: true
}

/** A hunk: lines to find, and what they become. */
export interface Hunk {
  /** Number within its file, from 1. */
  readonly number: number
  /** Line at which the old lines are said to stand, from 1; null when the hunk does not say. */
  readonly oldStart: number | null
  readonly lines: readonly HunkLine[]
}

/** Changes of a patch to one file. */
export interface FilePatch {
  /** Old and new path as the patch has them; null for `/dev/null`. */
  readonly oldPath: string | null
  readonly newPath: string | null
  readonly isRename: boolean
  /** Permission bits that the file gets; null when the patch does not say. */
  readonly mode: number | null
  readonly hunks: readonly Hunk[]
  /** True for a deletion that does not say what stands in the file. */
  readonly deletesWhole?: true
}

export interface ParsedPatch {
  readonly files: readonly FilePatch[]
  /** Notes on what the patch says and does not hold, e.g. wrong numbers of lines. */
  readonly notes: readonly string[]
}
