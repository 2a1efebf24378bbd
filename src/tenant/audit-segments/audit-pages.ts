import { sha256 } from '../../core/sha256.ts'
import type { SegmentStore } from '../../ports/audit-segments.ts'
import type { AuditPage } from '../audit-api.ts'
import type { AuditLog } from '../audit-log.ts'
import { unpackSegment } from './segment-file.ts'
import type { SealedSegment, SegmentTable } from './segment-table.ts'

interface Parts {
  readonly log: AuditLog
  readonly table: SegmentTable
  readonly store: SegmentStore
}

/** Reading of the audit log, over sealed segments and the tenant's own rows: a segment at a time. */
export class AuditPages {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Entries that follow number `after`, each a line of JSON. The first line says so where older ones were dropped, and a line stands for
   * each segment that is not in the store as it was sealed.
   * @throws FailureError `upstream`
   */
  async page({ after, limit }: { readonly after: number; readonly limit: number }): Promise<AuditPage> {
    const { log } = this.#parts
    for (let dropped = log.checkpoint(); ; ) {
      const { lines, last } = await this.#lines(Math.max(after, dropped.seq), limit)
      const now = log.checkpoint()
      if (now.seq === dropped.seq || now.seq <= after) {
        const next = lines.length === limit ? last : null
        if (after < dropped.seq) lines.unshift(JSON.stringify({ checkpoint: dropped.seq, hash: dropped.hash }))
        return { lines, next }
      }
      // A segment was dropped while it was read.
      dropped = now
    }
  }

  async #lines(after: number, limit: number): Promise<{ lines: string[]; last: number }> {
    const { log, table } = this.#parts
    const lines: string[] = []
    let last = after
    while (lines.length < limit) {
      const segment = table.following(last)
      if (!segment) {
        const rows = log.entries(last, limit - lines.length)
        return { lines: [...lines, ...rows.map(({ line }) => line)], last: rows.at(-1)?.seq ?? last }
      }
      const sealed = await this.#read(segment)
      if (typeof sealed === 'string') {
        lines.push(sealed)
        last = segment.last
      } else {
        const from = Math.max(last + 1, segment.first)
        const taken = sealed.slice(from - segment.first, from - segment.first + limit - lines.length)
        lines.push(...taken)
        last = from + taken.length - 1
      }
    }
    return { lines, last }
  }

  /** Lines of a segment; one line about it when it is not as it was sealed. */
  async #read({ first, last, bytes, sha256: sealed, hash }: SealedSegment): Promise<readonly string[] | string> {
    const content = await this.#parts.store.get(first, bytes)
    if (content && sha256(content) === sealed) {
      const lines = await unpackSegment(content)
      if (lines.length === last - first + 1) return lines
    }
    return JSON.stringify({ unreadable: { first, last, why: content ? 'changed' : 'missing' }, hash })
  }
}
