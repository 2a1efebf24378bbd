/** Lines that come again at the edge of page after page: running heads, page numbers. The first one is kept. */
export class EdgeLines {
  readonly #seen = new Map<string, number>()

  /** Whether a line is a running head. @param line at the upper or lower edge of that page; pages come in ascending order */
  isRepeated(page: number, line: string): boolean {
    const key = line.replace(/\d+/g, '#').toLowerCase().slice(0, 200)
    const before = this.#seen.get(key)
    this.#seen.set(key, page)
    // Left and right pages may have different heads.
    return before !== undefined && page - before <= 2
  }
}
