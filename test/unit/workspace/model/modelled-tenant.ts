import type { BlobStore } from '../../../../src/ports/blobs.ts'
import { BlobReferences } from '../../../../src/tenant/blob-references.ts'
import { hashOf } from '../../../support/blobs-memory.ts'
import { NodeSql } from '../../../support/sql-node.ts'
import { openTenantTables } from '../../../support/tables.ts'

/** A tenant's references over a store in memory, which answers after a while. */
export class ModelledTenant {
  readonly contents = new Map<string, Uint8Array>()
  readonly time = { now: 1_800_000_000_000 }
  readonly clock = { now: () => this.time.now }
  readonly references: BlobReferences
  readonly #pause: () => Promise<void>
  #nodes = 0
  /** Steps until the store fails a session, by its node. */
  readonly #failsIn = new Map<string, number>()

  /** @param pause what each answer of the store waits for */
  constructor(pause: () => Promise<void>) {
    this.#pause = pause
    const sql = new NodeSql()
    openTenantTables(sql)
    this.references = new BlobReferences({
      sql,
      clock: this.clock,
      databaseBytes: () => 0,
      wakeAt: async () => undefined,
      deleter: {
        delete: async (hashes) => {
          await pause()
          for (const hash of hashes) this.contents.delete(hash)
          await pause()
        },
      },
    })
  }

  newNode(): string {
    this.#nodes += 1
    return `node-${this.#nodes}`
  }

  /** Does a session's work, which the store fails after so many steps. */
  async cuttingOff(node: string, steps: number, work: () => Promise<unknown>): Promise<void> {
    this.#failsIn.set(node, steps)
    await work().catch(() => undefined)
    this.#failsIn.delete(node)
  }

  async #step(node: string): Promise<void> {
    await this.#pause()
    const left = this.#failsIn.get(node)
    if (left === undefined) return
    if (left === 0) throw new Error('the store was cut off')
    this.#failsIn.set(node, left - 1)
  }

  /** The store as one session sees it: as in R2, contents come after their reference, and are noted after that. */
  store(node: string): BlobStore {
    const put = async (hash: string, content: Uint8Array) => {
      const there = await this.references.retain(node, [hash])
      await this.#step(node)
      if (!there.includes(hash)) this.contents.set(hash, content.slice())
      await this.#step(node)
      await this.references.stored([hash])
    }
    return {
      put: async (blobs) => {
        for (const { hash, content } of blobs) await put(hash, content)
      },
      putStream: async (stream) => {
        const content = new Uint8Array(await new Response(stream).arrayBuffer())
        const hash = hashOf(content)
        await put(hash, content)
        return hash
      },
      get: async (hash) => {
        await this.#step(node)
        const content = this.contents.get(hash)
        return content ? { size: content.length, body: new Blob([content.slice()]).stream() } : null
      },
      reclaim: async (hashes) => {
        const missing = hashes.filter((hash) => !this.contents.has(hash))
        await this.references.retain(node, hashes)
        await this.references.release(node, missing)
        return missing
      },
      release: async (hashes) => {
        await this.#step(node)
        await this.references.release(node, hashes)
        await this.#step(node)
      },
      releaseAll: async () => this.references.release(node, 'all'),
    }
  }
}
