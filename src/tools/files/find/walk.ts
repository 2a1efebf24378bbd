import { WALK_PAGE_ENTRIES } from '../../../core/limits/finding.ts'
import { isCommandLog, LOGS_DIR, VENV_DIR } from '../../../core/task-layout.ts'
import { baseName, isWithin, type WorkspacePath } from '../../../core/workspace-path.ts'
import type { Workspace, WorkspaceEntry } from '../../../ports/workspace.ts'
import type { WorkMeter } from '../pattern/work-meter.ts'
import { GitIgnore } from './gitignore.ts'

/** Names of directories that are left out at any depth: what programs keep there is of no use to a model. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules'])

export interface WalkOptions {
  readonly dir: WorkspacePath
  /** Begin behind this path. */
  readonly after?: WorkspacePath | undefined
  /** Whether to go into code_env, .git and node_modules, too. */
  readonly everything: boolean
  readonly respectGitignore: boolean
  /** Whether to leave out the outputs of commands under logs/. */
  readonly withoutCommandLogs?: boolean
  readonly meter: WorkMeter
}

/** Walk over what lies below a directory, sorted by path, in pages: memory does not grow with the directory. */
export class Walk {
  /** Directories that were left out, the topmost ones; not those with nothing in them. */
  readonly leftOut = new Set<string>()
  /** Directories whose content stays in the sandbox, so that nothing in them was looked at; the topmost ones, without code_env. */
  readonly sandboxOnly = new Set<WorkspacePath>()
  /** Entries that a .gitignore left out; of a directory, itself alone. */
  ignored = 0
  readonly #workspace: Workspace
  readonly #options: WalkOptions
  readonly #gitignore: GitIgnore

  constructor(workspace: Workspace, options: WalkOptions) {
    this.#workspace = workspace
    this.#options = options
    this.#gitignore = new GitIgnore(workspace, options.meter)
  }

  /** Whether some rules of .gitignore files were not heeded, since there are too many. */
  get hasUnheededRules(): boolean {
    return this.#gitignore.isCut
  }

  /** The entries, in order; none behind the one at which the meter is exhausted. */
  async *entries(): AsyncGenerator<WorkspaceEntry> {
    const { dir, meter } = this.#options
    let { after } = this.#options
    const kept = await this.#workspace.sandboxOnly()
    const whole = kept.directoryAt(dir)
    if (whole !== null) this.sandboxOnly.add(whole)
    for (let more = true; more; ) {
      const page = this.#workspace.list(dir, { recursive: true, after, limit: WALK_PAGE_ENTRIES })
      more = page.truncated
      let below: { readonly path: WorkspacePath; readonly isNamed: boolean } | null = null
      for (const entry of page.entries) {
        after = entry.path
        if (below !== null && isWithin(entry.path, below.path)) {
          if (below.isNamed) this.leftOut.add(below.path)
          continue
        }
        below = null
        meter.spend(WORK_PER_ENTRY)
        if (meter.isExhausted) return
        if (meter.isDue) await meter.pause()
        if (
          whole === null &&
          entry.kind === 'directory' &&
          entry.path !== VENV_DIR &&
          kept.directoryAt(entry.path) === entry.path
        )
          this.sandboxOnly.add(entry.path)
        if (this.#options.withoutCommandLogs && isCommandLog(entry.path)) {
          this.leftOut.add(COMMAND_LOGS)
          continue
        }
        const top = this.#options.everything ? null : leftOutAbove(entry.path, dir)
        if (top !== null) {
          below = { path: top, isNamed: true }
          if (top !== entry.path || entry.kind !== 'directory') this.leftOut.add(top)
        } else if (!(await this.#isIgnored(entry))) yield entry
        else if (entry.kind === 'directory') below = { path: entry.path, isNamed: false }
      }
      // The rest of a directory that is left out need not be listed.
      if (below !== null && more) after = `${below.path}/${LAST}` as WorkspacePath
    }
  }

  async #isIgnored(entry: WorkspaceEntry): Promise<boolean> {
    if (!this.#options.respectGitignore || !(await this.#gitignore.ignores(entry))) return false
    this.ignored += 1
    return true
  }
}

/** The topmost directory of a path, below `dir`, that is left out; null when there is none. */
function leftOutAbove(path: WorkspacePath, dir: WorkspacePath): WorkspacePath | null {
  if (isWithin(path, VENV_DIR) && !isWithin(dir, VENV_DIR)) return VENV_DIR
  if (LEFT_OUT.has(baseName(path))) return path
  const below = dir.length === 0 ? path : path.slice(dir.length + 1)
  if (![...LEFT_OUT].some((name) => below.includes(`${name}/`))) return null
  const names = below.split('/')
  const at = names.findIndex((name, index) => LEFT_OUT.has(name) && index < names.length - 1)
  if (at === -1) return null
  return (path.slice(0, path.length - below.length) + names.slice(0, at + 1).join('/')) as WorkspacePath
}

const COMMAND_LOGS = `${LOGS_DIR} (outputs of commands)`
const WORK_PER_ENTRY = 50
/** Sorts behind each name. */
const LAST = '\u{10ffff}'
