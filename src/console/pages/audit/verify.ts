const GENESIS = '0'.repeat(64)
const TAIL = /,"hash":"([0-9a-f]{64})"\}$/

/** Number and hash of an entry of the audit log. */
export interface Place {
  readonly seq: number
  readonly hash: string
}

interface Entry {
  readonly seq: number
  readonly prev?: string
  readonly action?: string
  readonly detail?: { readonly through?: unknown; readonly hash?: unknown } | null
  readonly checkpoint?: number
  readonly hash?: string
  readonly unreadable?: { readonly first: number; readonly last: number; readonly why: string }
}

/** Check of the hash chain of an export, line by line in its order (docs/audit.md). */
export class ChainCheck {
  #last: Place = { seq: 0, hash: GENESIS }
  #unattested: Place | null = null
  #lines = 0
  /** Entries that were found as they were written. */
  count = 0

  /** The entry that was read last. */
  get last(): Place {
    return this.#last
  }

  /** Takes the next line. @throws Error that names the first entry that was changed, moved or removed */
  async add(line: string): Promise<void> {
    this.#lines += 1
    const entry = JSON.parse(line) as Entry
    if (entry.checkpoint !== undefined) {
      if (this.#lines > 1) throw new Error('Entries were dropped while the log was read: verify again.')
      this.#last = this.#unattested = { seq: entry.checkpoint, hash: entry.hash ?? '' }
      return
    }
    if (entry.unreadable) {
      const { first, last, why } = entry.unreadable
      throw new Error(`Entries ${first} to ${last} cannot be read: their sealed segment is ${why}.`)
    }
    const written = TAIL.exec(line)
    const hash = await sha256(written ? `${line.slice(0, written.index)}}` : line)
    if (written?.[1] !== hash) throw new Error(`Entry ${entry.seq} was changed: its hash is not that of what it says.`)
    if (entry.seq !== this.#last.seq + 1) {
      throw new Error(`Entry ${entry.seq} follows entry ${this.#last.seq}: entries are missing or moved.`)
    }
    if (entry.prev !== this.#last.hash) {
      throw new Error(`Entry ${entry.seq} does not follow the entry before it: its "prev" is another.`)
    }
    const { through, hash: dropped } = entry.detail ?? {}
    const attests = entry.action === 'audit.checkpoint' && through === this.#unattested?.seq
    if (attests && dropped === this.#unattested?.hash) this.#unattested = null
    this.#last = { seq: entry.seq, hash }
    this.count += 1
  }

  /** Ends the check. @throws Error where no entry says that older ones were dropped */
  end(): void {
    if (this.#unattested) throw new Error(`No entry says that those up to ${this.#unattested.seq} were dropped.`)
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
