import { ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import type { PathChange } from '../../ports/file-history.ts'
import type { Sql } from '../../ports/sql.ts'
import { changesShown, countChanges, pageOfChanges } from './commit-changes.ts'
import { type Commit, findCommit, listCommits } from './commits.ts'
import type { Difference } from './compare.ts'
import { type DifferencesQuery, pageOfDifferences } from './differences.ts'
import { missingCommit } from './kept.ts'
import { type RestoredState, restoredBy } from './restores.ts'

/** A commit with what it restored; null for one that restored nothing, or did before that was noted. */
type ReportedCommit = Commit & { readonly restored: RestoredState | null }

/** Commits of a workspace, what each of them changed, and what differs between them. */
export class WorkspaceHistory {
  readonly #sql: Sql
  readonly #head: () => number

  constructor(sql: Sql, head: () => number) {
    this.#sql = sql
    this.#head = head
  }

  /** Page of commits that changed something at or below a path, newest first, each with some of its changes there. */
  page({
    path,
    limit,
    before,
    author,
    shown,
  }: {
    readonly path: WorkspacePath
    readonly limit: number
    readonly before?: number
    readonly author?: string
    readonly shown: number
  }): {
    readonly commits: readonly (ReportedCommit & { readonly changes: readonly PathChange[] })[]
    readonly next?: number
  } {
    const { commits, ...next } = listCommits(this.#sql, {
      ...{ limit, path },
      ...(before !== undefined && { before }),
      ...(author !== undefined && { author }),
    })
    const seqs = commits.map(({ seq }) => seq)
    const changes = changesShown(this.#sql, { seqs, path, head: this.#head(), shown })
    const restored = restoredBy(this.#sql, seqs)
    const withChanges = commits.map((commit) => ({
      ...commit,
      restored: restored.get(commit.seq) ?? null,
      changed: path === ROOT ? commit.changed : countChanges(this.#sql, commit.seq, path),
      changes: changes.get(commit.seq) ?? [],
    }))
    return { commits: withChanges, ...next }
  }

  /** One commit with a page of its changes at or below a path, sorted by path. @throws FailureError `not_found` */
  changes({
    commit: seq,
    path,
    limit,
    after = '',
  }: {
    readonly commit: number
    readonly path: WorkspacePath
    readonly limit: number
    readonly after?: string
  }): { readonly commit: ReportedCommit; readonly changes: readonly PathChange[]; readonly more: boolean } {
    const commit = findCommit(this.#sql, seq) ?? missingCommit(this.#sql, seq)
    const changes = pageOfChanges(this.#sql, { seq, path, head: this.#head(), after, limit: limit + 1 })
    const changed = path === ROOT ? commit.changed : countChanges(this.#sql, seq, path)
    const restored = restoredBy(this.#sql, [seq]).get(seq) ?? null
    return { commit: { ...commit, changed, restored }, changes: changes.slice(0, limit), more: changes.length > limit }
  }

  /** Page of the differences between two commits, sorted by path. @throws FailureError `not_found` */
  differences(query: DifferencesQuery): { readonly differences: readonly Difference[]; readonly more: boolean } {
    return pageOfDifferences(this.#sql, this.#head(), query)
  }
}
