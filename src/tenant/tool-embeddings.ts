import type { TenantId } from '../core/ids.ts'
import { SEMANTIC_PUT_MS } from '../core/limits/papers.ts'
import { EMBEDDING_BATCH, EMBEDDING_RETRY_MS } from '../core/limits/tool-search.ts'
import { withTimeLimit } from '../core/time-limit.ts'
import type { Clock } from '../ports/clock.ts'
import type { Semantics } from '../ports/semantics.ts'
import type { Sql } from '../ports/sql.ts'
import { embeddedText, embeddingCorpus, embeddingId } from '../registry/tool-embedding.ts'
import type { ToolRevisions } from './tool-revisions.ts'

interface Parts {
  readonly sql: Sql
  readonly tenant: TenantId
  readonly revisions: ToolRevisions
  readonly semantics: Semantics
  readonly clock: Clock
  readonly logError: (thrown: unknown) => void
  /** Schedules {@link ToolEmbeddings.work} for then, unless an earlier time is scheduled. */
  readonly wakeAt: (time: number) => Promise<void>
}

/**
 * Computes an embedding for each registered tool, after the change that made it and never delaying it; continues after a crash.
 */
export class ToolEmbeddings {
  readonly #parts: Parts
  #retryAt = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Schedules the next {@link work}, when a tool changed since the last. */
  async plan(): Promise<void> {
    const { revisions, clock, wakeAt } = this.#parts
    const isDone = revisions.since(this.#done(), 1).revision === this.#done()
    if (!isDone) await wakeAt(Math.max(clock.now(), this.#retryAt))
  }

  /** Embeds the next batch. A failure of the provider is retried later. */
  async work(): Promise<void> {
    const { tenant, revisions, semantics, clock, logError } = this.#parts
    if (clock.now() < this.#retryAt) return
    const { revision, tools, gone } = revisions.since(this.#done(), EMBEDDING_BATCH)
    const texts = tools.map((tool) => ({ id: embeddingId(tenant, tool.id), text: embeddedText(tool), year: null }))
    const ids = gone.map((id) => embeddingId(tenant, id))
    try {
      await withTimeLimit(SEMANTIC_PUT_MS, new AbortController().signal, async (signal) => {
        if (texts.length > 0) await semantics.put(embeddingCorpus(tenant), texts, signal)
        if (ids.length > 0) await semantics.remove(ids, signal)
      })
      this.#parts.sql.all('INSERT OR REPLACE INTO tool_meanings (id, revision) VALUES (1, ?)', revision)
    } catch (thrown) {
      this.#retryAt = clock.now() + EMBEDDING_RETRY_MS
      logError(thrown)
    }
  }

  #done(): number {
    return this.#parts.sql.all<{ revision: number }>('SELECT revision FROM tool_meanings')[0]?.revision ?? 0
  }
}
