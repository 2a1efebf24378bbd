/** Length of a heading. Each section below it has it in its path: a longer one would be there a thousand times. */
export const MAX_HEADING_CHARS = 300

/** Parts of a paper that a source states. Empty where it does not. */
export interface PaperText {
  readonly title: string
  readonly abstract: string
  readonly authors: readonly string[]
  /** Sections in reading order, without abstract and bibliography. */
  readonly sections: readonly Section[]
}

export interface Section {
  /** Headings above it, outermost first: "3 Model > 3.2 Attention". Empty before the first heading. */
  readonly path: string
  /** Paragraphs with empty lines between them. */
  readonly text: string
}
