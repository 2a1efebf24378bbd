import type { Actor } from '../core/actor.ts'
import type { ServedGroup } from '../core/served.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import { type DryRun, dryRunChain } from '../registry/chain/dry-run.ts'
import type { RegisteredTool } from '../registry/registered-tool.ts'
import type { AuditLog } from './audit-log.ts'
import { changeNotes } from './audit-notes.ts'
import { type BuiltinTool, checkChains, resolverOf } from './chain-check.ts'
import { ToolChanges } from './tool-changes.ts'
import type { ToolEmbeddings } from './tool-embeddings.ts'
import { informToolHolders, type ToolHolders } from './tool-holders.ts'
import type { ToolList } from './tool-list.ts'
import type { ToolRevisions } from './tool-revisions.ts'
import type {
  ChainDryRun,
  ChangedTool,
  ToolChange,
  ToolPage,
  ToolsApi,
  ToolsSince,
  ToolVersionPage,
} from './tools-api.ts'
import type { Upkeep } from './upkeep.ts'

interface Parts extends ToolHolders {
  readonly sql: Sql
  readonly clock: Clock
  readonly list: ToolList
  readonly revisions: ToolRevisions
  /** Null on a server without a provider of embeddings. */
  readonly embeddings: Pick<ToolEmbeddings, 'plan'> | null
  readonly builtin: BuiltinTool
  readonly audit: Pick<AuditLog, 'append'>
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** Registered tools of one tenant: read from the list, and changed with all that follows from a change. */
export class ToolsGroup implements ServedGroup<ToolsApi> {
  readonly #parts: Parts
  readonly #changes: ToolChanges

  constructor(parts: Parts) {
    this.#parts = parts
    this.#changes = new ToolChanges({ sql: parts.sql, clock: parts.clock, tools: parts.list })
  }

  async change(
    changes: readonly ToolChange[],
    by: Actor,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
  ): Promise<readonly ChangedTool[]> {
    const { list, builtin, upkeep, embeddings } = this.#parts
    await checkChains(changes, list, builtin)
    const changed = dryRun ? this.#tryOut(changes, by) : this.#make(changes, by)
    if (!dryRun) {
      await this.#inform(changed)
      await upkeep.plan()
      await embeddings?.plan()
    }
    return changed
  }

  #make(changes: readonly ToolChange[], by: Actor): readonly ChangedTool[] {
    const { sql, audit, revisions } = this.#parts
    return sql.transaction(() => {
      const made = this.#changes.make(changes, by)
      audit.append(changeNotes(made, by))
      revisions.note(made.filter(({ outcome }) => outcome !== 'unchanged').map(({ id }) => id))
      return made
    })
  }

  /** Makes the changes in a transaction that is rolled back. @returns their result */
  #tryOut(changes: readonly ToolChange[], by: Actor): readonly ChangedTool[] {
    try {
      this.#parts.sql.transaction(() => {
        throw new RolledBack(this.#changes.make(changes, by))
      })
    } catch (thrown) {
      if (thrown instanceof RolledBack) return thrown.changed
      throw thrown
    }
    return []
  }

  /** Informs the sessions that may begin calls by their copies of tools. No session has a copy of a new tool. */
  async #inform(changed: readonly ChangedTool[]): Promise<void> {
    if (changed.every(({ outcome }) => outcome === 'unchanged' || outcome === 'created')) return
    await informToolHolders(this.#parts)
  }

  dryRunChain({ chain, id, ...known }: ChainDryRun): Promise<DryRun> {
    const { list, builtin } = this.#parts
    return dryRunChain(chain, { name: id, ...known }, resolverOf(list, builtin))
  }

  list(page: { readonly limit: number; readonly after?: number }): ToolPage {
    return this.#parts.list.list(page)
  }

  since(revision: number): ToolsSince {
    return this.#parts.revisions.since(revision)
  }

  find(reference: string): RegisteredTool {
    return this.#parts.list.find(reference)
  }

  versions(id: string, page: { readonly limit: number; readonly before?: number }): ToolVersionPage {
    return this.#parts.list.versions(id, page)
  }
}

/** Result of a dry run: thrown so that the transaction is rolled back. */
class RolledBack extends Error {
  readonly changed: readonly ChangedTool[]

  constructor(changed: readonly ChangedTool[]) {
    super('a dry run changes nothing')
    this.changed = changed
  }
}
