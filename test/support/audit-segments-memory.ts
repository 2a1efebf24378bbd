import type { SegmentStore } from '../../src/ports/audit-segments.ts'

type Step = 'put' | 'stored' | 'get' | 'delete' | 'deleted'

/** Sealed segments of an audit log in memory, by the number of their first entry. */
export class MemorySegments implements SegmentStore {
  readonly objects = new Map<number, Uint8Array>()
  /** Number of segments that were read. */
  reads = 0
  /** Runs at each step; throw in it. */
  at: (step: Step) => void = () => undefined

  async put(first: number, content: Uint8Array): Promise<void> {
    this.at('put')
    this.objects.set(first, content)
    this.at('stored')
  }

  async get(first: number, most: number): Promise<Uint8Array | null> {
    this.at('get')
    this.reads += 1
    const content = this.objects.get(first) ?? null
    return content && content.length > most ? new Uint8Array() : content
  }

  async delete(firsts: readonly number[]): Promise<void> {
    this.at('delete')
    for (const first of firsts) this.objects.delete(first)
    this.at('deleted')
  }
}
