import type { Neighbours } from '../retrieval/neighbours.ts'
import { findTools, type NearestTools } from '../retrieval/tool-fusion.ts'
import { ToolIndex } from '../retrieval/tool-index.ts'
import type { FindableTool } from '../retrieval/tool-terms.ts'

/**
 * Finds tools by a question, only among those given with it. Its index is kept until the next question: only changed tools are
 * read anew, so one finder for all callers will do where most of their tools are the same. A caller with thousands of its own
 * needs a finder of its own.
 */
export class ToolFinder {
  readonly #neighbours: () => Promise<Neighbours>
  readonly #held = new Map<string, FindableTool>()
  #index: ToolIndex | undefined
  #followed: readonly FindableTool[] | null = null

  /** @param neighbours words near in meaning; loaded at the first question */
  constructor(neighbours: () => Promise<Neighbours>) {
    this.#neighbours = neighbours
  }

  /**
   * Ids of the tools that fit a question, the best first; none when no word of the question fits any.
   * @param tools candidates; of those with the same id the last counts. The same list is not read again, so it must not
   * change
   * @param limit greatest number of ids, from 0
   * @throws FailureError `limit_exceeded` beyond MAX_FINDABLE_TOOLS or MAX_FINDABLE_TERMS
   */
  async findByWords(tools: readonly FindableTool[], question: string, limit: number): Promise<string[]> {
    const index = await this.#ready()
    this.#follow(index, tools)
    return limit === 0 ? [] : index.search(question, { limit }).map(({ id }) => id)
  }

  /** Searches as {@link findByWords}, and by meaning; other searches may run with other tools meanwhile. */
  async find(
    tools: readonly FindableTool[],
    question: string,
    limit: number,
    { nearest, missed }: Embeddings,
  ): Promise<string[]> {
    const index = await this.#ready()
    // Nothing may be awaited from here to the search: other searches index tools of their own.
    this.#follow(index, tools)
    if (limit === 0) return []
    const permitted = idsOf(tools)
    const found = await findTools(index, question, { limit, permitted }, nearest, missed)
    return found.map(({ id }) => id)
  }

  async #ready(): Promise<ToolIndex> {
    if (this.#index) return this.#index
    const neighbours = await this.#neighbours()
    this.#index ??= new ToolIndex(neighbours)
    return this.#index
  }

  #follow(index: ToolIndex, tools: readonly FindableTool[]): void {
    if (tools === this.#followed) return
    // A failed update is repeated from the start.
    this.#followed = null
    const given = new Map(tools.map((tool) => [tool.id, tool]))
    for (const id of this.#held.keys()) {
      if (given.has(id)) continue
      index.remove(id)
      this.#held.delete(id)
    }
    for (const [id, tool] of given) {
      if (isSame(this.#held.get(id), tool)) continue
      index.put(tool)
      this.#held.set(id, tool)
    }
    this.#followed = tools
  }
}

/** A service that embeds texts, and a callback for its failures. */
export interface Embeddings {
  readonly nearest: NearestTools
  readonly missed: (thrown: unknown) => void
}

function idsOf(tools: readonly FindableTool[]): (id: string) => boolean {
  const ids = new Set(tools.map(({ id }) => id))
  return (id) => ids.has(id)
}

/** Whether a tool is unchanged: tools from a session are new objects each time. */
const isSame = (held: FindableTool | undefined, tool: FindableTool) =>
  held === tool || (held !== undefined && JSON.stringify(held) === JSON.stringify(tool))
