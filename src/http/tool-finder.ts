import type { Neighbours } from '../retrieval/neighbours.ts'
import { findTools, type NearestTools } from '../retrieval/tool-fusion.ts'
import { ToolIndex } from '../retrieval/tool-index.ts'
import type { FindableTool } from '../retrieval/tool-terms.ts'

/**
 * Finds tools by a question, among those that it is given with it and no others. What it has read of them it keeps until
 * the next question: only what is not as before is read anew, so one for all callers will do where most of their tools are
 * the same. Where a caller has thousands of its own, give it a finder of its own.
 */
export class ToolFinder {
  readonly #neighbours: () => Promise<Neighbours>
  readonly #held = new Map<string, FindableTool>()
  #index: ToolIndex | undefined
  #followed: readonly FindableTool[] | null = null

  /** @param neighbours which words are near in meaning; asked for at the first question */
  constructor(neighbours: () => Promise<Neighbours>) {
    this.#neighbours = neighbours
  }

  /**
   * @param tools of those with the same id the last counts. The same list is not gone through again: it must not change
   * @param limit how many at most, from 0
   * @returns their ids, the one that fits best first; none when no word of the question fits any
   * @throws FailureError `limit_exceeded` beyond MAX_FINDABLE_TOOLS or MAX_FINDABLE_TERMS
   */
  async findByWords(tools: readonly FindableTool[], question: string, limit: number): Promise<string[]> {
    const index = await this.#ready()
    this.#follow(index, tools)
    return limit === 0 ? [] : index.search(question, { limit }).map(({ id }) => id)
  }

  /** As {@link findByWords}, and what is near in meaning; others may ask with other tools while that is looked for. */
  async find(
    tools: readonly FindableTool[],
    question: string,
    limit: number,
    { nearest, missed }: Embeddings,
  ): Promise<string[]> {
    const index = await this.#ready()
    // Nothing may be awaited from here to the search: others follow tools of their own.
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
    // What fails half-way is gone through again.
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

/** A service that knows what texts mean, and who is told when it did not answer. */
export interface Embeddings {
  readonly nearest: NearestTools
  readonly missed: (thrown: unknown) => void
}

function idsOf(tools: readonly FindableTool[]): (id: string) => boolean {
  const ids = new Set(tools.map(({ id }) => id))
  return (id) => ids.has(id)
}

/** Tools that a session answered with are new objects each time. */
const isSame = (held: FindableTool | undefined, tool: FindableTool) =>
  held === tool || (held !== undefined && JSON.stringify(held) === JSON.stringify(tool))
