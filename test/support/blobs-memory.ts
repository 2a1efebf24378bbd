import { createHash } from 'node:crypto'
import { fail } from '../../src/core/failure.ts'
import type { BlobStore } from '../../src/ports/blobs.ts'

/** Contents of one tenant and who refers to them, in memory. */
export class MemoryBlobs {
  readonly contents = new Map<string, Uint8Array>()
  readonly references = new Map<string, Set<string>>()
  /** Calls that went through, as `put <hash>` and so on. */
  readonly calls: string[] = []
  /** Runs at the start of each call; throw or wait in it to simulate a crash or a slow store. */
  before: (call: 'put' | 'putStream' | 'get' | 'release' | 'releaseAll') => void | Promise<void> = () => undefined
  /** Hook after the work of a call, before its caller knows; see {@link before}. */
  after: (call: 'put' | 'putStream' | 'release') => void | Promise<void> = () => undefined

  /** The store as one session sees it. */
  forSession(nodeId: string): BlobStore {
    const store = (hash: string, content: Uint8Array) => {
      this.calls.push(`put ${hash}`)
      this.contents.set(hash, content.slice())
      this.references.set(hash, (this.references.get(hash) ?? new Set()).add(nodeId))
    }
    const forget = (hash: string) => {
      this.calls.push(`release ${hash}`)
      this.references.get(hash)?.delete(nodeId)
      if (this.references.get(hash)?.size === 0) {
        this.references.delete(hash)
        this.contents.delete(hash)
      }
    }
    return {
      put: async (blobs) => {
        await this.before('put')
        for (const { hash, content } of blobs) {
          if (hashOf(content) !== hash) throw new Error('the content does not have this hash')
          store(hash, content)
        }
        await this.after('put')
      },
      putStream: async (stream, size) => {
        await this.before('putStream')
        const content = new Uint8Array(await new Response(stream).arrayBuffer())
        if (content.length !== size) fail('invalid_input', `the content has ${content.length} bytes and not ${size}`)
        const hash = hashOf(content)
        store(hash, content)
        await this.after('putStream')
        return hash
      },
      get: async (hash, range) => {
        await this.before('get')
        const content = this.contents.get(hash)
        const part = range && content?.subarray(range.offset, range.offset + range.length)
        return content ? { size: content.length, body: new Blob([(part ?? content).slice()]).stream() } : null
      },
      reclaim: async (hashes) => {
        const there = hashes.filter((hash) => this.contents.has(hash))
        for (const hash of there) this.references.set(hash, (this.references.get(hash) ?? new Set()).add(nodeId))
        return hashes.filter((hash) => !this.contents.has(hash))
      },
      release: async (hashes) => {
        await this.before('release')
        for (const hash of hashes) forget(hash)
        await this.after('release')
      },
      releaseAll: async () => {
        await this.before('releaseAll')
        for (const [hash, nodes] of [...this.references]) if (nodes.has(nodeId)) forget(hash)
      },
    }
  }
}

export const hashOf = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex')
