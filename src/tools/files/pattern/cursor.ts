import { fail } from '../../../core/failure.ts'

/** Place in the source of a pattern, moved on by what is read. */
export class Cursor {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length
  }

  sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at)
  }

  /** Reads `text` if it comes next. @returns whether it did */
  take(text: string): boolean {
    const comes = this.sees(text)
    if (comes) this.#at += text.length
    return comes
  }

  /** The next character, which is not read by this; empty at the end. */
  peek(): string {
    const codePoint = this.#source.codePointAt(this.#at)
    return codePoint === undefined ? '' : String.fromCodePoint(codePoint)
  }

  /** Reads one character; empty at the end. */
  next(): string {
    const character = this.peek()
    this.#at += character.length
    return character
  }

  /** Reads what a sticky pattern matches here; null and nothing read when it does not. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found) this.#at += found[0].length
    return found
  }

  /** @throws FailureError `invalid_input` with the reason and the place reached */
  refuse(reason: string): never {
    const near = this.#source.slice(Math.max(0, this.#at - 20), this.#at + 20).toWellFormed()
    return fail('invalid_input', `the pattern cannot be used: ${reason} (near ${JSON.stringify(near)})`)
  }
}
