import { FailureError } from '../../../core/failure.ts'
import { MAX_GITIGNORE_BYTES, MAX_GITIGNORE_RULES } from '../../../core/limits/finding.ts'
import { parentPath, ROOT, type WorkspacePath } from '../../../core/workspace-path.ts'
import type { Workspace, WorkspaceEntry } from '../../../ports/workspace.ts'
import { compileGlob } from '../pattern/glob.ts'
import type { WorkMeter } from '../pattern/work-meter.ts'

interface Rule {
  readonly negated: boolean
  readonly directoriesOnly: boolean
  readonly matches: (below: string) => boolean
}

/**
 * Rules of the `.gitignore` files of a task, as git applies them: of the rules that match, the last counts, and what lies below an
 * ignored directory is ignored, whatever is said of it. @see https://git-scm.com/docs/gitignore
 */
export class GitIgnore {
  readonly #workspace: Workspace
  readonly #meter: WorkMeter
  readonly #rules = new Map<WorkspacePath, readonly Rule[]>()
  readonly #ignored = new Map<WorkspacePath, boolean>()
  #count = 0

  constructor(workspace: Workspace, meter: WorkMeter) {
    this.#workspace = workspace
    this.#meter = meter
  }

  /** Whether there are more rules than MAX_GITIGNORE_RULES; the others are not heeded. */
  get isCut(): boolean {
    return this.#count > MAX_GITIGNORE_RULES
  }

  /** Whether git ignores an entry. False when the meter is exhausted. */
  async ignores({ path, kind }: Pick<WorkspaceEntry, 'path' | 'kind'>): Promise<boolean> {
    if (path === ROOT) return false
    // From the top: directories may lie a thousand deep, which a recursion would feel.
    const above: WorkspacePath[] = []
    for (let dir = parentPath(path); dir !== ROOT && !this.#ignored.has(dir); dir = parentPath(dir)) above.push(dir)
    for (const dir of above.reverse()) {
      this.#ignored.set(dir, await this.#decide(dir, true))
      if (this.#meter.isExhausted) return false
      if (this.#meter.isDue) await this.#meter.pause()
    }
    return this.#decide(path, kind === 'directory')
  }

  async #decide(path: WorkspacePath, isDirectory: boolean): Promise<boolean> {
    const parent = parentPath(path)
    if (parent !== ROOT && this.#ignored.get(parent)) return true
    for (let dir = parent; ; dir = parentPath(dir)) {
      const rules = this.#rules.get(dir) ?? (await this.#load(dir))
      const below = dir === ROOT ? path : path.slice(dir.length + 1)
      const last = rules.findLast(({ directoriesOnly, matches }) => (isDirectory || !directoriesOnly) && matches(below))
      if (last) return !last.negated
      if (dir === ROOT) return false
    }
  }

  async #load(dir: WorkspacePath): Promise<readonly Rule[]> {
    const path = (dir === ROOT ? '.gitignore' : `${dir}/.gitignore`) as WorkspacePath
    const entry = this.#workspace.stat(path)
    const small = entry?.kind === 'file' && entry.size <= MAX_GITIGNORE_BYTES
    const content = small ? await this.#workspace.read(path) : null
    const rules = content ? this.#parsed(new TextDecoder().decode(content)) : []
    this.#rules.set(dir, rules)
    return rules
  }

  #parsed(text: string): readonly Rule[] {
    const rules: Rule[] = []
    for (const line of text.split('\n')) {
      const rule = this.#rule(line.replace(/\r$/, ''))
      if (!rule) continue
      this.#count += 1
      if (this.isCut) break
      rules.push(rule)
    }
    return rules
  }

  #rule(line: string): Rule | null {
    const shown = line.endsWith('\\ ') ? line : line.trimEnd()
    if (shown === '' || shown.startsWith('#')) return null
    const negated = shown.startsWith('!')
    const whole = negated ? shown.slice(1) : shown
    const directoriesOnly = whole.endsWith('/')
    const pattern = directoriesOnly ? whole.slice(0, -1) : whole
    const glob = pattern.replace(/^\//, '')
    if (glob === '') return null
    try {
      // Braces are no alternatives to git.
      const matches = compileGlob(glob.replace(/[{}]/g, '\\$&'), this.#meter)
      const ofNames = !pattern.includes('/')
      return { negated, directoriesOnly, matches: ofNames ? (below) => matches(nameOf(below)) : matches }
    } catch (thrown) {
      if (thrown instanceof FailureError) return null // git takes such a line for a name that does not exist
      throw thrown
    }
  }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
