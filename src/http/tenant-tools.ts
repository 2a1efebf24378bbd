import type { TenantId } from '../core/ids.ts'
import { SHARED_LOOKUP_MS } from '../core/limits/tenants.ts'
import { MAX_HELD_TENANTS, MAX_HELD_TOOL_CHARS, MAX_HELD_TOOLS } from '../core/limits/tool-search.ts'
import { settledWithin } from '../core/settled-within.ts'
import type { Semantics } from '../ports/semantics.ts'
import { embeddingCorpus, embeddingId } from '../registry/tool-embedding.ts'
import type { NearestTools } from '../retrieval/tool-fusion.ts'
import type { FindableTool } from '../retrieval/tool-terms.ts'
import type { ShownTool, ToolsApi, ToolsSince } from '../tenant/tools-api.ts'
import { refuseTooLarge, shownChars } from './shown-size.ts'
import type { ToolFinder } from './tool-finder.ts'

/** Current registered tools of a tenant, and the search among them and a node's own. */
export interface TenantTools {
  /** Tools in the order of their ids; the same list as long as none of them changes. */
  readonly tools: readonly ShownTool[]
  /** Searches as {@link ToolFinder.findByWords}, which keeps its index of them. */
  find(question: Question): Promise<string[]>
}

export interface Question {
  readonly findable: readonly FindableTool[]
  readonly question: string
  readonly limit: number
  /** Id of a registered tool in `findable`, when it differs there. */
  readonly idOf: (toolId: string) => string
}

interface Held {
  readonly revision: number
  /** Size of the tenant's tools together, as MAX_HELD_TOOL_CHARS counts it. */
  readonly chars: number
  readonly tools: readonly ShownTool[]
  readonly finder: ToolFinder
}

type Source = Pick<ToolsApi, 'since'>

interface Parts {
  /** Finder for tenants without tools of their own: its content is the same for all of them. */
  readonly shared: ToolFinder
  readonly newFinder: () => ToolFinder
  /** Semantic search; null where there is none. */
  readonly semantics: Semantics | null
}

/**
 * Cache of tenants' tools in the isolate, with their search index. Each request fetches the changes since the one before: a
 * tool is there from the request on that follows its registration. Tenants share nothing. The least recently used tenant
 * goes when there are more than MAX_HELD_TOOLS, or more of them than MAX_HELD_TOOL_CHARS.
 */
export class TenantToolCache {
  readonly #parts: Parts
  /** Tenants in the order of their last use; the latest stands last. */
  readonly #held = new Map<TenantId, Held>()
  readonly #ids = new WeakMap<readonly ShownTool[], ReadonlyMap<string, string>>()
  readonly #running = new Map<TenantId, Promise<Held>>()
  readonly #next = new Map<TenantId, Promise<Held>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Current tools of a tenant. Simultaneous requests share one fetch, but none takes the result of one that began before it came.
   */
  async of(tenant: TenantId, source: Source): Promise<TenantTools> {
    const { tools, finder } = await this.#fresh(tenant, source)
    return { tools, find: (query) => this.#find(tenant, { tools, finder }, query) }
  }

  async #find(tenant: TenantId, { tools, finder }: Pick<Held, 'tools' | 'finder'>, query: Question): Promise<string[]> {
    const { findable, question, limit, idOf } = query
    const { semantics } = this.#parts
    if (semantics === null || tools.length === 0) return finder.findByWords(findable, question, limit)
    const nearest: NearestTools = async (query, count, signal) => {
      const near = await semantics.nearest({ query, corpora: [embeddingCorpus(tenant)], limit: count }, signal)
      const ids = this.#embeddingIds(tenant, tools)
      return near.flatMap((id) => ids.get(id) ?? []).map(idOf)
    }
    // The search by words is complete: a failed semantic search is not reported.
    return finder.find(findable, question, limit, { nearest, missed: () => {} })
  }

  /** Ids of the tools by the ids of their embeddings. */
  #embeddingIds(tenant: TenantId, tools: readonly ShownTool[]): ReadonlyMap<string, string> {
    const known = this.#ids.get(tools) ?? new Map(tools.map(({ id }) => [embeddingId(tenant, id), id]))
    this.#ids.set(tools, known)
    return known
  }

  async #fresh(tenant: TenantId, source: Source): Promise<Held> {
    const running = this.#running.get(tenant)
    if (!running) return this.#start(tenant, source)
    const next = this.#next.get(tenant) ?? this.#startNext(tenant, source, running)
    const settled = await settledWithin(next, SHARED_LOOKUP_MS)
    if (settled) return settled.value
    if (this.#next.get(tenant) === next) this.#next.delete(tenant)
    return this.#start(tenant, source)
  }

  #startNext(tenant: TenantId, source: Source, running: Promise<Held>): Promise<Held> {
    const again = () => {
      if (this.#next.get(tenant) === next) this.#next.delete(tenant)
      return this.#start(tenant, source)
    }
    const next = running.then(again, again)
    this.#next.set(tenant, next)
    return next
  }

  #start(tenant: TenantId, source: Source): Promise<Held> {
    const refreshed = this.#refresh(tenant, source).finally(() => {
      if (this.#running.get(tenant) === refreshed) this.#running.delete(tenant)
    })
    this.#running.set(tenant, refreshed)
    return refreshed
  }

  async #refresh(tenant: TenantId, source: Source): Promise<Held> {
    let held: Held = this.#held.get(tenant) ?? { revision: 0, chars: 0, tools: [], finder: this.#parts.shared }
    for (let more = true; more; ) {
      const changes = await source.since(held.revision)
      held = this.#with(held, changes)
      refuseTooLarge(held.chars)
      more = changes.more
    }
    this.#held.delete(tenant)
    this.#held.set(tenant, held)
    this.#makeRoom()
    return held
  }

  #with(held: Held, { revision, anew, tools, gone }: ToolsSince): Held {
    if (!anew && tools.length === 0 && gone.length === 0) return { ...held, revision }
    const byId = new Map(anew ? [] : held.tools.map((tool) => [tool.id, tool]))
    for (const id of gone) byId.delete(id)
    for (const tool of tools) byId.set(tool.id, tool)
    const all = [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
    const { shared, newFinder } = this.#parts
    const finder = all.length === 0 ? shared : held.finder === shared ? newFinder() : held.finder
    const chars = all.reduce((sum, tool) => sum + charsOf(tool), 0)
    return { revision, chars, tools: all, finder }
  }

  #makeRoom(): void {
    let [tools, chars] = [0, 0]
    for (const held of this.#held.values()) {
      tools += held.tools.length
      chars += held.chars
    }
    for (const [tenant, held] of this.#held) {
      const isFew = tools <= MAX_HELD_TOOLS && chars <= MAX_HELD_TOOL_CHARS && this.#held.size <= MAX_HELD_TENANTS
      if (isFew || this.#held.size === 1) return
      this.#held.delete(tenant)
      tools -= held.tools.length
      chars -= held.chars
    }
  }
}

/** Sizes by tool: a shown tool is never changed. */
const known = new WeakMap<ShownTool, number>()

function charsOf(tool: ShownTool): number {
  const before = known.get(tool)
  if (before !== undefined) return before
  const chars = shownChars(tool)
  known.set(tool, chars)
  return chars
}
