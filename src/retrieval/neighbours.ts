/**
 * Neighbours: stems near each other in meaning, from the table that scripts/build-neighbours.mjs writes.
 * Layout, little-endian: 'NBR1', u32 stems, u32 least cosine · 10⁴, u32 bytes of text; the stems, one a line; how many
 * neighbours each has (u8); from the next even byte on their numbers (u16), then their similarities (u8).
 */
export class Neighbours {
  readonly #numberOf = new Map<string, number>()
  readonly #stems: readonly string[]
  readonly #start: Uint32Array
  readonly #ids: Uint16Array
  readonly #similarities: Uint8Array

  /** Opens a table. @throws RangeError when the bytes are none */
  constructor(bytes: ArrayBuffer) {
    const view = new DataView(bytes)
    const magic = String.fromCharCode(...new Uint8Array(bytes, 0, 4))
    if (magic !== 'NBR1') throw new RangeError('not a table of neighbours')
    const stems = view.getUint32(4, true)
    const textBytes = view.getUint32(12, true)
    this.#stems = new TextDecoder().decode(new Uint8Array(bytes, 16, textBytes)).split('\n')
    const counts = new Uint8Array(bytes, 16 + textBytes, stems)
    this.#start = new Uint32Array(stems + 1)
    for (let n = 0; n < stems; n++) {
      this.#numberOf.set(this.#stems[n] ?? '', n)
      this.#start[n + 1] = (this.#start[n] ?? 0) + (counts[n] ?? 0)
    }
    const links = this.#start[stems] ?? 0
    const from = 16 + textBytes + stems
    const even = from + (from % 2)
    this.#ids = new Uint16Array(bytes, even, links)
    this.#similarities = new Uint8Array(bytes, even + links * 2, links)
  }

  /** Calls `visit` with each neighbour, nearest first, and its similarity in (0, 1]. */
  each(stem: string, visit: (neighbour: string, similarity: number) => void): void {
    const n = this.#numberOf.get(stem)
    if (n === undefined) return
    for (let at = this.#start[n] ?? 0; at < (this.#start[n + 1] ?? 0); at++) {
      visit(this.#stems[this.#ids[at] ?? 0] ?? '', (this.#similarities[at] ?? 0) / 255)
    }
  }
}
