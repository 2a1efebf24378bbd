/** Error of malformed text, with the reason. */
class SyntaxMistake extends Error {
  override readonly name = 'SyntaxMistake'
}

export function mistake(message: string): never {
  throw new SyntaxMistake(message)
}

/** Reads a text from its start to its end, by patterns that are sticky (flag `y`) and do not backtrack. */
export class Cursor {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get ended(): boolean {
    return this.#at >= this.#text.length
  }

  get place(): number {
    return this.#at
  }

  /** The text from `start` to here. */
  since(start: number): string {
    return this.#text.slice(start, this.#at)
  }

  /** The next character; '' at the end. */
  peek(ahead = 0): string {
    return this.#text.charAt(this.#at + ahead)
  }

  startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  /** Skips `text`, if it comes next. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false
    this.#at += text.length
    return true
  }

  /** Takes the pattern's match at this place; null, without moving, when it does not match. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (!found) return null
    this.#at = pattern.lastIndex
    return found[0]
  }
}
