import { MAX_CHANGED_FILES } from '../../core/limits/answers.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { ChangedFiles, FileChange } from '../../ports/runner.ts'

/** Files that change while a command runs, as the looks at the sandbox find them. */
export class ChangeCollector {
  /** Changes by path: all of them, since a later change may undo one. */
  readonly #changes = new Map<WorkspacePath, FileChange>()
  readonly #close: (collector: ChangeCollector) => void
  /** True when other commands ran meanwhile, whose changes cannot be told apart from those of this one. */
  isShared: boolean

  constructor(isShared: boolean, close: (collector: ChangeCollector) => void) {
    this.isShared = isShared
    this.#close = close
  }

  note(changes: readonly FileChange[]): void {
    for (const change of changes) {
      const before = this.#changes.get(change.path)
      const after = before ? together(before, change) : change
      if (after === null) this.#changes.delete(change.path)
      else this.#changes.set(change.path, after)
    }
  }

  close(): void {
    this.#close(this)
  }

  /** Changes of all other files than those; null for none. */
  without(paths: readonly WorkspacePath[]): ChangedFiles | null {
    const changes = [...this.#changes.values()].filter(({ path }) => !paths.includes(path))
    if (changes.length === 0) return null
    const files = changes.filter(({ path }) => !isInGit(path))
    const named = files.slice(0, MAX_CHANGED_FILES)
    const inGit = changes.length - files.length
    return { files: named, more: files.length - named.length, ...(inGit > 0 && { inGit }), isShared: this.isShared }
  }
}

/** Collectors of the commands that run in a session's sandbox. */
export class ChangeCollectors {
  readonly #open = new Set<ChangeCollector>()

  /** @param isShared whether processes of earlier commands run on in the sandbox */
  open(isShared: boolean): ChangeCollector {
    const collector = new ChangeCollector(isShared || this.#open.size > 0, (one) => this.#open.delete(one))
    for (const other of this.#open) other.isShared = true
    this.#open.add(collector)
    return collector
  }

  note(changes: readonly FileChange[]): void {
    for (const collector of this.#open) collector.note(changes)
  }
}

/** Whether a path lies in a repository's own directory, whose files git writes for itself. */
const isInGit = (path: WorkspacePath) => `/${path}`.includes('/.git/')

/** Two changes of one file, the later one second, as one; null when the file is as it was: not there. */
function together(first: FileChange, second: FileChange): FileChange | null {
  if (first.change === 'created') return second.change === 'deleted' ? null : { ...second, change: 'created' }
  return second.change === 'created' ? { ...second, change: 'modified' } : second
}
