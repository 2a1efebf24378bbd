import type { Sandbox } from '../../ports/sandbox.ts'
import type { Sql } from '../../ports/sql.ts'
import { type IgnoreList, ignoreListOf } from '../../workspace/ignore-list.ts'
import { KnownFiles } from '../sync/known.ts'
import { HardLinks } from '../sync/links.ts'
import { planPush } from '../sync/plan.ts'
import { pull } from '../sync/pull.ts'
import { push, type Sides } from '../sync/push.ts'
import { type ReportedFile, takeReported } from '../sync/reported-file.ts'
import type { ChangeCollectors } from './changed-files.ts'
import type { NoticeBoard } from './notices.ts'
import type { PackageStore } from './package-store.ts'
import type { SandboxState, SandboxStateStore } from './sandbox-state.ts'

interface Parts {
  readonly sql: Sql
  readonly store: SandboxStateStore
  readonly packages: PackageStore
  readonly notices: NoticeBoard
  readonly changes: Pick<ChangeCollectors, 'note'>
  readonly logError: (thrown: unknown) => void
  readonly now: () => number
  /** Whether the sandbox may have changes that the workspace lacks. */
  readonly isActive: () => boolean
  /** Number of times that the sandbox was marked dirty. */
  readonly marks: () => number
}

/** A workspace to synchronize, and the signal that ends the work. */
type Side = Pick<Sides, 'workspace' | 'signal'>

/**
 * Number of pushes that check whether the sandbox changed; later ones do not, since somebody keeps changing the very same files.
 */
const CHECKED_PUSHES = 2

/** Synchronizes the files of the session's sandbox and of its workspace; one operation at a time. */
export class SandboxFiles {
  readonly #parts: Parts
  readonly #known: KnownFiles
  readonly #links: HardLinks

  constructor(parts: Parts) {
    this.#parts = parts
    this.#known = new KnownFiles(parts.sql)
    this.#links = new HardLinks(parts.sql)
  }

  /**
   * Copies changes of the workspace into the sandbox.
   * @returns the number of copied entries
   * @throws SandboxGone when the sandbox cannot take them, or is no longer the session's
   */
  async push(sandbox: Sandbox, side: Side): Promise<number> {
    const { workspace } = side
    const { store, notices, isActive } = this.#parts
    for (let attempt = 1; ; attempt++) {
      const { pushedSeq, watched, watchPort } = store.of(sandbox)
      const head = workspace.headSeq()
      if (head === pushedSeq) return 0
      const plan = planPush(workspace, this.#known, pushedSeq < 0 ? null : workspace.changesSince(pushedSeq))
      if (plan.remove.length === 0 && plan.put.length === 0) {
        // The commit of the last command, mostly. Looking at it once more after a restart finds nothing to push either.
        store.defer(sandbox.id, { pushedSeq: head })
        return 0
      }
      const isChecked = pushedSeq >= 0 && attempt <= CHECKED_PUSHES
      const ignore = isChecked ? await ignoreListOf(workspace) : null
      // A command may end while files are carried in: its changes are counted then, and nobody has looked at them.
      const wasActive = isActive()
      const end = await push(plan, this.#sides(sandbox, side), ignore, watchPort)
      if (end === 'outdated') {
        await this.take(sandbox, side, { isWhole: true })
        continue
      }
      notices.add({ notes: end.notes })
      // Nothing but the push changed the sandbox: the next look need not list the pushed files.
      const isAlone = !wasActive && !isActive() && watched !== null && end.watchedBefore === watched
      store.update(sandbox.id, { pushedSeq: head, ...(isAlone && { watched: end.watchedAfter }) })
      return plan.put.length
    }
  }

  /**
   * Commits the sandbox's changes since the last look.
   * @param isWhole looks at all files, whatever the watcher says
   * @throws SandboxGone when the sandbox cannot be looked at, or is no longer the session's
   */
  async take(sandbox: Sandbox, side: Side, { isWhole = false } = {}): Promise<void> {
    const { workspace } = side
    const { store, packages, notices, changes, now, marks } = this.#parts
    const marksBefore = marks()
    const state = store.of(sandbox)
    const ignore = await ignoreListOf(workspace)
    const port = watchPortFor(ignore, state)
    const isTrusted = !isWhole && state.isDoubted !== true
    const watch = port === null ? null : { port, since: state.watched, isTrusted }
    const pulled = await pull(this.#sides(sandbox, side), ignore, watch)
    packages.recordInstalled(pulled.distributions)
    notices.add(pulled)
    changes.note(pulled.changed)
    // The commit may have changed the ignore list.
    const isWatched = (await ignoreListOf(workspace)).key === state.unwatched
    store.update(sandbox.id, {
      watched: isWatched ? pulled.watched : null,
      // A command that ended during the look may have left a process that the look did not find.
      unsettled: pulled.background || marks() !== marksBefore,
      uncheckedSince: pulled.isPart ? (state.uncheckedSince ?? now()) : null,
      ...(pulled.wasMissed && { isDoubted: true }),
    })
  }

  /**
   * Commits the one file that the sandbox changed since the last look, by the sandbox's own report.
   * @returns false when more may have changed, or that is unknown: then everything must be looked at
   * @throws SandboxGone when the sandbox is no longer the session's
   */
  async takeReported(sandbox: Sandbox, side: Side, file: ReportedFile): Promise<boolean> {
    const { store, notices, isActive } = this.#parts
    const { watched, unwatched } = store.of(sandbox)
    if (isActive() || watched === null || (await ignoreListOf(side.workspace)).key !== unwatched) return false
    const taken = await takeReported(file, watched, this.#sides(sandbox, side))
    if (!taken) return false
    notices.add(taken)
    store.update(sandbox.id, { watched: file.after })
    return true
  }

  #sides(sandbox: Sandbox, { workspace, signal }: Side): Sides {
    return { workspace, known: this.#known, links: this.#links, sandbox, signal, logError: this.#parts.logError }
  }

  /** Clears the knowledge of a sandbox that is no longer the session's. */
  forget(): void {
    this.#known.clear()
  }
}

/** Port of the watcher; null when it watches something else than a listing lists. */
const watchPortFor = (ignore: IgnoreList, { unwatched, watchPort }: SandboxState) =>
  ignore.key === unwatched ? watchPort : null
