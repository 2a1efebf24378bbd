import { createHash } from 'node:crypto'
import { headerFacts, TAR_BLOCK, tarPadding } from './tar.ts'

/** Counts of an archive, up to a place between two of its entries. */
export interface TarCounts {
  readonly files: number
  readonly directories: number
  /** Size of the files' contents together. */
  readonly contentBytes: number
  /** Length of the archive, headers and padding included. */
  readonly bytes: number
  /** SHA-256 of these bytes, 64 hex digits. */
  readonly sha256: string
}

/** Follows an archive that is written piece by piece, and counts what is in it. */
export class TarTally {
  readonly #hash = createHash('sha256')
  readonly #header = new Uint8Array(TAR_BLOCK)
  #held = 0
  /** Bytes of a content, with its padding, that are still to come. */
  #left = 0
  #files = 0
  #directories = 0
  #contentBytes = 0
  #bytes = 0

  /** @throws Error for a piece that has no header where one must be */
  add(piece: Uint8Array): void {
    this.#hash.update(piece)
    this.#bytes += piece.length
    for (let at = 0; at < piece.length; ) {
      if (this.#left > 0) {
        const length = Math.min(this.#left, piece.length - at)
        this.#left -= length
        at += length
        continue
      }
      const part = piece.subarray(at, at + TAR_BLOCK - this.#held)
      this.#header.set(part, this.#held)
      this.#held += part.length
      at += part.length
      if (this.#held === TAR_BLOCK) this.#enter()
    }
  }

  /** Counts of what was added. @throws Error in the middle of an entry, since a part of an archive broke off then */
  counts(): TarCounts {
    this.requireWhole()
    return {
      files: this.#files,
      directories: this.#directories,
      contentBytes: this.#contentBytes,
      bytes: this.#bytes,
      sha256: this.#hash.copy().digest('hex'),
    }
  }

  /** @throws Error in the middle of an entry */
  requireWhole(): void {
    if (this.#left > 0 || this.#held > 0) throw new Error('tar: an entry broke off')
  }

  #enter(): void {
    const { type, size } = headerFacts(this.#header)
    this.#held = 0
    this.#left = size + tarPadding(size).length
    if (type === '5') this.#directories++
    if (type !== '0') return
    this.#files++
    this.#contentBytes += size
  }
}
