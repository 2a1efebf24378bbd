/** Finds where a text ends with the begin of a word, in time linear to the word's length (Knuth, Morris and Pratt). */
export class BeginFinder {
  readonly #word: string
  /** By length of a begin of the word: the length of the longest shorter begin with which it ends. */
  readonly #shorter: Uint32Array

  constructor(word: string) {
    this.#word = word
    this.#shorter = new Uint32Array(word.length + 1)
    for (let at = 1, length = 0; at < word.length; at++) {
      length = this.#next(length, word, at)
      this.#shorter[at + 1] = length
    }
  }

  /** Places from which on the rest of the text begins the word and is shorter than it, first ones first. */
  placesIn(text: string): number[] {
    let length = 0
    for (let at = Math.max(0, text.length - this.#word.length + 1); at < text.length; at++) {
      length = this.#next(length, text, at)
    }
    const places: number[] = []
    for (; length > 0; length = this.#shorter[length] ?? 0) places.push(text.length - length)
    return places
  }

  /** Length of the longest begin with which a text ends behind a character, from that of those before it. */
  #next(before: number, text: string, at: number): number {
    const character = text.charCodeAt(at)
    let length = before
    while (length > 0 && this.#word.charCodeAt(length) !== character) length = this.#shorter[length] ?? 0
    return this.#word.charCodeAt(length) === character ? length + 1 : 0
  }
}
